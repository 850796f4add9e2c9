package standin

import (
	"testing"
	"time"
)

// Time that passes changes what people say of themselves, on every site at once.
func TestFactsChange(t *testing.T) {
	ask := func(index int, now time.Time) (string, string, string) {
		s := at(now, Options{})
		handles := s.People()[index].Handles
		info := read[infoPage](t, s, "/api/user.info?handles="+handles["codeforces"]).Result[0]
		if a := cell(t, s, handles["atcoder"], "Affiliation"); a != info.Organization {
			t.Errorf("person %d: %q on one site and %q on the other", index, a, info.Organization)
		}
		return info.FirstName + " " + info.LastName, info.Organization, info.Country
	}
	moves := start.AddDate(0, 0, 21)
	_, before, country := ask(0, moves.Add(-time.Second))
	_, after, _ := ask(0, moves)
	if before == after || country != "India" {
		t.Errorf("person 0 of %q works at %q before and %q after the third week", country, before, after)
	}
	signs := start.AddDate(0, 0, 70)
	long, _, _ := ask(7, signs.Add(-time.Second))
	short, _, _ := ask(7, signs)
	if len(short) >= len(long) {
		t.Errorf("person 7 is %q before and %q after the tenth week", long, short)
	}
}
