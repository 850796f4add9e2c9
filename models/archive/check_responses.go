package archive

import (
	"bytes"
	"cmp"
	"math"
	"slices"

	"gorm.io/gorm"

	"laurel/models/archive/shards"
)

// A rebuilt response is put together again from the rows that name it.
type rebuilt struct {
	page     int64
	looks    []look // The response itself, and those that saw it again.
	shown    []shown
	yielded  []shown // Each at an instant.
	ends     shards.Sum
	complete []completed
}

// A look is a line of the log. Instants are microseconds.
type look struct {
	id, at  int64
	hash    []byte
	facts   int
	altered bool
}

// A shown fact is one that a response lists, and when it held.
type shown struct {
	from, until int64
	sum         shards.Sum
	shard       int   // By its place among the shards.
	scope       int64 // Where a page was complete for one of the shard.
}

// completed is a scope of which the response showed all rows.
type completed struct {
	shard string
	scope int64
}

// open is the end of what is open.
const open = math.MaxInt64

// responses puts responses together again: the rows that name one, at the instants at which
// it was seen, with the facts that gave way and its complete scopes, must have its hash.
func (k *checker) responses(tx *gorm.DB) error {
	r, err := k.logged(tx)
	if err != nil || len(r.byID) == 0 && k.Since > 0 {
		return err
	}
	for _, step := range []func(*gorm.DB) error{r.touched, r.endings, r.listed, r.gaveWay, r.compare, r.complete, r.pages} {
		if err := step(tx); err != nil {
			return err
		}
	}
	return nil
}

// A rebuilding is a part of the responses.
type rebuilding struct {
	*checker
	ids    []int64
	of     []bool // Which shards the responses can have shown something of, by their places.
	byID   map[int64]*rebuilt
	scopes map[string]map[int64]*scopeRows // Complete ones, by shard and number.
}

// compare compares what was put together with the log.
func (r *rebuilding) compare(tx *gorm.DB) error {
	var wrong []wrongLook
	var pages []int64
	for _, b := range r.byID {
		for _, w := range b.wrong() {
			wrong, pages = append(wrong, w), append(pages, w.page)
		}
	}
	if len(wrong) == 0 {
		return nil
	}
	slices.SortFunc(wrong, func(a, b wrongLook) int { return cmp.Compare(a.id, b.id) })
	names, err := pageNames(tx, pages)
	for _, w := range wrong {
		if w.n != w.facts {
			r.found("", KindLost, "response %d of %s gave %d facts, and %d are in rows", w.id, names[w.page], w.facts, w.n)
		} else {
			r.found("", KindContent, "response %d of %s gave %d facts, and not those that rows have of it", w.id, names[w.page], w.facts)
		}
	}
	return err
}

// A wrong look is one of which rows say something else.
type wrongLook struct {
	look
	page int64
	n    int
}

// wrong goes through the instants at which the response was seen.
func (b *rebuilt) wrong() (out []wrongLook) {
	slices.SortFunc(b.looks, func(x, y look) int { return cmp.Compare(x.at, y.at) })
	begin, end := slices.Clone(b.shown), slices.Clone(b.shown)
	slices.SortFunc(begin, func(x, y shown) int { return cmp.Compare(x.from, y.from) })
	slices.SortFunc(end, func(x, y shown) int { return cmp.Compare(x.until, y.until) })
	all, n := b.ends, 0
	for _, l := range b.looks {
		for ; len(begin) > 0 && begin[0].from <= l.at; begin = begin[1:] {
			all.Add(begin[0].sum)
			n++
		}
		for ; len(end) > 0 && end[0].until <= l.at; end = end[1:] {
			all.Take(end[0].sum)
			n--
		}
		here, m := all, n
		for _, y := range b.yielded {
			if y.from == l.at {
				here.Add(y.sum)
				m++
			}
		}
		if m != l.facts || !l.altered && !bytes.Equal(here.Bytes(), l.hash) {
			out = append(out, wrongLook{l, b.page, m})
		}
	}
	return out
}

// numbers are those of the complete scopes.
func (b *rebuilt) numbers() (out []int64) {
	for _, c := range b.complete {
		out = append(out, c.scope)
	}
	slices.Sort(out)
	return out
}

// now is what the response's open rows say.
func (b *rebuilt) now() []byte {
	all := b.ends
	for _, s := range b.shown {
		if s.until == open {
			all.Add(s.sum)
		}
	}
	return all.Bytes()
}

// seenIn says whether the response was seen in a period.
func (b *rebuilt) seenIn(from, until int64) bool {
	return slices.ContainsFunc(b.looks, func(l look) bool { return l.at >= from && l.at < until })
}
