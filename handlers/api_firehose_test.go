package handlers

import (
	"net/http"
	"strings"
	"testing"
)

func TestAPIFirehose(t *testing.T) {
	t.Parallel()
	_, p := pusher(t)
	line := `{"event_type":"navi","user_id":"root","timestamp":"2026-11-21T12:00:00Z","metres":4000}`
	a := p.call("POST", "/events/firehose?source=bss", line+"\nno JSON\n\n")
	if a.StatusCode != http.StatusOK || !strings.Contains(a.body, `"lines":2,"kept":0,"dropped":2`) {
		t.Errorf("without an award: %d %s", a.StatusCode, a.body)
	}
	p.call("POST", "/events/firehose?source=b+s", line).refused(t, http.StatusUnprocessableEntity, "source")
}
