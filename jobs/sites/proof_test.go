package sites

import (
	"errors"
	"testing"
	"time"

	"laurel/jobs/standin"
)

// On every site whose handles can be proved, what an owner writes into the field of their own profile proves their handle,
// and no other; what nobody wrote proves nothing.
func TestWhatIsWrittenProvesAHandle(t *testing.T) {
	now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	w := &world{Server: standin.New(standin.Options{Now: func() time.Time { return now }})}
	for _, s := range everySite() {
		name := s.Info().Name
		if s.Info().Proof == "" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			var handles []string
			for _, p := range w.People() {
				if h := p.Handles[name]; h != "" {
					handles = append(handles, h)
				}
			}
			const code = "laurel-7f3k2q9x"
			proves := func(handle, code string) bool {
				t.Helper()
				ok, err := Proves(t.Context(), w, s, Account{Handle: handle, Now: func() time.Time { return now }}, code)
				if err != nil {
					t.Fatal(err)
				}
				return ok
			}
			if proves(handles[0], code) {
				t.Error("proved before anything was written")
			}
			for _, text := range []string{code, "Riga Technical " + code, "LAUREL-7F3K2Q9X, Riga"} {
				if err := w.Write(name, handles[0], text); err != nil {
					t.Fatal(err)
				}
				if !proves(handles[0], code) {
					t.Errorf("%q does not prove", text)
				}
			}
			for _, other := range []string{"laurel-7f3k2q9", "laurel-7f3k2q9xx", "7f3k2q9x", "laurel-aaaaaaaa", ""} {
				if proves(handles[0], other) {
					t.Errorf("%q proves where %q is written", other, code)
				}
			}
			if proves(handles[1], code) {
				t.Error("it proves a handle of somebody else")
			}
			nobody := "nobody_here"
			if name == "timus" {
				nobody = "999999999"
			}
			if _, err := Proves(t.Context(), w, s, Account{Handle: nobody}, code); !errors.Is(err, ErrNoHandle) {
				t.Errorf("of nobody: %v", err)
			}
		})
	}
}

// A site with a field for proofs must have something to read it from.
func TestProofsCanBeRead(t *testing.T) {
	for _, s := range everySite() {
		_, profiler := s.(Profiler)
		_, prover := s.(Prover)
		if s.Info().Proof != "" && !profiler && !prover {
			t.Errorf("%s says where to write a code and cannot read it", s.Info().Name)
		}
	}
}
