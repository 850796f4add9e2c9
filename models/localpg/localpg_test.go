package localpg

import (
	"testing"
	"time"
)

func TestTry(t *testing.T) {
	d := t.TempDir()
	for range 2 {
		b := time.Now()
		s, err := Open(t.Context(), Options{Dir: d})
		if err != nil {
			t.Fatal(err)
		}
		t.Log(time.Since(b), s.URL())
		b = time.Now()
		s2, err := Open(t.Context(), Options{Dir: d})
		if err != nil {
			t.Fatal(err)
		}
		t.Log(time.Since(b), s2.URL())
		b = time.Now()
		t.Log(s2.Close(), time.Since(b))
		b = time.Now()
		t.Log(s.Close(), time.Since(b))
	}
}
