package sites

import (
	"context"
	"fmt"
	"slices"
	"strconv"
)

// A uvaRank is one line of uHunt's ranking.
type uvaRank struct {
	UserID        int64
	Rank, AC, NOS *int // AC counts problems accepted, NOS submissions.
	Name          *string
}

// Profile reads the account's own line of the ranking, with none above and none
// below. An account without a line is nothing the page shows, and no proof of
// absence: only Resolve's 0 is.
func (u uva) Profile(ctx context.Context, get Getter, a Account) (Profile, error) {
	a, err := u.known(ctx, get, a)
	if err != nil {
		return Profile{}, err
	}
	page, err := get.Get(ctx, uhunt+"/api/ranklist/"+a.Key+"/0/0")
	if err != nil {
		return Profile{}, err
	}
	lines, err := foundList[uvaRank](page)
	if err != nil {
		return Profile{}, fmt.Errorf("ranklist: %w", err)
	}
	if len(lines) == 0 {
		return Profile{}, nil
	}
	own := slices.IndexFunc(lines, func(l uvaRank) bool { return strconv.FormatInt(l.UserID, 10) == a.Key })
	if own < 0 {
		return Profile{}, fmt.Errorf("ranklist: %w: no line of number %s", ErrFormat, a.Key)
	}
	p, err := lines[own].profile()
	if err != nil {
		return Profile{}, fmt.Errorf("ranklist: %w", err)
	}
	return p, nil
}

func (l uvaRank) profile() (Profile, error) {
	for _, n := range []*int{l.Rank, l.AC, l.NOS} {
		if n == nil || *n < 0 {
			return Profile{}, fmt.Errorf("%w: a line without a rank or a count", ErrFormat)
		}
	}
	p := Profile{Rank: &RankView{l.Rank}, Counts: &CountsView{l.AC, l.NOS}}
	if *l.Rank == 0 { // Places begin with 1, so this is none.
		p.Rank.Rank = nil
	}
	if l.Name != nil {
		p.Name = &NameView{shown(*l.Name)}
	}
	return p, nil
}
