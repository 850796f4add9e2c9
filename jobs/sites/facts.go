package sites

import "slices"

// How somebody took part when a submission was made.
const (
	InContest  = "contest" // Out of competition, too.
	InVirtual  = "virtual" // In a contest that is over, by a clock of one's own.
	InPractice = "practice"
	InUnknown  = "unknown"
	ByTime     = "" // The site does not say: whether the contest was running does.
)

// A ContestRef is the contest of a row. Name is "" if the row does not show it.
type ContestRef struct{ Key, Name, URL string }

// Facts are what a site says of a problem besides its name.
type Facts struct {
	Difficulty *int // On the site's own scale; nil: it gives none.
	Tags       []string
}

// hardest is beyond every scale.
const hardest = 100_000

// factsOf are nil where there are none. Tags are in order, each once.
func factsOf(difficulty *int, tags []string) *Facts {
	difficulty, tags = rated(difficulty), tagList(tags)
	if difficulty == nil && len(tags) == 0 {
		return nil
	}
	return &Facts{difficulty, tags}
}

// tagList are tags in order, each once.
func tagList(tags []string) []string {
	var list []string
	for _, tag := range tags {
		if tag = clean(tag); tag != "" {
			list = append(list, tag)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}
