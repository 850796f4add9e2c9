package archive_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"laurel/handlers/handlerstest"
)

type answered struct {
	Response  int64
	Responses []int64
	SetAside  []struct {
		Response     int64
		Key, Data    map[string]any
		Why, Note    string
		SupersededBy *int64 `json:"superseded_by"`
	} `json:"set_aside"`
}

// A correction is named by the conflict, said in the answer, kept with what it corrects, and read as it
// was believed before.
func TestAPICorrections(t *testing.T) {
	t.Parallel()
	s, p := handlerstest.NewWithAdmin(t)
	declares(t, p, "arena", "player integer", "rank integer, score integer", "rank")
	row := func(player, rank, score int) string {
		return fmt.Sprintf(`{"retrieved_at":%q,"player":%d,"rank":%d,"score":%d}`, minute(0), player, rank, score)
	}
	push := func(body string) answered {
		return handlerstest.Read[answered](t, p.Call("POST", "/archive/arena", body), http.StatusOK)
	}
	first := push("[" + row(1, 1, 10) + "," + row(2, 2, 5) + "]")
	conflict := p.Call("POST", "/archive/arena", "["+row(3, 3, 1)+","+row(4, 1, 9)+"]")
	conflict.Refused(t, http.StatusConflict, "1")
	if !strings.Contains(conflict.Text, fmt.Sprintf("response %d", first.Response)) || !strings.Contains(conflict.Text, "[1,1,10]") {
		t.Errorf("the conflict does not say with what: %s", conflict.Text)
	}
	if added := push("[" + row(3, 3, 1) + "]"); added.Response == first.Response || len(added.SetAside) != 0 {
		t.Errorf("another key: %+v", added)
	}
	before := s.Time
	s.Time = s.Time.Add(time.Minute)
	better := push(fmt.Sprintf(`{"supersedes":%d,"rows":[%s,%s]}`, first.Response, row(4, 1, 9), row(2, 2, 5)))
	if len(better.SetAside) != 1 || better.SetAside[0].Response != first.Response || better.SetAside[0].Data["score"] != 10.0 {
		t.Errorf("what was superseded: %+v", better)
	}
	if again := push(fmt.Sprintf(`{"supersedes":%d,"rows":[%s,%s]}`, first.Response, row(4, 1, 9), row(2, 2, 5))); again.Response != better.Response {
		t.Errorf("sent again: %+v, want response %d", again, better.Response)
	}
	s.Time = s.Time.Add(time.Minute)
	gone := handlerstest.Read[answered](t, p.Call("POST", "/archive/retractions",
		fmt.Sprintf(`{"shard":"arena","key":{"player":2},"at":%q,"note":"another player"}`, minute(0))), http.StatusOK)
	if len(gone.Responses) != 1 || gone.Responses[0] != better.Response || len(gone.SetAside) != 1 {
		t.Errorf("retracted: %+v", gone)
	}
	p.Call("POST", "/archive/retractions", `{"response":1}`).Refused(t, http.StatusUnprocessableEntity, "note")
	read := func(query string) string {
		text := p.Call("GET", "/archive/arena/history?format=csv"+query, "").Text
		var keys []string
		for _, line := range strings.Split(strings.TrimSpace(text), "\n")[1:] {
			keys = append(keys, strings.Join(strings.Split(line, ",")[:3], " "))
		}
		return strings.Join(keys, ", ")
	}
	if got := read(""); got != "3 3 1, 4 1 9" {
		t.Errorf("believed now: %s", got)
	}
	if got := read("&known_at=" + before.UTC().Format("2006-01-02T15:04:05Z")); got != "1 1 10, 2 2 5, 3 3 1" {
		t.Errorf("believed before: %s", got)
	}
	list := handlerstest.Read[struct{ Items []struct{ Why, Note string } }](t, p.Call("GET", "/archive/arena/set-aside", ""), http.StatusOK).Items
	if len(list) != 2 || list[0].Why != "retracted" || list[0].Note != "another player" || list[1].Why != "superseded" {
		t.Errorf("set aside: %+v", list)
	}
	if text := p.Call("GET", "/archive/arena/set-aside?format=csv&player=1", "").Text; !strings.Contains(text, "superseded") {
		t.Errorf("as CSV: %s", text)
	}
	page := s.Browser(t).Get("/archive/arena").Text
	if !strings.Contains(page, "Set aside") || !strings.Contains(page, "another player") {
		t.Error("the page of the shard does not say what was set aside")
	}
	sound(t, s)
}
