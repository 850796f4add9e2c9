package pushes_test

import (
	"strings"
	"testing"

	"laurel/handlers/handlerstest"
)

func TestScript(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "https://laurel.test:8443")
	a := s.Browser(t).Get("/scripts/leetcode.user.js").Is(t, 200, "// ==UserScript==", "@connect     laurel.test\n", "const LAUREL = 'https://laurel.test:8443';")
	if strings.Contains(a.Text, "@URL@") || strings.Contains(a.Text, "@HOST@") || !strings.HasPrefix(a.Header.Get("Content-Type"), "text/javascript") {
		t.Error(a.Header, a.Text)
	}
}
