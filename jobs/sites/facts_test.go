package sites

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// The numbers are those of the record's manifest; rows are compared with the answer itself, read
// as plain JSON.
func TestCodeforcesFactsRecorded(t *testing.T) {
	body := recorded(t, "codeforces/user.status_Uakkes_2024-07_300.json")
	subs, _, err := cfRead(t, Account{Handle: "Uakkes"}, always(200, body))
	if err != nil {
		t.Fatal(err)
	}
	part := map[string]int{}
	for _, s := range subs {
		part[s.Participation]++
	}
	if want := (map[string]int{InPractice: 214, InContest: 66, InVirtual: 20}); !maps.Equal(part, want) {
		t.Errorf("took part %v, want %v", part, want)
	}
	var raw struct{ Result []map[string]any }
	if err := json.Unmarshal([]byte(body), &raw); err != nil {
		t.Fatal(err)
	}
	if len(raw.Result) != len(subs) {
		t.Fatalf("%d rows, want %d", len(subs), len(raw.Result))
	}
	for i, row := range raw.Result {
		problem := row["problem"].(map[string]any)
		var tags []string
		for _, tag := range problem["tags"].([]any) {
			tags = append(tags, tag.(string))
		}
		slices.Sort(tags)
		tags = slices.Compact(tags) // One row has "sortings" twice.
		want := fmt.Sprintln(row["contestId"], problem["rating"], strings.Join(tags, "|"))
		if got := fmt.Sprintln(subs[i].Contest.Key, *subs[i].Facts.Difficulty, strings.Join(subs[i].Facts.Tags, "|")); got != want {
			t.Errorf("submission %s: %s, want %s", subs[i].ID, got, want)
		}
	}
}

func TestCodeforcesParticipation(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]string{
		"CONTESTANT": "contest", "OUT_OF_COMPETITION": "contest", "VIRTUAL": "virtual", "PRACTICE": "practice", "MANAGER": "unknown",
		"": "unknown", "SOMETHING_NEW": "unknown",
	} {
		if got := cfParticipation(kind); got != want {
			t.Errorf("%s is %s, want %s", kind, got, want)
		}
	}
}

func TestCodechefContestOfRow(t *testing.T) {
	t.Parallel()
	for href, want := range map[string]string{
		"/START251C/problems/FIXEDPTS": "START251", "/START251/problems/X": "START251", "/problems/X": "", "/practice/problems/X": "",
		"https://www.codechef.com/COOK100A/problems/X?tab=y": "COOK100A", "/nothing": "", "": "",
	} {
		if got := codechefContestRef(href).Key; got != want {
			t.Errorf("%s is of %q, want %q", href, got, want)
		}
	}
}

func TestTagsAreInOrderAndOnce(t *testing.T) {
	t.Parallel()
	got := factsOf(nil, []string{"math", " dp", "", "dp", "a\x00b"})
	if want := []string{"ab", "dp", "math"}; got == nil || !slices.Equal(got.Tags, want) {
		t.Errorf("%+v, want %v", got, want)
	}
	if factsOf(nil, []string{""}) != nil {
		t.Error("facts of nothing")
	}
}
