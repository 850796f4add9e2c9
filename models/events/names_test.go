package events_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"laurel/models/awards/rules"
	"laurel/models/events"
	"laurel/models/modelstest"
)

// What the editor offers of Laurel's own sources is what the guide lists.
func TestOwnNamesAreThoseOfTheGuide(t *testing.T) {
	t.Parallel()
	w := modelstest.NewAwardWorld(t)
	list, err := events.Names(t.Context(), w.DB, w.Now)
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../docs/guide/awards.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range list {
		var facts []string
		for _, f := range s.Facts {
			facts = append(facts, f.Name)
		}
		row := "| " + strings.Join(facts, ", ") + " |"
		if _, of, ok := strings.Cut(string(page), "\n| "+s.Source+" |"); !ok || !strings.Contains(strings.SplitN(of, "\n", 2)[0]+"\n", row) {
			t.Errorf("the guide does not have %s with %s", s.Source, row)
		}
	}
}

// Names are forgotten after 30 days, and a source cannot fill the memory.
func TestNamesAreRemembered(t *testing.T) {
	t.Parallel()
	w := modelstest.NewAwardWorld(t, "ada")
	named := func() string {
		list, err := events.Names(t.Context(), w.DB, w.Now)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range list {
			if s.Source == "photo" {
				return fmt.Sprint(s.Types, len(s.Facts))
			}
		}
		return ""
	}
	e := modelstest.Item("photo", "a", 1, "active", 0, rules.Facts{"width": rules.Units(3)})
	w.Sends(e)
	first := named()
	if first != "["+e.Type+"] 1" {
		t.Errorf("remembered: %s", first)
	}
	for i := range 20 {
		facts := rules.Facts{}
		for j := range 20 {
			facts[fmt.Sprintf("f%d-%d", i, j)] = "x"
		}
		w.Sends(modelstest.Item("photo", fmt.Sprint("b", i), 1, "active", 0, facts))
	}
	if n := w.Count(`SELECT count(*) FROM event_names WHERE source = 'photo'`); n < 290 || n > 320 {
		t.Errorf("%d names are kept of one source", n)
	}
	w.Now = w.Now.AddDate(0, 0, events.RememberedDays+1)
	if now := named(); now != "" {
		t.Errorf("after a month without events: %s", now)
	}
	w.Sends(modelstest.Item("photo", "c", 1, "active", 0, rules.Facts{"width": "3"}))
	if now := named(); now != "["+e.Type+"] 1" {
		t.Errorf("and sent again: %s", now)
	}
}
