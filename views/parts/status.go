package parts

// A StatusCount is how many submissions ended with a status.
type StatusCount struct {
	Status string // AC WA TLE MLE RE CE PE PS SK HCK OTH PENDING.
	Count  int
}

// A Status of submissions, with its name.
type Status struct{ Status, Label string }

// Statuses are all there are, in the order of tables and forms.
var Statuses = []Status{
	{"AC", "Accepted"},
	{"PS", "Partly solved"},
	{"WA", "Wrong answer"},
	{"TLE", "Time limit exceeded"},
	{"MLE", "Memory limit exceeded"},
	{"RE", "Runtime error"},
	{"CE", "Compilation error"},
	{"PE", "Presentation error"},
	{"SK", "Skipped"},
	{"HCK", "Hacked"},
	{"OTH", "Other"},
	{"PENDING", "Being judged"},
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
