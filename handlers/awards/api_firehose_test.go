package awards_test

import (
	"net/http"
	"strings"
	"testing"

	"laurel/handlers/handlerstest"
)

func TestAPIFirehose(t *testing.T) {
	t.Parallel()
	_, p := handlerstest.NewWithAdmin(t)
	line := `{"event_type":"navi","user_id":"root","timestamp":"2026-11-21T12:00:00Z","metres":4000}`
	a := p.Call("POST", "/events/firehose?source=bss", line+"\nno JSON\n\n")
	if a.StatusCode != http.StatusOK || !strings.Contains(a.Text, `"lines":2,"kept":0,"dropped":2`) {
		t.Errorf("without an award: %d %s", a.StatusCode, a.Text)
	}
	p.Call("POST", "/events/firehose?source=b+s", line).Refused(t, http.StatusUnprocessableEntity, "source")
}
