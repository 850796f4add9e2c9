package rules

import (
	_ "embed" // For the gallery.
	"encoding/json"
	"sync"
)

//go:embed gallery.json
var gallery []byte

// A Sample is a document to begin a new award with. Categories are the ways in which tasks can be combined, the
// cookbook has whole awards.
type Sample struct {
	Category bool   // Of those; else it is of the cookbook.
	About    string // What it shows.
	Text     string // The document as people edit it.
	Award    Award
}

// Gallery are all samples, in the order in which they are shown. It is data: what an admin could have written.
var Gallery = sync.OnceValue(func() []Sample {
	var entries []struct {
		Group, About string
		Award        json.RawMessage
	}
	if err := json.Unmarshal(gallery, &entries); err != nil {
		panic("awards: gallery.json: " + err.Error()) // A test reads it.
	}
	list := make([]Sample, len(entries))
	for i, e := range entries {
		a, mistakes := Parse(e.Award)
		sheet, wrong := ReadSheet(e.Award)
		if mistakes = append(mistakes, wrong...); len(mistakes) > 0 {
			panic("awards: gallery.json: " + e.About + ": " + mistakes.Error())
		}
		list[i] = Sample{e.Group == "categories", e.About, sheet.String(), a}
	}
	return list
})
