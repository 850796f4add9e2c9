package sites

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"
)

// everybody answers v3/from with at most most rows: second, id.
func everybody(rows [][2]int64, most int) server {
	return func(_ int, u *url.URL) Page {
		from, _ := strconv.ParseInt(u.Path[strings.LastIndex(u.Path, "/")+1:], 10, 64)
		var page []string
		for _, r := range rows {
			if r[0] >= from && len(page) < most {
				page = append(page, fmt.Sprintf(`{"id":%d,"epoch_second":%d,"problem_id":"abc001_1","contest_id":"abc001","user_id":"u%d","language":"Go","point":100.0,"result":"AC"}`, r[1], r[0], r[1]%7))
			}
		}
		return Page{200, []byte("[" + strings.Join(page, ",") + "]")}
	}
}

// readStream reads until nothing is new, and returns the ids and how often coverage
// began anew.
func readStream(t *testing.T, f Streamer, s server, from StreamCursor) (seen map[string]int, holes, requests int) {
	t.Helper()
	get := &fake{t: t, serve: s}
	seen = map[string]int{}
	for {
		p, err := f.StreamPage(t.Context(), get, from)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range p.Rows {
			seen[r.ID]++
			if r.Handle == "" {
				t.Fatalf("row %s is nobody's", r.ID)
			}
			wantSound(t, r.Submission)
		}
		if !p.Since.IsZero() && from.ID != "" {
			holes++
		}
		if from = p.Next; !p.Full && p.Fresh == 0 {
			return seen, holes, len(get.asked)
		}
	}
}

func TestAtcoderStream(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, shared := range []int{1, 3, 400} { // Rows of one second.
		rows := atcoderMany(rnd, 5200, shared)
		seen, holes, requests := readStream(t, atcoder{}, everybody(rows, 1000), StreamCursor{At: time.Unix(atcoderStart, 0)})
		if len(seen) != len(rows) || holes > 0 || requests > 12 {
			t.Errorf("%d of %d rows, %d holes, %d requests where at most %d are of one second", len(seen), len(rows), holes, requests, shared)
		}
	}
}

// A second that fills a page does not hold the stream up for ever, and is no secret.
func TestAtcoderStreamOfOneSecond(t *testing.T) {
	t.Parallel()
	var rows [][2]int64
	for i := range int64(2500) {
		second := int64(atcoderStart) + 10
		if i >= 2300 {
			second += i
		}
		rows = append(rows, [2]int64{second, i + 1})
	}
	seen, holes, requests := readStream(t, atcoder{}, everybody(rows, 1000), StreamCursor{At: time.Unix(atcoderStart, 0), ID: "1"})
	if len(seen) != 1200 || holes == 0 || requests > 6 {
		t.Errorf("%d rows, %d holes, %d requests", len(seen), holes, requests)
	}
}

// What does not fit is an error and never a stream without news.
func TestStreamsThatLie(t *testing.T) {
	t.Parallel()
	row := `{"id":%d,"epoch_second":%d,"problem_id":"abc001_1","contest_id":"abc001","user_id":"%s","language":"Go","point":1,"result":"AC"}`
	at := StreamCursor{At: time.Unix(atcoderStart, 0), ID: "5"}
	old := timusRowText{"7", "10:00:00", "1 Jan 2010", "1000", "A", "Accepted", "G++"}
	for _, tt := range []struct {
		stream Streamer
		page   Page
	}{
		{atcoder{}, Page{200, []byte(`[]`)}},
		{atcoder{}, Page{200, []byte(`null`)}},
		{atcoder{}, Page{200, []byte(`{"rows":[]}`)}},
		{atcoder{}, Page{404, []byte(`[]`)}},
		{atcoder{}, Page{200, fmt.Appendf(nil, "["+row+"]", 1, atcoderStart-1, "ada")}},
		{atcoder{}, Page{200, fmt.Appendf(nil, "["+row+"]", 1, atcoderStart, "")}},
		{timus{}, Page{200, []byte(timusPage())}},
		{timus{}, Page{200, []byte(timusPage(old))}}, // Older than what was read.
		{timus{}, Page{200, []byte(strings.TrimSuffix(timusPage(old), "</HTML>"))}},
		{timus{}, Page{200, []byte(strings.ReplaceAll(timusPage(old), "author.aspx", "person.aspx"))}},
		{timus{}, Page{200, []byte("<html><title>Timus Online Judge</title></html>")}},
	} {
		if p, err := tt.stream.StreamPage(t.Context(), &fake{t: t, serve: always(tt.page.Status, string(tt.page.Body))}, at); !errors.Is(err,
			ErrFormat) {
			t.Errorf("%T takes %d %.80s for %d rows (%v)", tt.stream, tt.page.Status, tt.page.Body, len(p.Rows), err)
		}
	}
}

func TestAtcoderStreamRecorded(t *testing.T) {
	get := &fake{t: t, serve: always(200, recorded(t, "atcoder/kenkoooo_results_user_cypress.json"))}
	p, err := atcoder{}.StreamPage(t.Context(), get, StreamCursor{At: time.Unix(1400000000, 0)})
	if err != nil || len(p.Rows) != 3 || p.Fresh != 3 || p.Full || p.Rows[0].Handle != "user" || p.Rows[0].ID != "4272642" {
		t.Fatalf("%+v, %v", p, err)
	}
	if p.Next.ID != "4272642" || !p.Until.Equal(time.Unix(1550253178, 0)) ||
		get.asked[0] != "https://kenkoooo.com/atcoder/atcoder-api/v3/from/1400000000" {
		t.Errorf("next %+v, until %s, asked %v", p.Next, p.Until, get.asked)
	}
}

func TestTimusStream(t *testing.T) {
	t.Parallel()
	made := func(id, minute int) timusRowText {
		return timusRowText{strconv.Itoa(id), fmt.Sprintf("10:%02d:00", minute), "24 Sep 2026", "1000", "A", "Accepted", "G++"}
	}
	at := func(minute int) time.Time { return time.Date(2026, 9, 24, 5, minute, 0, 0, time.UTC) }
	read := func(from StreamCursor, rows ...timusRowText) StreamPage {
		p, err := timus{}.StreamPage(t.Context(), &fake{t: t, serve: always(200, timusPage(rows...))}, from)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	first := read(StreamCursor{At: at(30)}, made(13, 20), made(12, 10), made(11, 5))
	if first.Next != (StreamCursor{at(20), "13"}) || !first.Since.Equal(at(5).Add(time.Second)) || len(first.Rows) != 3 ||
		first.Rows[0].Handle != "42" || !first.Until.IsZero() {
		t.Errorf("the beginning: %+v", first)
	}
	for name, p := range map[string]StreamPage{
		"the row is there": read(first.Next, made(14, 40), made(13, 20)),
		"it is gone":       read(first.Next, made(14, 40), made(12, 10)),
	} {
		if !p.Since.IsZero() || p.Fresh != 1 || p.Next.ID != "14" {
			t.Errorf("%s: %+v", name, p)
		}
	}
	if p := read(first.Next, made(15, 41), made(14, 40)); !p.Since.Equal(at(40).Add(time.Second)) || p.Fresh != 2 {
		t.Errorf("a hole: %+v", p)
	}
}

func TestTimusStreamRecorded(t *testing.T) {
	page := "<html><title>Timus Online Judge</title>" + recorded(t, "timus/status_row_reduced_2026-09.html") + "</html>"
	get := &fake{t: t, serve: always(200, page)}
	p, err := timus{}.StreamPage(t.Context(), get, StreamCursor{At: time.Date(2026, 9, 24, 0, 0, 0, 0, time.UTC)})
	if err != nil || len(p.Rows) != 1 || p.Rows[0].Handle != "42" || p.Rows[0].ID != "123" || p.Fresh != 1 ||
		get.asked[0] != "https://acm.timus.ru/status.aspx?locale=en&count=1000" {
		t.Errorf("%+v, %v, asked %v", p, err, get.asked)
	}
}

func FuzzStreams(f *testing.F) {
	f.Add(200, int64(atcoderStart), "1", `[{"id":1,"epoch_second":1500000001,"problem_id":"a","contest_id":"abc001","user_id":"u","language":"Go","point":1,"result":"AC"}]`)
	f.Add(200, int64(atcoderStart), "", `[]`)
	f.Add(200, int64(1790000000), "123", timusPage(timusRowText{"124", "10:00:00", "24 Sep 2026", "1000", "A", "Accepted", "G++"}))
	f.Fuzz(func(t *testing.T, status int, second int64, id, body string) {
		from := StreamCursor{At: time.Unix(second%4_000_000_000, 0), ID: id}
		for _, stream := range []Streamer{atcoder{}, timus{}} {
			p, err := stream.StreamPage(t.Context(), &fake{t: t, serve: always(status, body)}, from)
			if err != nil {
				continue
			}
			for _, r := range p.Rows {
				wantSound(t, r.Submission)
			}
			if p.Fresh > len(p.Rows) || p.Next.At.Before(from.At.Truncate(time.Second)) && from.ID != "" && second > 0 {
				t.Errorf("%T: %d of %d rows are fresh, from %s to %s", stream, p.Fresh, len(p.Rows), from.At, p.Next.At)
			}
		}
	})
}
