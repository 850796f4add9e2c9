package shards

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// A Change is what an admin wants a declaration to be.
type Change struct {
	Declaration                   // As it shall be: name, title, key, data, unique, scope.
	Renames     map[string]string // Fields that get another name: the old one and the new one.
	Retire      *bool             // Nil leaves it as it is.
}

// A Step is how a declaration becomes another one, in place.
type Step struct {
	From, To Declaration
	Renamed  map[string]string // Fields.
	Added    []Field
	Unique   [][]string // Unique keys that are new.
	Refold   bool       // A unique key is dropped: rows that ended because of it go on.
}

// Same says whether nothing changes.
func (s *Step) Same() bool {
	return s.From.Name == s.To.Name && s.From.Title == s.To.Title && (s.From.Retired == nil) == (s.To.Retired == nil) &&
		len(s.Renamed)+len(s.Added)+len(s.Unique) == 0 && !s.Refold && slices.Equal(s.From.Scope, s.To.Scope)
}

// Next says how the declaration becomes what is wanted, at now; new fields are asked from an instant. The
// order of fields stays, for facts are compared by it, and new ones come last. What cannot change in place is refused with the way out.
func (d *Declaration) Next(want Change, now, from time.Time) (*Step, error) {
	s := &Step{From: *d, Renamed: map[string]string{}}
	s.To = d.Renamed(want.Renames)
	for old, name := range want.Renames {
		switch {
		case !slices.Contains(fieldNames(d.Fields()), old):
			return nil, d.wrong("renames", "%q is not a field of this shard", old)
		case old != name:
			s.Renamed[old] = name
		}
	}
	s.To.Title = want.Title
	if err := s.fields(&want.Declaration, from); err != nil {
		return nil, err
	}
	s.uniques(want.Unique)
	if len(want.Scope) != len(s.To.Scope) || len(without(want.Scope, s.To.Scope)) > 0 {
		s.To.Scope = want.Scope
	}
	if want.Name != d.Name {
		s.To.Name = want.Name
		s.To.Formerly = append(slices.Clone(d.Formerly), d.Name)
		if i := slices.Index(d.Formerly, want.Name); i > 0 { // The first one stays: it names the tables.
			s.To.Formerly = slices.Delete(s.To.Formerly, i, i+1)
		}
	}
	if want.Retire != nil && *want.Retire != (d.Retired != nil) {
		if s.To.Retired = nil; *want.Retire {
			s.To.Retired = &now
		}
	}
	return s, s.To.Check()
}

// copyOut is the way out for what cannot change in place.
const copyOut = "declare another shard that has it otherwise, and retire %s"

// fields takes over new fields, and refuses what changes or drops one.
func (s *Step) fields(want *Declaration, from time.Time) error {
	d, out := &s.To, fmt.Sprintf(copyOut, s.From.Name)
	if len(want.Key) != len(d.Key) || len(without(fieldNames(want.Key), fieldNames(d.Key))) > 0 {
		return d.wrong("key", "the key is %s and cannot change in place; %s", strings.Join(fieldNames(d.Key), ", "), out)
	}
	there := d.Fields()
	for _, f := range slices.Concat(want.Key, want.Data) {
		i := slices.IndexFunc(there, func(g Field) bool { return g.Name == f.Name })
		switch {
		case i < 0 && s.Renamed[f.Name] != "":
			return d.wrong(f.Name, "it is renamed, and still a field; name it %q among the fields", s.Renamed[f.Name])
		case i < 0:
			s.Added = append(s.Added, f)
		case there[i].Type != f.Type:
			return d.wrong(f.Name, "its type is %s and cannot become %s in place; %s", there[i].Type, f.Type, out)
		}
	}
	for _, name := range without(fieldNames(d.Data), fieldNames(want.Data)) {
		return d.wrong(name, "a field cannot be dropped in place: what was seen of it is kept. If it has another name now, say so in "+
			"renames; else %s", out)
	}
	d.Data, d.Since = append(slices.Clone(d.Data), s.Added...), maps.Clone(d.Since)
	for _, f := range s.Added {
		if d.Since == nil {
			d.Since = map[string]time.Time{}
		}
		d.Since[f.Name] = from
	}
	return nil
}

// uniques takes over which unique keys are wanted. The order of their fields makes no difference.
func (s *Step) uniques(want [][]string) {
	d := &s.To
	before := d.group()
	in := func(list [][]string, u []string) bool {
		return slices.ContainsFunc(list, func(v []string) bool { return slices.Equal(sorted(u), sorted(v)) })
	}
	var keep [][]string
	d.Dropped = slices.DeleteFunc(slices.Clone(d.Dropped), func(u []string) bool { return in(want, u) })
	for _, u := range d.Unique {
		if in(want, u) {
			keep = append(keep, u)
		} else {
			s.Refold, d.Dropped = true, append(d.Dropped, u)
		}
	}
	for _, u := range want {
		if !in(keep, u) {
			keep, s.Unique = append(keep, u), append(s.Unique, u)
		}
	}
	d.Unique = keep
	d.Wide = d.Wide || len(s.Unique) > 0 && !slices.Equal(before, d.group())
}

// group are the key fields that all unique keys share, also former ones.
func (d *Declaration) group() (out []string) {
	for _, f := range d.Key {
		if !slices.ContainsFunc(slices.Concat(d.Unique, d.Dropped), func(u []string) bool { return !slices.Contains(u, f.Name) }) {
			out = append(out, f.Name)
		}
	}
	return out
}

// Renamed is the declaration with other names of some fields, wherever they stand in it.
func (d *Declaration) Renamed(names map[string]string) Declaration {
	to := *d
	name := func(n string) string {
		if names[n] != "" {
			return names[n]
		}
		return n
	}
	list := func(ns []string) (out []string) {
		for _, n := range ns {
			out = append(out, name(n))
		}
		return out
	}
	fields := func(fs []Field) (out []Field) {
		for _, f := range fs {
			out = append(out, Field{name(f.Name), f.Type})
		}
		return out
	}
	lists := func(us [][]string) (out [][]string) {
		for _, u := range us {
			out = append(out, list(u))
		}
		return out
	}
	to.Key, to.Data, to.Scope = fields(d.Key), fields(d.Data), list(d.Scope)
	to.Unique, to.Dropped, to.Since = lists(d.Unique), lists(d.Dropped), nil
	for n, at := range d.Since {
		if to.Since == nil {
			to.Since = map[string]time.Time{}
		}
		to.Since[name(n)] = at
	}
	return to
}

// Given is what an admin declares of it.
func (d *Declaration) Given() Declaration {
	return Declaration{Name: d.Name, Title: d.Title, Key: d.Key, Data: d.Data, Unique: d.Unique, Scope: d.Scope}
}

func fieldNames(fields []Field) []string {
	out := make([]string, len(fields))
	for i, f := range fields {
		out[i] = f.Name
	}
	return out
}

// without are the names that are not among others.
func without(names, others []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool { return slices.Contains(others, n) })
}

func sorted(names []string) []string { return slices.Sorted(slices.Values(names)) }
