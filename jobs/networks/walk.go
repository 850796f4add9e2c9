package networks

// A page is a part of an account's posts, newest first, and how to ask for the
// next one; "" for the last.
type page struct {
	posts []Post
	next  string
}

// A walk reads an account's posts back to what is known.
type walk struct {
	since string // The newest post that is known, "" for none.
	// newer reports whether one id was given out after another.
	newer func(a, b string) bool
	page  func(from string) (page, error)
}

// posts reads page by page, also those of pages before one that fails, until one shows a known post or nothing that is new.
// The known post may be deleted since, so an older one ends it too; and what
// is on top out of order (a pinned post) does not, for a page is always read
// to its end. Some networks hand out a next page for ever.
func (w walk) posts() ([]Post, error) {
	var all []Post
	seen := map[string]bool{}
	from := ""
	for range pages {
		pg, err := w.page(from)
		if err != nil {
			return all, err
		}
		covered, before := w.since == "", len(seen)
		for i, p := range pg.posts {
			switch {
			case w.since != "" && !w.newer(p.ID, w.since):
				covered = covered || p.ID == w.since || i == len(pg.posts)-1
			case !seen[p.ID]:
				all, seen[p.ID] = append(all, p), true
			}
		}
		if covered || pg.next == "" || pg.next == from || len(seen) == before {
			return all, nil
		}
		from = pg.next
	}
	return all, ErrMore
}
