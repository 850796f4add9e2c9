package forums

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// truth is what a right reader gets out of a message's page and of its file.
type truth struct {
	Path     string
	Pos      int `json:"pos_in_date_html"`
	Subject  string
	Author   string
	Email    string  `json:"email_shown"`
	Date     string  `json:"date_shown"`
	Link     *string `json:"link_irt"`
	Robots   *string
	SHA      string `json:"article_sha256_16"`
	Scrubbed int
	MID      *string
	MboxDate *string `json:"mbox_date"`
	MboxFrom *string `json:"mbox_from"`
	MboxIRT  *string `json:"mbox_irt"`
}

func truths(t *testing.T, list string) map[string]truth {
	t.Helper()
	all := map[string]truth{}
	for row := range strings.Lines(recorded(t, list+"/messages.jsonl")) {
		var m truth
		if err := json.Unmarshal([]byte(row), &m); err != nil {
			t.Fatal(err)
		}
		all[m.Path] = m
	}
	return all
}

// A walk is all that reading a whole archive gives.
type walk struct {
	requests int
	pages    map[string]Mail // By page, and
	bulks    map[string]Mail // by file; what the file left open was read by page.
	listed   []Listed
	spans    []Span
}

// walkPipermail reads an archive in both ways.
func walkPipermail(t *testing.T, get func(Step) Answer, base string) walk {
	t.Helper()
	k, w := kind(t, "pipermail"), walk{pages: map[string]Mail{}, bulks: map[string]Mail{}}
	try := func(s Step) Found {
		f, err := k.Read(s, get(s))
		if err != nil {
			if !errors.Is(err, ErrGone) {
				t.Errorf("%s: %v", s.Address, err)
			}
			return Found{}
		}
		wantSound(t, s, f)
		return f
	}
	start, err := k.Start(base)
	if err != nil {
		t.Fatal(err)
	}
	root := try(start)
	w.spans, w.requests = root.Spans, 1
	for _, s := range root.Steps {
		period := try(s)
		if len(period.Listed) == 0 {
			continue
		}
		if !period.Complete {
			t.Errorf("%s: not all listed", s.Address)
		}
		w.listed = append(w.listed, period.Listed...)
		for _, s := range period.Steps {
			for _, m := range try(s).Messages {
				w.pages[m.URL] = m
			}
		}
		file := try(*period.Bulk)
		w.requests += 2 + len(file.Steps)
		for _, m := range file.Messages {
			w.bulks[m.URL] = m
		}
	}
	return w
}

func TestRecordedPipermail(t *testing.T) {
	for _, tt := range []struct {
		list                        string
		messages, periods, requests int
	}{{"reality", 231, 37, 75}, {"divunal-devel", 107, 6, 13}} {
		t.Run(tt.list, func(t *testing.T) {
			want := truths(t, "pipermail-"+tt.list)
			base := "http://h.example/pipermail/" + tt.list + "/"
			dir := recordedPath(t, "pipermail-"+tt.list)
			w := walkPipermail(t, folder(t, dir, base), base)
			if len(want) != tt.messages || len(w.pages) != tt.messages || len(w.bulks) != tt.messages || len(w.spans) != tt.periods ||
				w.requests != tt.requests {
				t.Errorf("%d messages by page, %d by file, want %d; %d periods; %d requests, want %d", len(w.pages), len(w.bulks),
					tt.messages, len(w.spans), w.requests, tt.requests)
			}
			for path, m := range want {
				m.page(t, w.pages[base+path])
				m.bulk(t, w.bulks[base+path], w.pages[base+path])
				_, raw, _ := article(recorded(t, "pipermail-"+tt.list+"/"+path))
				if sum := sha256.Sum256([]byte(raw)); !strings.HasPrefix(hex.EncodeToString(sum[:]), m.SHA) {
					t.Errorf("%s: not what stands between the marks", path)
				}
			}
		})
	}
}

// page compares with what a page shows.
func (m truth) page(t *testing.T, got Mail) {
	t.Helper()
	if got.Subject != m.Subject || got.Author != m.Author || got.Address != m.Email || got.SentShown != m.Date ||
		len(got.Attachments) != m.Scrubbed || got.SentAt.IsZero() {
		t.Errorf("%s: got %q %q %q %q at %s, %d scrubbed, want %+v", m.Path, got.Subject, got.Author, got.Address, got.SentShown,
			got.SentAt, len(got.Attachments), m)
	}
	if got.Obfuscated != !strings.Contains(m.Email, "@") {
		t.Errorf("%s: obfuscated %t: %q", m.Path, got.Obfuscated, m.Email)
	}
	switch {
	case m.Link == nil || *m.Link == "":
		if got.MessageID != "" || got.InReplyTo != "" {
			t.Errorf("%s: id %q, answers %q, want none", m.Path, got.MessageID, got.InReplyTo)
		}
	case strings.HasPrefix(*m.Link, "<"):
		if "<"+got.MessageID+">" != *m.Link || got.InReplyTo != "" || "<"+got.MessageID+">" != *m.MID {
			t.Errorf("%s: id %q, answers %q, want id %q", m.Path, got.MessageID, got.InReplyTo, *m.Link)
		}
	default:
		if got.InReplyTo != *m.Link || got.MessageID != "" {
			t.Errorf("%s: id %q, answers %q, want parent %q", m.Path, got.MessageID, got.InReplyTo, *m.Link)
		}
	}
}

// bulk compares with what the file says, and with the page.
func (m truth) bulk(t *testing.T, got, page Mail) {
	t.Helper()
	if got.Subject != m.Subject || got.Author != m.Author || got.Address != m.Email || len(got.Attachments) != m.Scrubbed ||
		got.Number != page.Number || got.Period != page.Period {
		t.Errorf("%s by file: %+v, want %+v", m.Path, got, m)
	}
	if m.MboxDate != nil && got.SentShown != *m.MboxDate {
		t.Errorf("%s by file: sent %q, want %q", m.Path, got.SentShown, *m.MboxDate)
	}
	if m.MID != nil && "<"+got.MessageID+">" != *m.MID {
		t.Errorf("%s by file: id %q, want %q", m.Path, got.MessageID, *m.MID)
	}
	if m.MboxIRT != nil && strings.HasPrefix(*m.MboxIRT, "<") && !strings.HasPrefix(*m.MboxIRT, "<"+got.InReplyTo+">") {
		t.Errorf("%s by file: answers %q, want %q", m.Path, got.InReplyTo, *m.MboxIRT)
	}
	// Pages disguise addresses, files write ? for what is not ASCII.
	if letters(strings.ReplaceAll(got.Body, "@", " at ")) != letters(page.Body) {
		t.Errorf("%s: by file %q, by page %q", m.Path, got.Body, page.Body)
	}
}
