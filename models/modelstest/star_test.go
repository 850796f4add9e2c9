package modelstest

import "testing"

func TestFindStar(t *testing.T) {
	for sql, want := range map[string]string{
		"SELECT * FROM members":                                          "SELECT *",
		"select distinct\n\t* FROM members":                              "distinct\n\t*",
		"WITH a AS (SELECT m.* FROM members m) SELECT a.id FROM a":       "m.*",
		`SELECT "m".* FROM members m`:                                    `".*`,
		"SELECT DISTINCT ON (a, b) * FROM members":                       "DISTINCT ON (a, b) *",
		"SELECT id, * FROM members":                                      ", *",
		"DELETE FROM members RETURNING *":                                "RETURNING *",
		"SELECT count(*), count( * ) FILTER (WHERE a * b > 2 * (3) * c)": "",
		"SELECT ' * ', 'it''s, *' -- SELECT *\n/* SELECT *\n*/ FROM a":   "",
		"SELECT id FROM members":                                         "",
	} {
		if got := findStar(sql); got != want {
			t.Errorf("found %q in %s, want %q", got, sql, want)
		}
	}
}
