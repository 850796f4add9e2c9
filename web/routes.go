package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"slices"

	"laurel/handlers"
	"laurel/handlers/web"
)

// printRoutes prints every address: method, address and who may use it.
func printRoutes(_ context.Context, _ settings, args []string) error {
	if len(args) > 0 {
		return errUsage
	}
	return writeRoutes(os.Stdout)
}

func writeRoutes(w io.Writer) error {
	routes := (&handlers.Handlers{}).Routes()
	slices.SortFunc(routes, func(a, b web.Route) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Method, b.Method))
	})
	for _, r := range routes {
		if _, err := fmt.Fprintf(w, "%-6s %s %s\n", r.Method, r.Path, r.Role); err != nil {
			return err
		}
	}
	return nil
}
