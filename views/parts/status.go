package parts

import "laurel/views/texts"

// A StatusCount is how many submissions ended with a status.
type StatusCount struct {
	Status string // AC WA TLE MLE RE CE PE PS SK HCK OTH PENDING.
	Count  int
}

// A Status of submissions, with its name: a marked text.
type Status struct{ Status, Label string }

// Statuses are all there are, in the order of tables and forms.
var Statuses = []Status{
	{"AC", texts.Mark("Accepted")},
	{"PS", texts.Mark("Partly solved")},
	{"WA", texts.Mark("Wrong answer")},
	{"TLE", texts.Mark("Time limit exceeded")},
	{"MLE", texts.Mark("Memory limit exceeded")},
	{"RE", texts.Mark("Runtime error")},
	{"CE", texts.Mark("Compilation error")},
	{"PE", texts.Mark("Presentation error")},
	{"SK", texts.Mark("Skipped")},
	{"HCK", texts.Mark("Hacked")},
	{"OTH", texts.Mark("Other")},
	{"PENDING", texts.Mark("Being judged")},
}

// StatusClass is the colour of a status: accepted, partly or not yet, refused.
func StatusClass(status string) string {
	switch status {
	case "AC":
		return "ac"
	case "PS", "PENDING":
		return "ps"
	case "WA", "TLE", "MLE", "RE", "CE", "PE", "HCK":
		return "no"
	}
	return "oth"
}
