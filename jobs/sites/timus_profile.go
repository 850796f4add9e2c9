package sites

import (
	"context"
	"fmt"
	"strings"
)

// Profile reads the author's page: name, problems solved, rating and the rank by it.
func (timus) Profile(ctx context.Context, get Getter, a Account) (Profile, error) {
	if err := checkHandle(timusInfo, a.Handle); err != nil {
		return Profile{}, err
	}
	doc, err := timusAuthor(ctx, get, a.Handle)
	if err != nil {
		return Profile{}, err
	}
	p := Profile{Name: &NameView{shown(words(doc.Find("h2.author_name").First()))}}
	if doc.Find(".author_none_solved").Length() > 0 {
		p.Counts, p.Rank, p.Rating = &CountsView{Solved: new(0)}, &RankView{}, &RatingView{}
		return p, nil
	}
	for _, cell := range doc.Find("td.author_stats_value").EachIter() {
		text, _, _ := strings.Cut(words(cell), " ") // "123 out of 1190".
		n, ok := grouped(text)
		if !ok {
			return Profile{}, fmt.Errorf("author %s: %w: %q is not a number", a.Handle, ErrFormat, text)
		}
		switch label := strings.ToLower(words(cell.Prev())); {
		case strings.HasPrefix(label, "problems solved"):
			p.Counts = &CountsView{Solved: n}
		case strings.HasPrefix(label, "rank by rating"):
			p.Rank = &RankView{}
			if *n > 0 {
				p.Rank.Rank = n
			}
		case strings.HasPrefix(label, "rating"):
			p.Rating = &RatingView{Rating: n}
		}
	}
	return p, nil
}
