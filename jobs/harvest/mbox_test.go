package harvest_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strings"
	"testing"
	"time"

	"laurel/jobs/harvest"
	"laurel/models/forums"
)

// A file of mails is stored once, packed or not, whole or grown since; mails without
// an id are known by what is in them.
func TestMailboxFilesAreStoredOnce(t *testing.T) {
	t.Parallel()
	w := newArchiveWorld(t, http.NotFoundHandler())
	if _, _, err := forums.Add(t.Context(), w.DB.DB, forums.New{Slug: "old", Kind: forums.KindMbox}, []string{forums.KindMbox}, w.Now()); err != nil {
		t.Fatal(err)
	}
	var file strings.Builder
	for i := range 1200 {
		letter := newMail(i, november.Add(time.Duration(i)*time.Hour)).letter
		if i%3 == 0 {
			letter = strings.Replace(letter, "Message-ID", "X-Other", 1)
		}
		file.WriteString(letter)
	}
	file.WriteString("From nobody Mon Nov  3 08:00:00 2025\nX-Nothing: at all\n\n\n")
	upload := func(r io.Reader) (forums.Upload, error) {
		return forums.UploadMessages(t.Context(), w.DB.DB, "old", harvest.ReadMbox(r), w.URL, w.Now)
	}
	for _, tt := range []struct {
		file io.Reader
		want forums.Upload
		says string
	}{
		{strings.NewReader(file.String()[:file.Len()/2]), forums.Upload{New: 600}, ""},
		{strings.NewReader(file.String()), forums.Upload{New: 600, Duplicates: 600, Unreadable: 1}, ""},
		{bytes.NewReader(packed(file.String())), forums.Upload{Duplicates: 1200, Unreadable: 1}, ""},
		{bytes.NewReader(packed(file.String())[:4000]), forums.Upload{}, "damaged or cut off"},
		{bytes.NewReader(zeros(257)), forums.Upload{}, "larger than 256 MB"},
		{strings.NewReader("<html>"), forums.Upload{}, "damaged or cut off"},
	} {
		got, err := upload(tt.file)
		if tt.says != "" {
			if err == nil || !strings.Contains(err.Error(), tt.says) || got.New > 0 {
				t.Errorf("%+v, %v, want %s", got, err, tt.says)
			}
			continue
		}
		if slack := got.New + got.Duplicates - tt.want.New - tt.want.Duplicates; err != nil || got.Unreadable != tt.want.Unreadable || slack < -60 || slack > 60 {
			t.Errorf("got %+v, %v, want about %+v", got, err, tt.want)
		}
	}
	if n := w.count(`SELECT count(*) FROM messages WHERE url LIKE 'mbox:%'`); n < 1200 || n > 1201 { // One was cut in two by the half of the file.
		t.Errorf("%d messages are stored", n)
	}
	if n := w.count(`SELECT messages FROM forums`); n < 1200 || n > 1201 {
		t.Errorf("the forum counts %d messages", n)
	}
}

// Of uploaded files the mails are kept as they stood there: what a broken reader lost, misread or could
// not read comes back, and the second time changes nothing.
func TestRereadMendsUploadedMails(t *testing.T) {
	t.Parallel()
	w := newArchiveWorld(t, http.NotFoundHandler())
	if _, _, err := forums.Add(t.Context(), w.DB.DB, forums.New{Slug: "berths", Kind: forums.KindMbox}, []string{forums.KindMbox}, w.Now()); err != nil {
		t.Fatal(err)
	}
	var file strings.Builder
	for i := range 700 {
		letter := newMail(i, november.Add(time.Duration(i)*time.Hour)).letter
		if i%3 == 0 {
			letter = strings.Replace(letter, "Message-ID", "X-Other", 1)
		}
		file.WriteString(letter)
	}
	broken := func(yield func(forums.NewMessage, error) bool) { // It understands nothing of every tenth.
		n := 0
		for m, err := range harvest.ReadMbox(bytes.NewReader(packed(file.String()))) {
			if n++; n%10 == 0 {
				m = forums.NewMessage{Raw: m.Raw}
			}
			if !yield(m, err) {
				return
			}
		}
	}
	dump := func() (text string) {
		w.must(w.DB.Raw(`
			SELECT string_agg(concat_ws('|', url, message_id, in_reply_to, thread, period, author, address, subject, sent_at, sent_shown, body), E'\n' ORDER BY url)
			FROM messages`).Scan(&text).Error)
		return text
	}
	upload := func(slug string, mails iter.Seq2[forums.NewMessage, error], want forums.Upload) {
		t.Helper()
		got, err := forums.UploadMessages(t.Context(), w.DB.DB, slug, mails, w.URL, w.Now)
		if err != nil || got != want {
			t.Fatalf("got %+v, %v, want %+v", got, err, want)
		}
	}
	upload("berths", broken, forums.Upload{New: 630, Unreadable: 70})
	if c := w.rereadForum(false); c.New != 70 || c.Changed != 0 || c.Answers == 0 {
		t.Errorf("what could not be read: %+v", c)
	}
	before, _ := w.sums()
	want := dump()
	if n := w.count(`SELECT count(*) FROM messages`); n != 700 {
		t.Errorf("%d mails are stored", n)
	}
	upload("berths", harvest.ReadMbox(strings.NewReader(file.String())), forums.Upload{Duplicates: 700})
	if dump() != want {
		t.Error("what was read again is not what a right reader stores")
	}
	gone, misread := w.damage()
	w.must(w.DB.Exec(`DELETE FROM forum_threads t WHERE NOT EXISTS (SELECT FROM messages WHERE thread_id = t.id)`).Error)
	all := forums.Reread{New: gone, Changed: misread}
	if c := w.rereadForum(true); c != all {
		t.Errorf("the dry run says %+v, want %+v", c, all)
	}
	if c := w.rereadForum(false); c != all || dump() != want {
		t.Errorf("reread %+v, want %+v, and all as it was", c, all)
	}
	if shown, counted := w.sums(); shown != counted || shown != before {
		t.Errorf("the sums are\n%s, counted\n%s, before\n%s", shown, counted, before)
	}
	if c := w.rereadForum(false); c != (forums.Reread{}) {
		t.Errorf("the second time changed %+v", c)
	}
}

func packed(text string) []byte {
	var b bytes.Buffer
	gz := gzip.NewWriter(&b)
	_, _ = gz.Write([]byte(text))
	_ = gz.Close()
	return b.Bytes()
}

// A post that was edited is what it is now; the version before is in nobody's way.
func TestEditedPostsAreRenewed(t *testing.T) {
	t.Parallel()
	version, text := 1, "first thoughts"
	w := newArchiveWorld(t, http.HandlerFunc(func(res http.ResponseWriter, req *http.Request) {
		if req.URL.Path != "/posts.json" {
			http.NotFound(res, req)
			return
		}
		_, _ = fmt.Fprintf(res, `{"latest_posts":[{"id":1,"topic_id":7,"post_number":1,"username":"ada","topic_title":"Knots v%d","version":%d,"created_at":"2026-05-23T17:03:59.465Z","updated_at":"2026-05-2%dT17:03:59.465Z","raw":%q}]}`, version, version, 3+version, text)
	}))
	w.add("talk", "discourse", "/")
	shown := func() (s string) {
		t.Helper()
		if err := w.DB.Raw(`SELECT subject || '|' || body || '|' || version || '|' || date_part('day', edited_at AT TIME ZONE 'UTC') FROM messages`).Scan(&s).Error; err != nil {
			t.Fatal(err)
		}
		return s
	}
	w.harvest("talk")
	if got := shown(); got != "Knots v1|first thoughts|1|24" {
		t.Errorf("at first it is %s", got)
	}
	version, text = 3, "second thoughts, see https://laurel.example.org/u/ada"
	if run := w.harvest("talk"); run.New != 0 || run.Duplicates != 0 {
		t.Errorf("the run is %+v", run)
	}
	if got := shown(); got != "Knots v3|second thoughts, see https://laurel.example.org/u/ada|3|26" {
		t.Errorf("edited it is %s", got)
	}
	if n := w.count(`SELECT count(*) FROM message_references WHERE kind = 'member'`); n != 1 {
		t.Errorf("%d references", n)
	}
	version, text = 2, "an answer that was on its way for long"
	w.harvest("talk")
	if got := shown(); !strings.HasPrefix(got, "Knots v3|second") {
		t.Errorf("after an older version it is %s", got)
	}
}
