package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A Use is a text where it stands in the source.
type Use struct {
	One, Many string // Many is "" where it is not about a number of things.
	File      string // From the root: the templ file, not what is generated of it.
	Line      int
	Args      int // How many arguments are given; -1 where they are spread, or given when it is said.
}

// usesBelow finds every text in the Go files below folders of root, in order of files. Files of templ are read
// as what is generated of them, so that there is one way to read a call.
func usesBelow(root string, folders ...string) (all []Use, err error) {
	for _, folder := range folders {
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			found, err := usesIn(root, path)
			all = append(all, found...)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(all, func(a, b Use) int {
		if a.File != b.File {
			return strings.Compare(a.File, b.File)
		}
		return a.Line - b.Line
	})
	return all, nil
}

func usesIn(root, path string) (found []Use, err error) {
	source := path
	if templ, ok := strings.CutSuffix(path, "_templ.go"); ok {
		source = templ + ".templ"
	}
	text, err := os.ReadFile(source) //nolint:gosec // A file of this repository.
	if err != nil {
		return nil, err
	}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	name, err := filepath.Rel(root, source)
	if err != nil {
		return nil, err
	}
	after := 0 // Of a templ file: where the last text was found, and the next one follows.
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || err != nil {
			return err == nil
		}
		u, literal, ok := use(call, file.Name.Name == "texts")
		if !ok {
			return true
		}
		if literal == nil {
			err = fmt.Errorf("%s: a text must be a string that stands there, so that it can be found", files.Position(call.Pos()))
			return false
		}
		u.File, u.Line = filepath.ToSlash(name), files.Position(literal.Pos()).Line
		if source != path {
			u.Line, after = lineIn(string(text), literal.Value, after)
		}
		found = append(found, u)
		return true
	})
	return found, err
}

// lineIn is the line of a literal in a file of templ, looked for from an offset on.
func lineIn(text, literal string, from int) (line, at int) {
	i := strings.Index(text[from:], literal)
	if i < 0 {
		from, i = 0, max(strings.Index(text, literal), 0)
	}
	return 1 + strings.Count(text[:from+i], "\n"), from + i
}

// first is which argument of a function is its text.
var first = map[string]int{"T": 1, "N": 2, "Mark": 0, "Rich": 0}

// use reads a call of one of the functions above. The literal is nil where something else is given; own says that
// the call is in the package of these functions itself.
func use(call *ast.CallExpr, own bool) (u Use, literal *ast.BasicLit, ok bool) {
	name := called(call, own)
	at, known := first[name]
	if !known || len(call.Args) <= at {
		return u, nil, false
	}
	literal, _ = call.Args[at].(*ast.BasicLit)
	if literal == nil {
		return u, nil, true
	}
	u.One, _ = strconv.Unquote(literal.Value)
	u.Args = len(call.Args) - at - 1 // Of N as many, too: the number stands before the texts, and the second text behind the first.
	if name == "N" {
		many, isLiteral := call.Args[at+1].(*ast.BasicLit)
		if !isLiteral {
			return u, nil, true
		}
		u.Many, _ = strconv.Unquote(many.Value)
	}
	for _, a := range call.Args[at+1:] {
		if link, isCall := a.(*ast.CallExpr); isCall && name == "Rich" && called(link, own) == "Link" {
			u.Args--
		}
	}
	if call.Ellipsis.IsValid() || name == "Mark" {
		u.Args = -1
	}
	return u, literal, true
}

// called is the name of a function of texts that is called; "" of any other.
func called(call *ast.CallExpr, own bool) string {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		if own {
			return f.Name
		}
	case *ast.SelectorExpr:
		if pkg, ok := f.X.(*ast.Ident); ok && pkg.Name == "texts" {
			return f.Sel.Name
		}
	}
	return ""
}
