package web

import (
	"net/http/httptest"
	"testing"

	"github.com/labstack/echo/v4"

	"laurel/views/texts"
)

// What was wrong with a form is said in the language of its sender.
func TestFormAgainSpeaks(t *testing.T) {
	t.Parallel()
	r := httptest.NewRequestWithContext(texts.With(t.Context(), "de"), "POST", "/following", nil)
	f := FormAgain(echo.New().NewContext(r, httptest.NewRecorder()), map[string]string{"name": Sentence("this is you; follow somebody else")})
	if got := f.Errors["name"]; got != "Das bist du selbst; folge jemand anderem." {
		t.Errorf("%q", got)
	}
}
