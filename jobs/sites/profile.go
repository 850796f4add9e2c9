package sites

import "context"

// A Profile is what a site's own page says of an account besides submissions. A
// group that the page does not show is nil; a field that it shows empty is nil
// within the group. Absent is not empty.
type Profile struct {
	Rating *RatingView
	Rank   *RankView
	Counts *CountsView
	Name   *NameView
	Place  *PlaceView
	Title  *TitleView
}

// A RatingView is the rating now and the best one ever.
type RatingView struct{ Rating, Best *int }

// A RankView is the place in the site's rating list, or in its ranking where it
// has no ratings.
type RankView struct{ Rank *int }

// A CountsView is how much was done, as the site shows it and not as we count it.
type CountsView struct{ Solved, Submitted *int }

// A NameView is the name that a person goes by on the site.
type NameView struct{ Name *string }

// A PlaceView is where a person says to be from.
type PlaceView struct{ Country, Organisation *string }

// A TitleView is what the site calls an account of its rating: "expert", "7 Kyu".
type TitleView struct{ Title *string }

// A Counter is a Profiler that tells the counts without the page.
type Counter interface {
	Counts(ctx context.Context, get Getter, a Account) *CountsView // Nil where it does not say.
}

// A Profiler is a site with a page about an account.
type Profiler interface {
	// Profile fetches and reads that page, last where it needs another beside it.
	// ErrNoHandle only on proof of absence.
	Profile(ctx context.Context, get Getter, a Account) (Profile, error)
}

// shown returns a text as a field of a view: nil where nothing is written.
func shown(text string) *string {
	if text = clean(text); text == "" {
		return nil
	}
	return &text
}
