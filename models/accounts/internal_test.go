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

// InOwnData says whether it is decided on a table that a column of it is about a member.
func InOwnData(table, column string) bool {
	if _, excused := notOwn[table]; excused {
		return true
	}
	if ofArchive.MatchString(table) {
		return ownArchive([]string{"site", column}) != ""
	}
	return slices.ContainsFunc(ownTables, func(e exported) bool { return e.table == table })
}
