package standin

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"laurel/jobs/fakesite"
)

// The figures are those of the folder's own description.
func TestReplayRecorded(t *testing.T) {
	s := New(Options{Replay: fakesite.RecordedPath(t, "judges")})
	verdicts, from := map[string]int{}, 1
	for {
		page := read[statusPage](t, s, "/api/user.status?handle=uakkes&count=70&from="+asText(from))
		for _, r := range page.Result {
			verdicts[r.Verdict]++
		}
		if from += len(page.Result); len(page.Result) < 70 {
			break
		}
	}
	if from != 301 || verdicts["WRONG_ANSWER"] != 143 || verdicts["OK"] != 128 {
		t.Errorf("%d rows %v, want 300 with 143 WRONG_ANSWER and 128 OK", from-1, verdicts)
	}
	for _, tt := range []struct {
		address string
		status  int
		part    string
	}{
		{"/api/user.status?handle=tourist&from=1&count=1", 200, `"id":390651990`},
		{"/api/user.status?handle=3.141f", 200, `"contestId":106195`},
		{"/api/user.status?handle=nobody", 400, "User with handle nobody not found"},
		{"/api/user.info?handles=tourist;Uakkes", 200, `"lastOnlineTimeSeconds":1789449026`},
		{"/api/user.rating?handle=tourist", 200, `"newRating":1764`},
		{"/api/user.rating?handle=Uakkes", 200, `"result":[]`},
		{"/atcoder/atcoder-api/v3/user/submissions?user=user&from_second=1434880327", 200, `[{"id":430162,`},
		{"/atcoder/atcoder-api/v3/user/submissions?user=nobody", 200, `[]`},
		{"/users/user", 200, `<td><span>2733</span>`},
		{"/users/nobody", 404, "Not Found"},
		{"/users/user/history/json", 200, `"NewRating":2733`},
		{"/atcoder/resources/problems.json", 404, "not recorded"},
		{"/api/uname2uid/robot", 200, "900001"},
		{"/api/uname2uid/nobody", 200, "0"},
		{"/api/subs-user/900001", 200, "28887352"},
		{"/api/subs-user/900001/28887351", 200, `"subs":[[28887352,`},
		{"/api/subs-user-last/900001/1", 200, `"subs":[[28887352,`},
		{"/api/ranklist/900001/0/0", 200, `[]`},
		{"/api/p/num/100", 200, "The 3n + 1 problem"},
		{"/api/p", 200, `[[36,100,"The 3n + 1 problem"`},
	} {
		if status, body := ask(t, s, tt.address); status != tt.status || !strings.Contains(body, tt.part) {
			t.Errorf("%s: %d %.120s, want %d and %s", tt.address, status, body, tt.status, tt.part)
		}
	}
}

func asText(v any) string {
	text, _ := json.Marshal(v) // Numbers always can be.
	return string(text)
}

// A folder says itself what answers what, and no rule reaches out of it.
func TestReplayRules(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"replay/replay.json": `[
			{"request": "/api/user.status?handle=ada&from=*", "file": "ada.json"},
			{"request": "/users/*", "file": "wall.html", "status": 403, "type": "text/html"},
			{"request": "/api/p", "file": "../secret"}]`,
		"replay/ada.json":  `{"status":"OK","result":[]}`,
		"replay/wall.html": `<title>wall</title>`,
		"secret":           `secret`,
	} {
		if err := os.MkdirAll(filepath.Join(dir, "replay"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s := New(Options{Replay: filepath.Join(dir, "replay")})
	for _, tt := range []struct {
		address string
		status  int
		part    string
	}{
		{"/api/user.status?handle=ada&from=1&count=9", 200, `"OK"`},
		{"/api/user.status?handle=ada", 400, "not found"},
		{"/users/anybody", 403, "wall"},
		{"/users/anybody/history/json", 404, ""},
		{"/api/p", 500, ""},
	} {
		if status, body := ask(t, s, tt.address); status != tt.status || !strings.Contains(body, tt.part) ||
			strings.Contains(body, "secret\n") || body == "secret" {
			t.Errorf("%s: %d %s, want %d and %s", tt.address, status, body, tt.status, tt.part)
		}
	}
	broken := New(Options{Replay: filepath.Join(dir, "nowhere")})
	if status, body := ask(t, broken, statusAddress); status != 500 || !strings.Contains(body, "nowhere") {
		t.Errorf("a folder that is not there: %d %s", status, body)
	}
}
