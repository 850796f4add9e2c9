package accounts

import "slices"

// UndecidedTables returns the tables about which Export says nothing, and those
// of which it says something although they are gone.
func UndecidedTables(tables []string) (undecided []string) {
	var said []string
	for _, e := range exports {
		said = append(said, e.table)
	}
	for table := range notExported {
		said = append(said, table)
	}
	for _, t := range tables {
		if !slices.Contains(said, t) && !ofArchive.MatchString(t) {
			undecided = append(undecided, t)
		}
	}
	for _, t := range said {
		if !slices.Contains(tables, t) {
			undecided = append(undecided, t)
		}
	}
	return undecided
}
