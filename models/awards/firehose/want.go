package firehose

import (
	"slices"

	"laurel/models/awards/rules"
)

// Wanted are the types that some objective can take, by source; those of
// anySource are taken from every source.
type wanted map[string]*types

type types struct {
	any   bool
	names map[string]bool
}

const anySource = ""

// takes reports whether an event may change a counter. One with a status may
// even where its type is not wanted: it takes back what an earlier event of
// its item has brought.
func (w wanted) takes(e *rules.Event) bool {
	for _, source := range [...]string{anySource, e.Source} {
		if t := w[source]; t != nil && (t.any || e.Status != "" || t.names[e.Type]) {
			return true
		}
	}
	return false
}

func (w wanted) add(source string, names []string) {
	t := w[source]
	if t == nil {
		t = &types{names: map[string]bool{}}
		w[source] = t
	}
	t.any = t.any || names == nil
	for _, name := range names {
		t.names[name] = true
	}
}

// needs are the texts one of which is in every line that is wanted, each with
// another that must be there as well, or none. All is true where no text need be.
type needs struct {
	all   bool
	texts map[string]string
}

// wantedBy collects what the awards can take from lines of a source that may
// name another.
func wantedBy(all []rules.Award, source string) (wanted, needs) {
	w, n := wanted{}, needs{texts: map[string]string{}}
	for _, a := range all {
		for i := range a.Objectives {
			r := a.Objectives[i].Reach()
			if r.Sources != nil && len(r.Sources) == 0 || r.Types != nil && len(r.Types) == 0 {
				continue // Its filters contradict each other.
			}
			if r.Sources == nil {
				w.add(anySource, r.Types)
			}
			for _, s := range r.Sources {
				w.add(s, r.Types)
			}
			switch {
			case r.Types != nil:
				n.one(r.Types)
				n.status()
			case r.Sources != nil && !slices.Contains(r.Sources, source):
				n.one(r.Sources)
			default:
				n.all = true // Of any type, and the line need not name its source.
			}
		}
	}
	return w, n
}

// one of these names must be there, as lines quote it. One that is not plain
// cannot be that of an event.
func (n *needs) one(names []string) {
	for _, name := range names {
		if plain(name) == name {
			n.texts[`"`+name+`"`] = ""
		}
	}
}

// status stands for an item's change, whatever its type.
func (n *needs) status() {
	if _, ok := n.texts[`"status"`]; !ok { // It may be the name of a type.
		n.texts[`"status"`] = `"item"`
	}
}
