package profiles_test

import (
	"net/http"
	"testing"

	"laurel/handlers/handlerstest"
)

func TestHelp(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	s.Browser(t).Get("/help").Is(t, http.StatusOK, "Streak", "Up to date", "Time limit exceeded", "Keyboard")
}
