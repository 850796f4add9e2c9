package parts

import "testing"

func TestInitialsOf(t *testing.T) {
	for name, want := range map[string]string{"Amber Fox (sample)": "AF", "ada": "AD", "Ada Maria Lovelace": "AL", "": "?", "(x) y": "XY", "é": "É", "sample-1": "S1", "👍": "?"} {
		if got := initialsOf(name); got != want {
			t.Errorf("initials of %q are %q, want %q", name, got, want)
		}
	}
}
