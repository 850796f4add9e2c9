package main

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"laurel/models/forums"
	"laurel/models/modelstest"
)

// A file declares forums, also those that are finished; a mistake in it is a line in
// the log, and nothing is ever deleted by it.
func TestForumsFile(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	b := &base{db: modelstest.Open(t), log: slog.New(slog.NewTextHandler(&log, nil)), clock: (&settings{ClockRate: 1}).newClock()}
	b.ForumsFile = filepath.Join(t.TempDir(), "forums.json")
	declare := func(text string) string {
		t.Helper()
		log.Reset()
		if err := os.WriteFile(b.ForumsFile, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		b.declareForums(t.Context())
		all, err := forums.All(t.Context(), b.db.DB)
		if err != nil {
			t.Fatal(err)
		}
		var states []string
		for _, f := range all {
			states = append(states, f.Slug+" "+f.State)
		}
		return strings.Join(states, ", ")
	}
	const news, old = `{"slug":"news","kind":"pipermail","url":"https://lists.example.org/pipermail/news/"`, `{"slug":"old","kind":"pipermail","url":"https://lists.example.org/pipermail/old/","state":"finished"}`
	for _, tt := range []struct{ text, want, says string }{
		{`[` + news + `},` + old + `]`, "news open, old finished", ""},
		{`[` + news + `,"state":"paused"}]`, "news paused, old finished", ""},
		{`[` + news + `}]`, "news paused, old finished", ""},
		{`[{"slug":"x","kind":"gopher"},` + news + `,"state":"open"}]`, "news open, old finished", "kind"},
		{`[` + news + `,"state":"gone"}]`, "news open, old finished", "state"},
		{`[` + news + `,"stat":"open"}]`, "news open, old finished", "stat"},
		{`{`, "news open, old finished", "LAUREL_FORUMS_FILE"},
	} {
		if got := declare(tt.text); got != tt.want || (tt.says == "") != (log.Len() == 0) || !strings.Contains(log.String(), tt.says) {
			t.Errorf("%s: %s, and the log says %q", tt.text, got, log.String())
		}
	}
}

func TestHarvestArgs(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"": "ok", "news": "ok", "news --from 2011-06 --burst --again --finish": "ok", "--inspect https://a.example/": "ok", "news --inspect=https://a.example/": "ok", "news --gap 2s --open": "ok",
		"old --mbox f.mbox": "ok", "--burst": "usage", "news other": "usage", "news --pause --open": "usage", "news --gap": "usage", "--mbox x": "usage"} {
		_, err := harvestArgs(strings.Fields(text))
		if got := map[bool]string{true: "ok", false: "usage"}[err == nil]; got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
