package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"laurel/models/awards/rules"
	pg "laurel/models/db"
	"laurel/views/parts"
	"laurel/views/texts"
)

// A refusal is an error as the one who asked reads it: what was wrong and the way
// out. The cause is for the log.
type refusal struct {
	status  int
	message string
	field   string        // Which part of the input was wrong, if one was.
	after   time.Duration // When it is worth asking again; 0 is not given.

	mistakes rules.Mistakes // All that is wrong with a document, if more than the first is known.
}

// clientGone is written into the log for a request whose sender left: nobody
// reads the answer.
const clientGone = 499

// statuses are what codes are in HTTP.
var statuses = map[pg.Code]int{
	pg.CodeInvalid: http.StatusUnprocessableEntity, pg.CodeNotFound: http.StatusNotFound, pg.CodeConflict: http.StatusConflict,
	pg.CodeGone: http.StatusGone, pg.CodeLimited: http.StatusTooManyRequests, pg.CodeUnavailable: http.StatusServiceUnavailable,
}

// refuse is the only place where an error becomes a status.
func refuse(err error, r *http.Request) refusal {
	ctx := r.Context()
	if coded, ok := errors.AsType[pg.CodedError](err); ok {
		e := coded.Coded()
		f := refusal{status: statuses[e.Code], message: said(ctx, e.Message), field: e.Field, after: e.After}
		if e.After > 0 {
			f.message += " " + texts.T(ctx, "Try again %s.", inWords(ctx, e.After))
		}
		return f
	}
	if mistakes, ok := errors.AsType[rules.Mistakes](err); ok && len(mistakes) > 0 {
		return refuseDocument(mistakes)
	}
	if large, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return refusal{status: http.StatusRequestEntityTooLarge,
			message: texts.T(ctx, "What you sent is too large. Send at most %d MB at a time.", max(large.Limit>>20, 1))}
	}
	if he, ok := errors.AsType[*echo.HTTPError](err); ok && he.Code < 500 {
		return refusal{status: he.Code, message: HTTPMessage(ctx, he)}
	}
	switch {
	case errors.Is(err, pg.ErrNotFound):
		return refusal{status: http.StatusNotFound, message: HTTPMessage(ctx, echo.ErrNotFound)}
	case errors.Is(r.Context().Err(), context.Canceled):
		return refusal{status: clientGone}
	case pg.Unavailable(err):
		return refusal{status: http.StatusServiceUnavailable, after: 5 * time.Second,
			message: texts.T(ctx, "The database is not answering. Try again in a few seconds.")}
	case errors.Is(err, context.DeadlineExceeded):
		return refusal{status: http.StatusServiceUnavailable, after: 10 * time.Second,
			message: texts.T(ctx, "This took too long. Try again in a moment.")}
	}
	return refusal{status: http.StatusInternalServerError,
		message: texts.T(ctx, "Something went wrong on our side. Try again in a moment.")}
}

// refuseDocument says all that is wrong with a document. What is wrong with it
// as a whole is at "document".
func refuseDocument(mistakes rules.Mistakes) refusal {
	named := slices.Clone(mistakes)
	for i := range named {
		named[i].Path = cmp.Or(named[i].Path, "document")
	}
	message := "The document has an error at " + named[0].String() + "."
	if mistakes[0].Path == "" {
		message = "The document " + mistakes[0].Text + "."
	}
	if n := len(named) - 1; n > 0 {
		message += fmt.Sprintf(" More mistakes: %d.", n)
	}
	return refusal{status: http.StatusUnprocessableEntity, message: message, field: named[0].Path, mistakes: named}
}

// HTTPMessage is the words of an error that a handler or Echo made.
func HTTPMessage(ctx context.Context, he *echo.HTTPError) string {
	if words, ok := he.Message.(string); ok && words != http.StatusText(he.Code) {
		return said(ctx, words)
	}
	switch he.Code {
	case http.StatusNotFound:
		return texts.T(ctx, "Page not found. The address may be mistyped, or the page was removed.")
	case http.StatusMethodNotAllowed:
		return texts.T(ctx, "This address does not accept this kind of request.")
	case http.StatusUnauthorized:
		return texts.T(ctx, "Sign in first, or send a token.")
	case http.StatusForbidden:
		return texts.T(ctx, "You do not have access to this.")
	}
	return http.StatusText(he.Code) + "."
}

// handleError answers with an error: JSON below /api/, a page elsewhere.
func (h *Base) handleError(err error, c echo.Context) {
	if c.Response().Committed {
		return
	}
	f := refuse(err, c.Request())
	if f.after > 0 {
		c.Response().Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(f.after.Seconds()))))
	}
	if f.status == clientGone || c.Request().Method == http.MethodHead {
		_ = c.NoContent(f.status)
		return
	}
	if isAPI(c.Request()) {
		answer := map[string]any{"code": code(f.status), "message": f.message, "field": f.field}
		if f.mistakes != nil {
			answer["mistakes"] = f.mistakes
		}
		_ = c.JSON(f.status, map[string]any{"error": answer})
		return
	}
	title := failureTitle(c.Request().Context(), f.status)
	p := parts.ErrorPage{Frame: h.Frame(c, title), Status: f.status, Title: title, Wrong: f.message}
	p.Out, p.OutTo = wayOut(f.status, c)
	if Render(c, f.status, parts.ErrorView(p)) != nil {
		_ = c.String(f.status, f.message)
	}
}

// wayOut is where an error page leads; "" is the front page.
func wayOut(status int, c echo.Context) (address, words string) {
	ctx := c.Request().Context()
	switch {
	case status == http.StatusUnauthorized, status == http.StatusGone:
		return "/sign-in", texts.T(ctx, "Sign in")
	case strings.HasPrefix(c.Path(), "/u/:name/") && status != http.StatusNotFound:
		return "/u/" + url.PathEscape(c.Param("name")), texts.T(ctx, "Back to the profile")
	}
	return "", ""
}

// isAPI says whether a program asks, which wants JSON and no page.
func isAPI(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, "/api/") }

// code names a status for programs.
func code(status int) string {
	switch status {
	case http.StatusUnprocessableEntity:
		return "invalid"
	case http.StatusTooManyRequests:
		return "limited"
	case http.StatusInternalServerError:
		return "internal"
	}
	return strings.ReplaceAll(strings.ToLower(http.StatusText(status)), " ", "_")
}

// failureTitle is the heading of an error page.
func failureTitle(ctx context.Context, status int) string {
	switch status {
	case http.StatusNotFound:
		return texts.T(ctx, "Page not found")
	case http.StatusForbidden:
		return texts.T(ctx, "Not allowed")
	case http.StatusUnauthorized:
		return texts.T(ctx, "Sign in first")
	case http.StatusGone:
		return texts.T(ctx, "This link has expired")
	case http.StatusTooManyRequests:
		return texts.T(ctx, "Too many attempts")
	case http.StatusUnprocessableEntity, http.StatusBadRequest:
		return texts.T(ctx, "That did not work")
	case http.StatusInternalServerError, http.StatusServiceUnavailable:
		return texts.T(ctx, "Server error")
	}
	return http.StatusText(status)
}

// FieldErrors are the mistakes in a form, by field; nil where err is something else.
func FieldErrors(err error) map[string]string {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		all := map[string]string{}
		for _, e := range joined.Unwrap() {
			for field, message := range FieldErrors(e) {
				all[field] = message
			}
		}
		if len(all) < len(joined.Unwrap()) {
			return nil
		}
		return all
	}
	if input, ok := errors.AsType[*pg.InputError](err); ok {
		return map[string]string{input.Field: Sentence(input.Message)}
	}
	return nil
}

// said is an error's words as a sentence of a page, in the language of the request where they are among the texts.
func said(ctx context.Context, words string) string { return texts.Say(ctx, Sentence(words)) }

// Sentence makes an error's words a sentence of a page.
func Sentence(s string) string {
	if s == "" {
		return s
	}
	if !strings.HasPrefix(s, "http") { // An address begins as it is.
		first, n := utf8.DecodeRuneInString(s)
		s = string(unicode.ToUpper(first)) + s[n:]
	}
	if strings.HasSuffix(s, ".") || strings.HasSuffix(s, "?") {
		return s
	}
	return s + "."
}

// inWords says how long to wait.
func inWords(ctx context.Context, d time.Duration) string {
	switch s := int(math.Ceil(d.Seconds())); {
	case s <= 1:
		return texts.T(ctx, "in a second")
	case s < 90:
		return texts.N(ctx, s, "in %d second", "in %d seconds")
	default:
		return texts.N(ctx, (s+59)/60, "in %d minute", "in %d minutes")
	}
}
