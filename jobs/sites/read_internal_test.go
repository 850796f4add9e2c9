package sites

import "testing"

// A row that cannot be read says why in the words of JSON.
func TestWhyRowsAreUnread(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"at":"yesterday"}`:        "at is string and not a whole number",
		`{"at":1.5}`:                "at is number 1.5 and not a whole number",
		`{"problem":{"tags":"dp"}}`: "problem.tags is string and not a list",
		`[]`:                        "it is array and not an object",
		`{"at":`:                    "unexpected end of JSON input",
	} {
		var row struct {
			At      int64 `json:"at"`
			Problem struct {
				Tags []string `json:"tags"`
			} `json:"problem"`
		}
		if err := decode([]byte(text), &row); err == nil || err.Error() != ErrFormat.Error()+": "+want {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
