package views

// statusChoices are all statuses, in words.
func statusChoices() []Choice {
	cs := make([]Choice, len(statusWords))
	for i, s := range statusWords {
		cs[i] = Choice{s.status, s.status + " " + s.word}
	}
	return cs
}

// noRowsText says why the list is empty, and what to do.
func noRowsText(p Submissions) string {
	switch {
	case p.Mistake != "":
		return "Nothing is shown until the filter is corrected."
	case p.Filter != (SubmissionFilter{}) && p.Pending:
		return "Nothing stored fits this filter yet; some accounts were not read to the end, so more may come."
	case p.Filter != (SubmissionFilter{}):
		return "No submission fits this filter. Leave a field empty to see more."
	case len(p.Sites) == 0:
		return "There is no handle on any site yet, so there is nothing to list."
	case p.Pending:
		return "The first submissions are on their way. Load this page again in a moment."
	}
	return "The sites have answered: there is no submission yet."
}
