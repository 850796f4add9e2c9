package firehose

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"laurel/models/awards/rules"
)

// On any bytes, the prefilter keeps what decoding every line keeps, in the same
// order; what is JSON to others is JSON here; and all lines are accounted for.
func FuzzRead(f *testing.F) {
	filters := allFilters(f)
	for _, s := range []string{
		navi(1) + "\n" + navi(2),
		`{"meta":{"ts":1},"user":{"id":1},"event":{"type":"open_card","at":"2026-11-01T12:00:00Z"}}` + "\r\n" + `{"params":[{"key":"type","value":"navi"},{"key":"uid","value":"a"},{"key":"ts","value":1}]}`,
		`{"type":"n\u0061vi","type":"navi","status":"deleted","item":"i","member":"m","source":"photo","at":"2026-11-01T12:00:00Z"}`,
		`{"a":[[[[[[[[[[{"type":"navi"}]]]]]]]]]],"facts":{"navi":1e400,"` + "\xff" + `":"\ud800"}}` + "\n\x00\n{",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, stream []byte) {
		if len(stream) > maxLine {
			return
		}
		for _, filter := range filters {
			var got, want []string
			c, err := filter.Read(bytes.NewReader(stream), func(events []rules.Event) error {
				for _, e := range events {
					got = append(got, written1(t, e))
				}
				return nil
			})
			if err != nil || c.FalseNegatives != 0 || c.Lines != c.Kept+c.Dropped+c.Anonymous+c.Rejected {
				t.Fatalf("%+v, %v", c, err)
			}
			first := true
			for line := range bytes.Lines(stream) {
				line, first = trim(line, first), false
				e, v, why := filter.judge(newDecoder(), new(leveller), line)
				if v == keep {
					want = append(want, written1(t, e))
				}
				if len(line) > 0 && json.Valid(line) && line[0] == '{' && v == reject && bytes.HasPrefix([]byte(why), []byte("is not JSON")) {
					t.Fatalf("%q: %s", line, why)
				}
			}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("kept %s\nwant %s", got, want)
			}
		}
	})
}

// written1 is an event as it will be stored; it must be possible.
func written1(t *testing.T, e rules.Event) string {
	line, err := json.Marshal(e)
	if m := e.Check(); err != nil || len(m) > 0 {
		t.Fatalf("%+v: %v %v", e, err, m)
	}
	return string(line)
}
