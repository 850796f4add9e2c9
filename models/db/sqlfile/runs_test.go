package sqlfile_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A run is a call that runs a statement from a file.
type run struct {
	statement  string
	parameters []string // That it passes, sorted.
	at         token.Position
}

// runsIn finds the runs in the Go files of a folder: calls one of whose arguments is
// queries.Must with a literal. The parameters are another argument: a call of Named with
// literals for names, or a variable that was made so in the same function.
func runsIn(t *testing.T, folder string) (runs []run) {
	t.Helper()
	paths, err := filepath.Glob(folder + "/*.go")
	if err != nil {
		t.Fatal(err)
	}
	set := token.NewFileSet()
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			ast.Inspect(d, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				for _, arg := range call.Args {
					if name, ok := statement(arg); ok {
						r := run{statement: name, at: set.Position(arg.Pos())}
						r.parameters = parameters(t, r, d, call.Args)
						runs = append(runs, r)
					}
				}
				return true
			})
		}
	}
	return runs
}

// statement is the name in queries.Must("name").
func statement(e ast.Expr) (name string, ok bool) {
	call, ok := e.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return "", false
	}
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || f.Sel.Name != "Must" {
		return "", false
	}
	if x, ok := f.X.(*ast.Ident); !ok || x.Name != "queries" {
		return "", false
	}
	return text(call.Args[0])
}

// parameters are the names of the parameters among the arguments of a call.
func parameters(t *testing.T, r run, in ast.Decl, args []ast.Expr) (names []string) {
	t.Helper()
	for _, arg := range args {
		if id, ok := arg.(*ast.Ident); ok {
			arg = assigned(in, id.Name)
		}
		named, ok := arg.(*ast.CallExpr)
		if !ok || !strings.EqualFold(called(named), "named") {
			continue
		}
		for i := 0; i < len(named.Args); i += 2 {
			name, ok := text(named.Args[i])
			if !ok {
				t.Errorf("%s: the name of parameter %d is no literal", r.at, i/2+1)
			}
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// called is the name of the function or method that is called.
func called(call *ast.CallExpr) string {
	f := call.Fun
	if of, ok := f.(*ast.IndexExpr); ok { // Of a type.
		f = of.X
	}
	switch f := f.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

func text(e ast.Expr) (string, bool) {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	s, err := strconv.Unquote(lit.Value)
	return s, err == nil
}

// assigned is what a variable of a function is made with.
func assigned(in ast.Decl, name string) (value ast.Expr) {
	ast.Inspect(in, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || a.Tok != token.DEFINE || len(a.Rhs) != len(a.Lhs) {
			return true
		}
		for i, left := range a.Lhs {
			if id, ok := left.(*ast.Ident); ok && id.Name == name {
				value = a.Rhs[i]
			}
		}
		return true
	})
	return value
}
