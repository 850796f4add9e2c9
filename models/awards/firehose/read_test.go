package firehose

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"laurel/models/awards/rules"
)

func navi(id int) string {
	return fmt.Sprintf(`{"event":"navi","id":"%d","uid":"ada","ts":1793534400}`, id)
}

func naviFilter(t testing.TB) *Filter {
	return New([]rules.Award{award(t, `[`+typesFilter(`"navi"`)+`]`)}, "bss")
}

// ids reads a stream and tells which events were kept.
func ids(t testing.TB, f *Filter, stream string) (string, Counts) {
	t.Helper()
	var kept []string
	c, err := f.Read(iotest.HalfReader(strings.NewReader(stream)), func(events []rules.Event) error {
		for _, e := range events {
			kept = append(kept, e.ID)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if c.Lines != c.Kept+c.Dropped+c.Anonymous+c.Rejected || c.Kept != int64(len(kept)) {
		t.Fatalf("%+v does not add up", c)
	}
	return strings.Join(kept, " "), c
}

func TestReadLines(t *testing.T) {
	f := naviFilter(t)
	long := strings.Repeat("x", maxLine)
	for _, tt := range []struct {
		name, stream, kept string
		want               Counts
	}{
		{"nothing", "", "", Counts{}},
		{"no final newline", navi(1) + "\n" + navi(2), "1 2", Counts{Lines: 2, Kept: 2}},
		{"CRLF, blank lines, a byte order mark", "\xef\xbb\xbf" + navi(1) + "\r\n\r\n \t\n" + navi(2) + "\r\n", "1 2", Counts{Lines: 2, Kept: 2}},
		{"other types", `{"event":"open","uid":"ada"}` + "\n" + `{"event":"\u0411"}` + "\n" + navi(1), "1", Counts{Lines: 3, Kept: 1, Dropped: 2}},
		{"the type is elsewhere", `{"event":"open","uid":"ada","last":"navi"}` + "\n" + navi(1), "1", Counts{Lines: 2, Kept: 1, Dropped: 1}},
		{"escaped", `{"\u0065vent":"n\u0061vi","id":"1","uid":"ada","ts":1793534400}`, "1", Counts{Lines: 1, Kept: 1}},
		{"of nobody", `{"event":"navi","ts":1793534400}` + "\n" + `{"event":"navi","uid":"","ts":1}`, "", Counts{Lines: 2, Anonymous: 2}},
		{"an item's change, and what only looks so", `{"type":"gone","id":"1","item":"i","status":"deleted","member":"ada","at":"2026-11-01T12:00:00Z"}` + "\n" +
			`{"event":"open","uid":"ada","ts":1793534400,"status":"ok"}`, "1", Counts{Lines: 2, Kept: 1, Dropped: 1}},
		{"broken", "\n{\"event\":\"navi\",\n{\"event\"\nnavi\n" + navi(1), "1", Counts{Lines: 4, Kept: 1, Dropped: 2, Rejected: 1, Rejects: []Reject{{2, "is not JSON: ends too early"}}}},
		{"NUL", "\x00\n\x00" + navi(1) + "\n" + navi(2) + "\x00\n" + navi(3), "3", Counts{Lines: 4, Kept: 1, Dropped: 1, Rejected: 2, Rejects: []Reject{
			{2, "is not JSON (byte 1): invalid character '\\x00' at start of value"}, {3, "is not JSON (byte 54): invalid character '\\x00' at start of value"}}}},
		{"too long", navi(1) + "\n" + long + "x\n" + navi(2) + "\n" + long + long + long + "\r\n" + navi(3), "1 2 3", Counts{Lines: 5, Kept: 3, Rejected: 2, Rejects: []Reject{
			{2, "is longer than 1048576 bytes"}, {4, "is longer than 1048576 bytes"}}}},
		{"too long at the end", navi(1) + "\n" + long + "xyz", "1", Counts{Lines: 2, Kept: 1, Rejected: 1, Rejects: []Reject{{2, "is longer than 1048576 bytes"}}}},
		{"as long as may be", `{"event":"navi","id":"1","uid":"ada","ts":1793534400,"x":"` + long[:maxLine-len(navi(1))-7] + "\"}\r\n" + navi(2), "1 2", Counts{Lines: 2, Kept: 2}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			kept, c := ids(t, f, tt.stream)
			if c.Audited = 0; kept != tt.kept || !reflect.DeepEqual(c, tt.want) { // Chance may audit a line.
				t.Errorf("kept %q, %+v\nwant %q, %+v", kept, c, tt.kept, tt.want)
			}
		})
	}
}

func TestBatches(t *testing.T) {
	f := naviFilter(t)
	var stream strings.Builder
	for i := range 2_500 {
		stream.WriteString(navi(i) + "\n")
	}
	var sizes []int
	if _, err := f.Read(strings.NewReader(stream.String()), func(events []rules.Event) error {
		sizes = append(sizes, len(events))
		return nil
	}); err != nil || !reflect.DeepEqual(sizes, []int{1000, 1000, 500}) {
		t.Errorf("batches of %d, %v", sizes, err)
	}

	large := strings.Replace(navi(1), "{", `{"x":"`+strings.Repeat("x", 900_000)+`",`, 1) + "\n"
	sizes = nil
	if _, err := f.Read(strings.NewReader(strings.Repeat(large, 12)), func(events []rules.Event) error {
		sizes = append(sizes, len(events))
		return nil
	}); err != nil || !reflect.DeepEqual(sizes, []int{5, 5, 2}) {
		t.Errorf("large lines in batches of %d, %v", sizes, err)
	}

	full := errors.New("the disk is full")
	c, err := f.Read(strings.NewReader(stream.String()), func(events []rules.Event) error {
		if events[0].ID != "0" {
			return full
		}
		return nil
	})
	if !errors.Is(err, full) || c.Kept != 1000 || c.Lines != 2000 {
		t.Errorf("%+v, %v", c, err)
	}
}

// A line that broke off is not taken for a short one; what came before is kept.
func TestBrokenOff(t *testing.T) {
	gone := errors.New("the sender is gone")
	for _, rest := range []string{"", navi(2), strings.Repeat("x", 2*maxLine)} {
		kept := 0
		c, err := naviFilter(t).Read(io.MultiReader(strings.NewReader(navi(1)+"\n"+rest), iotest.ErrReader(gone)), func(events []rules.Event) error {
			kept += len(events)
			return nil
		})
		if !errors.Is(err, gone) || !strings.HasPrefix(err.Error(), "line 2: ") || c.Kept != 1 || kept != 1 {
			t.Errorf("%d bytes on: %+v, %v", len(rest), c, err)
		}
	}
}

func TestRejectsAreBounded(t *testing.T) {
	_, c := ids(t, naviFilter(t), strings.Repeat(`{"event":"navi",`+"\n", 300))
	if c.Rejected != 300 || len(c.Rejects) != maxRejects || c.Rejects[99].Line != 100 {
		t.Errorf("%d rejected, %d told", c.Rejected, len(c.Rejects))
	}
}

// A prefilter that sees nothing is found out, and what the audit meets is kept.
func TestAudit(t *testing.T) {
	var stream strings.Builder
	for i := range 100_000 {
		stream.WriteString(navi(i) + "\n")
	}
	blind := naviFilter(t)
	blind.tokens = newTokens(nil)
	kept, c := ids(t, blind, stream.String())
	if c.Audited < 50 || c.Audited > 200 || c.FalseNegatives != c.Audited || c.Kept != c.Audited {
		t.Errorf("%+v", c)
	}
	if again, _ := ids(t, blind, "\n"+stream.String()); again != kept {
		t.Error("other lines are audited the second time")
	}
}
