package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"time"

	"laurel/jobs/retrieval"
	"laurel/models/responses"
)

// probe fetches an account once, saves the raw pages and prints what was read of them.
func probe(ctx context.Context, s settings, args []string) error {
	var names []string
	out := ""
	for i := 0; i < len(args); i++ {
		switch value, joined := strings.CutPrefix(args[i], "--out="); {
		case joined:
			out = value
		case args[i] == "--out" && i+1 < len(args):
			i++
			out = args[i]
		case strings.HasPrefix(args[i], "-"):
			return errUsage
		default:
			names = append(names, args[i])
		}
	}
	if len(names) != 2 {
		return errUsage
	}
	b, err := openBase(ctx, s)
	if err != nil {
		return err
	}
	defer b.close()
	site, err := b.reader(ctx, names[0])
	if err != nil {
		return err
	}
	runner := b.runner()
	p, err := runner.Retrieval.Probe(ctx, site, names[1])
	if out == "" {
		out = "probe-" + names[0] + "-" + b.clock.now().Format("20060102-150405")
	}
	if saved := savePages(out, p.Answers); saved != nil {
		return errors.Join(err, saved)
	}
	if _, unwritten := os.Stdout.WriteString(probeText(&p)); unwritten != nil {
		return errors.Join(err, unwritten)
	}
	fmt.Printf("\n%d raw pages are in %s. Remove what is private before you attach them to a report.\n", len(p.Answers), out)
	return err
}

// savePages writes each raw answer into a file of its own, and what was asked into index.txt.
func savePages(dir string, answers []responses.Answer) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	var index strings.Builder
	for i, a := range answers {
		name := fmt.Sprintf("%03d%s", i+1, extension(a.Body))
		fmt.Fprintf(&index, "%s: %d %s\n", name, a.Status, a.Address)
		if a.Question != "" {
			fmt.Fprintf(&index, "    asked: %s\n", a.Question)
		}
		for _, cookie := range (&http.Response{Header: a.Header}).Cookies() { // Their values may be somebody's.
			fmt.Fprintf(&index, "    cookie: %s\n", cookie.Name)
		}
		if err := os.WriteFile(filepath.Join(dir, name), a.Body, 0o600); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(dir, "index.txt"), []byte(index.String()), 0o600)
}

func extension(body []byte) string {
	switch text := strings.TrimSpace(string(body[:min(len(body), 200)])); {
	case strings.HasPrefix(text, "{"), strings.HasPrefix(text, "["):
		return ".json"
	case strings.HasPrefix(text, "<"):
		return ".html"
	}
	return ".txt"
}

// probeText says of each field of a submission and of a rating in how many rows it was read, with
// the newest value.
func probeText(p *retrieval.Probe) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d submissions on the first page\n", len(p.Page.Rows))
	addFields(&b, p.Page.Rows)
	if len(p.Page.Unread) > 0 {
		fmt.Fprintf(&b, "\n%d rows that could not be read\n", len(p.Page.Unread))
	}
	for _, u := range p.Page.Unread {
		fmt.Fprintf(&b, "  %s: %s\n    %q\n", cmp.Or(u.ID, "without a number"), u.Why, u.Text)
	}
	fmt.Fprintf(&b, "\n%d ratings\n", len(p.Ratings))
	addFields(&b, p.Ratings)
	if p.RatingsErr != nil {
		fmt.Fprintf(&b, "  not read: %v\n", p.RatingsErr)
	}
	return b.String()
}

func addFields[T any](b *strings.Builder, rows []T) {
	if len(rows) == 0 {
		return
	}
	for _, name := range fieldsOf(reflect.TypeFor[T](), "") {
		read, example := 0, ""
		for i := range rows {
			if text := fieldText(reflect.ValueOf(rows[i]), name); text != "" {
				if read++; example == "" {
					example = text
				}
			}
		}
		note := ""
		if read == 0 {
			note = "not read"
		}
		fmt.Fprintf(b, "  %-14s %4d of %d  %s%s\n", name, read, len(rows), example, note)
	}
}

// fieldsOf names the fields of a struct and of the structs in it, which are not times.
func fieldsOf(t reflect.Type, prefix string) (names []string) {
	for f := range t.Fields() {
		in := f.Type
		if in.Kind() == reflect.Pointer {
			in = in.Elem()
		}
		if in.Kind() == reflect.Struct && in != reflect.TypeFor[time.Time]() {
			names = append(names, fieldsOf(in, prefix+f.Name+".")...)
		} else {
			names = append(names, prefix+f.Name)
		}
	}
	return names
}

// fieldText is a field's value; "" where it has none.
func fieldText(v reflect.Value, name string) string {
	for part := range strings.SplitSeq(name, ".") {
		if v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return ""
			}
			v = v.Elem()
		}
		v = v.FieldByName(part)
	}
	if v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
		return fmt.Sprint(v.Interface())
	}
	if v.IsZero() {
		return ""
	}
	if at, ok := v.Interface().(time.Time); ok {
		return at.Format(time.RFC3339)
	}
	return fmt.Sprint(v.Interface())
}
