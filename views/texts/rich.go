package texts

import (
	"context"
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/a-h/templ"
)

// A Link is where an <a> of a rich text leads.
type Link string

// Rich is a text with links and emphasis in it: Rich("New here? <a>Sign up</a>", Link("/sign-up")). Each <a>
// takes the next Link; b, bdi, br, code, em, i and kbd stand for themselves. Whatever else is shown is escaped.
func Rich(text string, args ...any) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		l := of(ctx)
		var links []Link
		var shown []any
		for _, a := range args {
			switch a := a.(type) {
			case Link:
				links = append(links, a)
			case int:
				shown = append(shown, figure{l, a})
			default:
				shown = append(shown, html.EscapeString(fmt.Sprint(a)))
			}
		}
		marked := l.text(text)
		if len(shown) > 0 {
			marked = fmt.Sprintf(keep.Replace(html.EscapeString(marked)), shown...)
		} else {
			marked = keep.Replace(html.EscapeString(marked))
		}
		for _, to := range links {
			marked = strings.Replace(marked, "&lt;a&gt;", `<a href="`+html.EscapeString(string(templ.URL(string(to))))+`">`, 1)
		}
		_, err := io.WriteString(w, marked)
		return err
	})
}

// keep gives the allowed tags of an escaped text back.
var keep = func() *strings.Replacer {
	pairs := []string{"&lt;/a&gt;", "</a>", "&#39;", "'"}
	for _, tag := range []string{"b", "bdi", "br", "code", "em", "i", "kbd"} {
		pairs = append(pairs, "&lt;"+tag+"&gt;", "<"+tag+">", "&lt;/"+tag+"&gt;", "</"+tag+">")
	}
	return strings.NewReplacer(pairs...)
}()
