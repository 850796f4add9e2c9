package texts

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestTexts(t *testing.T) {
	t.Parallel()
	en, de := t.Context(), With(t.Context(), "de")
	at := time.Date(2026, 3, 4, 9, 5, 0, 0, time.UTC)
	for _, tt := range []struct{ name, got, want string }{
		{"a text", T(de, "Sign in"), "Anmelden"},
		{"a text in English", T(en, "Sign in"), "Sign in"},
		{"one that nobody translated", T(de, "Nobody translated this"), "Nobody translated this"},
		{"an unknown language", T(With(en, "xx"), "Sign in"), "Sign in"},
		{"one", N(de, 1, "%d day", "%d days"), "1 Tag"},
		{"many", N(de, 1234, "%d day", "%d days"), "1.234 Tage"},
		{"none", N(de, 0, "%d day", "%d days"), "0 Tage"},
		{"many in English", N(en, 1234, "%d day", "%d days"), "1,234 days"},
		{"one in English", N(en, 1, "%d day", "%d days"), "1 day"},
		{"a per cent sign", T(en, "100 %"), "100 %"},
		{"a marked text", Say(de, Mark("Settings")), "Einstellungen"},
		{"nothing", Say(de, ""), ""},
		{"a fraction", Decimal(de, 3522.25), "3.522,25"},
		{"a fraction in English", Decimal(en, -3522.25), "-3,522.25"},
		{"less than nothing", Decimal(en, -0.5), "-0.5"},
		{"no fraction", Decimal(de, 100), "100"},
		{"a day", Format(de, at, "2 Jan 2006"), "4. Mär 2026"},
		{"a day in English", Format(en, at, "2 Jan 2006"), "4 Mar 2026"},
		{"a weekday", Format(de, at, "Monday 2 January, 15:04"), "Mittwoch 4. März, 09:05"},
		{"a month", Format(de, at, "January 2006"), "März 2026"},
		{"a short time ago", Ago(de, at, at.Add(5*time.Minute)), "vor 5 Minuten"},
		{"a small word", Lower(en, "Solved"), "solved"},
		{"a noun stays", Lower(de, "Serie"), "Serie"},
	} {
		if tt.got != tt.want {
			t.Errorf("%s is %q, want %q", tt.name, tt.got, tt.want)
		}
	}
}

// Only tags of the text are tags; what it shows is data.
func TestRich(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text string
		args []any
		want string
	}{
		{"New here? <a>Sign up</a>", []any{Link("/sign-up?a=1&b=%20")}, `Neu hier? <a href="/sign-up?a=1&amp;b=%20">Registrieren</a>`},
		{"<b>%s</b> & %d", []any{"<a>x</a>", 1000}, `<b>&lt;a&gt;x&lt;/a&gt;</b> &amp; 1.000`},
		{"<a>one</a>", []any{Link("javascript:alert(1)")}, `<a href="about:invalid#TemplFailedSanitizationURL">one</a>`},
		{"<script>%s</script>", []any{`"`}, `&lt;script&gt;&#34;&lt;/script&gt;`},
	} {
		var b strings.Builder
		if err := Rich(tt.text, tt.args...).Render(With(t.Context(), "de"), &b); err != nil {
			t.Fatal(err)
		}
		if b.String() != tt.want {
			t.Errorf("%q is %s, want %s", tt.text, b.String(), tt.want)
		}
	}
}

func TestChosen(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ accept, cookie, want string }{
		{"", "", "en"}, {"de", "", "de"}, {"de-AT,de;q=0.8,en;q=0.5", "", "de"}, {"fr,de;q=0.5", "", "de"}, {"fr", "", "en"},
		{"en-GB,de;q=0.9", "", "en"}, {"*", "", "en"}, {"de", "en", "en"}, {"en", "de", "de"}, {"en", "xx", "en"}, {"so;;what", "", "en"},
	} {
		r := httptest.NewRequestWithContext(context.Background(), "GET", "/", nil)
		r.Header.Set("Accept-Language", tt.accept)
		if tt.cookie != "" {
			r.Header.Set("Cookie", Cookie+"="+tt.cookie)
		}
		if got := Chosen(r); got != tt.want {
			t.Errorf("%q with the cookie %q is %s, want %s", tt.accept, tt.cookie, got, tt.want)
		}
	}
}
