package rules

import (
	"errors"

	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/vm"
)

func init() { register(filters, "ExpressionFilter", func() Filter { return new(expressionFilter) }) }

// expressionFilter takes events for which an expression is true, for what no
// other filter can say. It sees the event and nothing else, and it has no
// loops, no variables and no functions but a few harmless ones: its time is
// bounded by its length and that of the event.
//
// An expression that fails (a fact is missing or is no number) refuses the
// event. It never computes an amount, so its numbers may be floats.
type expressionFilter struct {
	Expression string `json:"expression" help:"For example: facts.rating >= 1900 and 'dp' in facts.tags"`

	program *vm.Program
}

const (
	maxExpression = 1000 // Characters.
	maxNodes      = 200
)

// seen is what an expression may use.
type seen struct {
	Source  string         `expr:"source"`
	Type    string         `expr:"type"`
	Object  string         `expr:"object"`
	Status  string         `expr:"status"`
	Hour    int            `expr:"hour"`    // Of the member's day.
	Weekday string         `expr:"weekday"` // As in DayOfWeekFilter.
	Facts   map[string]any `expr:"facts"`
}

func (f *expressionFilter) check(at string, m *Mistakes) {
	at = join(at, "expression")
	if len(f.Expression) > maxExpression {
		m.add(at, "has %d bytes; the limit is %d", len(f.Expression), maxExpression)
		return
	}
	strict := &strictly{}
	options := []expr.Option{
		expr.Env(seen{}), expr.AsBool(), expr.MaxNodes(maxNodes), expr.DisableAllBuiltins(), expr.Optimize(false), expr.Patch(strict),
	}
	for _, name := range []string{"len", "lower", "upper", "trim", "abs"} {
		options = append(options, expr.EnableBuiltin(name))
	}
	program, err := expr.Compile(f.Expression, options...)
	var wrong *file.Error
	switch {
	case errors.As(err, &wrong):
		m.add(at, "line %d, column %d: %s", wrong.Line, wrong.Column+1, wrong.Message)
	case err != nil:
		first, _, _ := strings.Cut(err.Error(), "\n")
		m.add(at, "%s", first)
	case strict.refused != nil:
		line, column := endOf(firstRunes(f.Expression, strict.refused.Location().From))
		m.add(at, "line %d, column %d: ranges, variables, loops and further calls are not allowed", line, column)
	default:
		f.program = program
	}
}

// strictly finds what could take more time or memory than its length says.
type strictly struct{ refused ast.Node }

// Visit is called for every node of an expression.
func (s *strictly) Visit(node *ast.Node) {
	switch n := (*node).(type) {
	case *ast.VariableDeclaratorNode, *ast.SequenceNode, *ast.PredicateNode, *ast.PointerNode, *ast.CallNode:
		s.refused = n
	case *ast.BinaryNode:
		if n.Operator == ".." {
			s.refused = n
		}
	}
}

func firstRunes(text string, n int) string {
	runes := []rune(text)
	return string(runes[:min(n, len(runes))])
}

func (f *expressionFilter) Pass(e *Event) bool {
	local := e.local()
	result, err := expr.Run(f.program, seen{
		Source: e.Source, Type: e.Type, Object: e.Object, Status: e.Standing(),
		Hour: local.Hour(), Weekday: weekdays[local.Weekday()], Facts: plain(e.Facts),
	})
	return err == nil && result == true
}

// plain gives facts as an expression compares them.
func plain(facts Facts) map[string]any {
	all := make(map[string]any, len(facts))
	for name, fact := range facts {
		if a, ok := fact.(Amount); ok && a%unit == 0 {
			fact = int(a / unit)
		} else if ok {
			fact = float64(a) / float64(unit)
		}
		all[name] = fact
	}
	return all
}

func (f *expressionFilter) Wants() Phrase { return Say("this is true: %s", f.Expression) }
