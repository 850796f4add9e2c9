package modelstest

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// A starReader reads what the server is sent, and fails the test where a statement
// asks for all columns. Such a statement breaks processes that still run when a
// migration adds a column.
type starReader struct {
	mu    sync.Mutex
	found []string
}

// trace is a change of a pool's configuration.
func (r *starReader) trace(cfg *pgxpool.Config) { cfg.ConnConfig.Tracer = r }

// TraceQueryStart implements pgx.QueryTracer.
func (r *starReader) TraceQueryStart(ctx context.Context, _ *pgx.Conn, q pgx.TraceQueryStartData) context.Context {
	if star := findStar(q.SQL); star != "" {
		r.mu.Lock()
		r.found = append(r.found, sender()+": "+star+" in "+q.SQL)
		r.mu.Unlock()
	}
	return ctx
}

// TraceQueryEnd implements pgx.QueryTracer.
func (r *starReader) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// report fails the test for what was found, and forgets it.
func (r *starReader) report(t testing.TB) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, f := range r.found {
		t.Error("modelstest: name the columns: ", f)
	}
	r.found = nil
}

var (
	unread = regexp.MustCompile(`'(?:[^']|'')*'|--[^\n]*|(?s:/\*.*?\*/)`)
	star   = regexp.MustCompile(`(?i)(?:\b(?:SELECT|DISTINCT|RETURNING)\s+|\bDISTINCT\s+ON\s*\([^)]*\)\s*|,\s*|[\w"]\.)\*`)
)

// findStar returns where a statement asks for all columns, or nothing. count(*) and
// products are no such place.
func findStar(sql string) string {
	if !strings.Contains(sql, "*") {
		return ""
	}
	if found, ok := stars.Load(sql); ok {
		return found.(string)
	}
	found := star.FindString(unread.ReplaceAllString(sql, "''"))
	stars.Store(sql, found)
	return found
}

// stars is what was found in a statement: a test sends the same ones again and again.
var stars sync.Map

// sender is the line that sends the present statement.
func sender() string {
	pc := make([]uintptr, 64)
	frames := runtime.CallersFrames(pc[:runtime.Callers(3, pc)])
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		if strings.HasPrefix(f.Function, "laurel/") {
			return fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
		}
	}
	return "?"
}
