package sqlfile_test

import (
	"slices"
	"testing"

	"laurel/models/db/sqlfile"
)

func TestStrip(t *testing.T) {
	for text, want := range map[string]string{
		"-- For @who.\nSELECT 1;\n":                      "SELECT 1",
		"SELECT 1 -- One.\nFROM x":                       "SELECT 1 \nFROM x",
		"SELECT '--', \"--\", '''--' -- It's @one.":      "SELECT '--', \"--\", '''--'",
		"SELECT a - -1 FROM x WHERE b = '@' || '-- ;' ;": "SELECT a - -1 FROM x WHERE b = '@' || '-- ;' ",
	} {
		if got := sqlfile.Strip(text); got != want {
			t.Errorf("Strip(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestParameters(t *testing.T) {
	got := sqlfile.Parameters("SELECT @now, f(@lease_id) WHERE a <= @now AND b @> c")
	if want := []string{"lease_id", "now"}; !slices.Equal(got, want) {
		t.Errorf("parameters are %q, want %q", got, want)
	}
}
