package firehose

import (
	"encoding/json"
	"testing"

	"laurel/models/awards/rules"
)

// What becomes of which line, as docs/api.md tells it.
func TestLevel(t *testing.T) {
	f := New([]rules.Award{award(t, `[]`)}, "bss")
	const at = `"at":"2026-11-01T12:00:00Z"`
	for _, tt := range []struct{ name, line, want string }{
		{"Laurel's own", `{"source":"reviews","id":"e1","item":"r1","seq":7,"member":"ada","type":"review","object":"p1","status":"active","at":"2026-11-01T13:00:00+01:00","facts":{"length":120,"tags":["a","b"],"top":true}}`,
			`{"source":"reviews","id":"e1","item":"r1","seq":7,"member":"ada","type":"review","object":"p1","status":"active",` + at + `,"facts":{"length":120,"tags":["a","b"],"top":true}}`},
		{"flat", `{"event":"navi","type":"track","uid":42,"ts":1793534400,"event_id":"e1","target":"t1","metres":12.5,"os":null,"wifi":false}`,
			`{"source":"bss","id":"e1","member":"42","type":"navi","object":"t1",` + at + `,"facts":{"metres":12.5,"type":"track","wifi":false}}`},
		{"flat, milliseconds, details", `{"action":"navi","id":"1","userId":"ada","timestamp":1793534400000,"data":{"type":"car","metres":3},"app.version":"6"}`,
			`{"source":"bss","id":"1","member":"ada","type":"navi",` + at + `,"facts":{"app_version":"6","metres":3,"type":"car"}}`},
		{"flat, a fraction of a second", `{"name":"navi","id":"1","member":"ada","time":"1793534400.5"}`,
			`{"source":"bss","id":"1","member":"ada","type":"navi","at":"2026-11-01T12:00:00.5Z"}`},
		{"envelope", `{"meta":{"ts":1793534400,"build":7,"source":"mobile"},"type":"batch","user":{"id":"ada","name":"Ada"},"event":{"type":"navi","id":"1","object":{"id":9},"metres":3}}`,
			`{"source":"mobile","id":"1","member":"ada","type":"navi","object":"9",` + at + `,"facts":{"build":7,"metres":3,"type":"batch"}}`},
		{"envelope of Laurel's own", `{"payload":{"type":"photo","id":"1","item":"i","status":"blocked","member":"ada",` + at + `,"facts":{"site":"x"}}}`,
			`{"source":"bss","id":"1","item":"i","member":"ada","type":"photo","status":"blocked",` + at + `,"facts":{"site":"x"}}`},
		{"envelope that names itself", `{"event":"bss","payload":{"event_type":"navi","id":"1","user_id":"ada"},"time":"2026-11-01T12:00:00Z"}`,
			`{"source":"bss","id":"1","member":"ada","type":"navi",` + at + `,"facts":{"event":"bss"}}`},
		{"pairs", `{"v":2,"params":[{"key":"type","value":"navi"},{"key":"user_id","value":"ada"},{"key":"id","value":1},{"key":"ts","value":"1793534400"},{"key":"metres","value":3}]}`,
			`{"source":"bss","id":"1","member":"ada","type":"navi",` + at + `,"facts":{"metres":3,"v":2}}`},
		{"pairs of k and v", `{"id":"1","kv":[{"v":"navi","k":"event"},{"k":"uid","v":"ada"},{"k":"at","v":"2026-11-01T12:00:00Z"}]}`,
			`{"source":"bss","id":"1","member":"ada","type":"navi",` + at + `}`},
		{"pairs of named kinds beside an event's name", `{"event_name":"navi","user_id":"ada","id":"1","ts":1793534400,"event_params":[{"name":"type","value":{"string_value":"card"}},{"name":"metres","value":{"string_value":null,"int_value":3}}]}`,
			`{"source":"bss","id":"1","member":"ada","type":"navi",` + at + `,"facts":{"metres":3,"type":"card"}}`},
		{"the last of two with one name", `{"type":"open","type":"navi","id":"1","uid":"ada","ts":1793534400}`,
			`{"source":"bss","id":"1","member":"ada","type":"navi",` + at + `}`},
		{"a status that is of no item", `{"event":"navi","id":"1","uid":"ada","ts":1793534400,"status":"ok","source":"https://x"}`,
			`{"source":"bss","id":"1","member":"ada","type":"navi",` + at + `,"facts":{"source":"https://x","status":"ok"}}`},
		{"what is no fact", `{"event":"navi","id":"1","uid":"ada","ts":1793534400,"a":{"b":1},"c":[1],"d":1e300,"e":"x\u0000","f":[{"g":1}]}`,
			`{"source":"bss","id":"1","member":"ada","type":"navi",` + at + `}`},
		{"text cut within a character", `{"event":"navi","id":"1","uid":"ada","ts":1793534400,"text":"` + "П\xd1" + `"}`,
			`{"source":"bss","id":"1","member":"ada","type":"navi",` + at + `,"facts":{"text":"П` + "\ufffd" + `"}}`},
		{"no id", `{"event":"navi","uid":"ada","ts":1793534400}`,
			`{"source":"bss","id":"line:6a412731d9e007dfbdde0e804afd1b39","member":"ada","type":"navi",` + at + `}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e, v, why := f.judge(newDecoder(), new(leveller), []byte(tt.line))
			got, err := json.Marshal(e)
			if err != nil || v != keep || string(got) != tt.want {
				t.Errorf("%s\ngot  %s (%d %s)\nwant %s", tt.line, got, v, why, tt.want)
			}
		})
	}
}

func TestNotKept(t *testing.T) {
	f := New([]rules.Award{award(t, `[]`)}, "bss")
	for _, tt := range []struct{ line, want string }{
		{`{"event":"navi","user_id":null,"user":{"id":0},"ts":1793534400}`, ""},
		{`{"event":"navi","user_id":"ada"}`, "at: is missing"},
		{`{"event":"navi","user_id":"ada","ts":"2026-11-01 12:00"}`, `at: is no time: "2026-11-01 12:00"`},
		{`{"user_id":"ada","ts":1793534400}`, "type: is missing"},
		{`{"event":"Order placed","user_id":"ada","ts":1793534400}`, "type: must be letters, digits, _ and - only, at most 64"},
		{`{"source":"reviews","type":"review","member":"ada","at":"2026-11-01T12:00:00Z","status":"active"}`, "item: is missing: an event with a status needs an item"},
		{`{"event":"navi"`, "is not JSON: ends too early"},
		{`{"event":"navi",}`, "is not JSON (byte 16): invalid character ',' at start of value"},
		{`{"event":"navi"} {}`, "has text after its end (byte 18)"},
		{`["navi"]`, "must be an object"},
	} {
		e, v, why := f.judge(newDecoder(), new(leveller), []byte(tt.line))
		if why != tt.want || v != anonymous && v != reject {
			t.Errorf("%s: %d %q of %+v, want %q", tt.line, v, why, e, tt.want)
		}
	}
}
