package sites

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"
	"time"
)

// checkHandle keeps anything but a handle out of an address. The form has asked
// the same question before, but a handle may also come from an import or from
// an older release. It is not ErrNoHandle: nobody has asked the site.
func checkHandle(i Info, handle string) error {
	if !i.Handle.MatchString(handle) {
		return fmt.Errorf("%w: %q (want %s)", ErrBadHandle, handle, i.Hint)
	}
	return nil
}

// fetch gets an address with the handle of an account in it.
func fetch(ctx context.Context, get Getter, i Info, a Account, address string) (Page, error) {
	if err := checkHandle(i, a.Handle); err != nil {
		return Page{}, err
	}
	return get.Get(ctx, address)
}

// ask asks a question of a Getter that must be able to.
func ask(ctx context.Context, get Getter, r Request) (Page, Header, error) {
	asker, ok := get.(Asker)
	if !ok {
		return Page{}, nil, fmt.Errorf("%T cannot ask %s", get, r.Address)
	}
	return asker.Ask(ctx, r)
}

// pageAddress is where the last page came from, as far as the Getter knows.
func pageAddress(get Getter) string {
	if f, ok := get.(Follower); ok {
		return f.PageAddress()
	}
	return ""
}

// in says in what an error was met, if there is one.
func in(what string, err error) error {
	if err != nil {
		err = fmt.Errorf("%s: %w", what, err)
	}
	return err
}

// found returns an error unless the page is a plain answer.
func found(p Page) error {
	if p.Status != statusOK {
		return fmt.Errorf("%w: status %d", ErrFormat, p.Status)
	}
	return nil
}

// decode reads JSON. A field of another type than the site's format says is an
// error, a field nobody knows is not.
func decode(body []byte, into any) error {
	// Else json would put replacement characters where the bad bytes are.
	body = bytes.TrimPrefix(bytes.ToValidUTF8(body, nil), []byte("\ufeff")) // A byte order mark is no part of JSON.
	if err := json.Unmarshal(body, into); err != nil {
		return fmt.Errorf("%w: %s", ErrFormat, jsonMistake(err))
	}
	return nil
}

// jsonMistake says what is wrong with JSON in the words of JSON, for admins who read no Go.
func jsonMistake(err error) string {
	kind, ok := errors.AsType[*json.UnmarshalTypeError](err)
	if !ok {
		return err.Error()
	}
	want := "an object"
	switch kind.Type.Kind() {
	case reflect.String:
		want = "a string"
	case reflect.Bool:
		want = "true or false"
	case reflect.Slice, reflect.Array:
		want = "a list"
	case reflect.Float32, reflect.Float64:
		want = "a number"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		want = "a whole number"
	}
	return fmt.Sprintf("%s is %s and not %s", cmp.Or(kind.Field, "it"), kind.Value, want)
}

// list reads a JSON list. null is an error and not an empty list: a page we do
// not understand must never pass for an idle member.
func list[T any](body []byte) ([]T, error) {
	var rows []T
	if err := decode(body, &rows); err != nil {
		return nil, err
	}
	if rows == nil {
		return nil, fmt.Errorf("%w: null instead of a list", ErrFormat)
	}
	return rows, nil
}

// foundList is list for a page that must be a plain answer.
func foundList[T any](p Page) ([]T, error) {
	if err := found(p); err != nil {
		return nil, err
	}
	return list[T](p.Body)
}

// clean returns a site's text as Postgres can keep it.
func clean(s string) string {
	return strings.TrimSpace(strings.ReplaceAll(strings.ToValidUTF8(s, ""), "\x00", ""))
}

var (
	earliest = time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC) // Older than every judge site.
	latest   = time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)
)

// believable returns t in UTC, or an error where no submission can be that old
// or that new: then the page counts something else than we think.
func believable(t time.Time) (time.Time, error) {
	if t.Before(earliest) || t.After(latest) {
		return time.Time{}, fmt.Errorf("%w: %d is not the time of a submission", ErrFormat, t.Unix())
	}
	return t.UTC(), nil
}

// epoch is believable for seconds since 1970.
func epoch(seconds int64) (time.Time, error) { return believable(time.Unix(seconds, 0)) }

// inPages yields the pages of an account's list until there are no more. With an error,
// next may return the rows that came before it.
func inPages(i Info, a Account, next func() (p ListPage, more bool, err error)) iter.Seq2[ListPage, error] {
	return func(yield func(ListPage, error) bool) {
		if err := checkHandle(i, a.Handle); err != nil {
			yield(ListPage{}, err)
			return
		}
		for {
			p, more, err := next()
			if p.Last = !more && err == nil; err == nil || len(p.Rows)+len(p.Unread) > 0 {
				if !yield(p, nil) {
					return
				}
			}
			if err != nil {
				yield(ListPage{}, err)
			}
			if err != nil || !more {
				return
			}
		}
	}
}

// oldestFirst sorts ratings as Site.Ratings returns them.
func oldestFirst(ratings []Rating) []Rating {
	slices.SortStableFunc(ratings, func(a, b Rating) int { return a.At.Compare(b.At) })
	return ratings
}

// since are the rows that are not older.
func since(rows []Submission, at time.Time) []Submission {
	return slices.DeleteFunc(rows, func(s Submission) bool { return s.At.Before(at) })
}

// A wording is the status of verdicts that contain a word in small letters.
type wording struct{ word, status string }

// statusOf is the status of the first wording that a verdict contains, "" for none.
func statusOf(verdict string, wordings []wording) string {
	verdict = strings.ToLower(verdict)
	for _, w := range wordings {
		if strings.Contains(verdict, w.word) {
			return w.status
		}
	}
	return ""
}
