package sites

import "testing"

// Verdicts that a site is known to give are nothing to be told of; all others are.
func TestOtherVerdicts(t *testing.T) {
	t.Parallel()
	for _, s := range everySite() {
		info := s.Info()
		for _, tt := range []struct {
			s    Submission
			want bool
		}{{Submission{Status: AC, Verdict: "anything"}, true}, {Submission{Status: OTH, Verdict: "never seen"}, false}} {
			if got := info.Expects(&tt.s); got != tt.want {
				t.Errorf("%s expects %q: %t", info.Name, tt.s.Verdict, got)
			}
		}
		for _, word := range info.Other {
			if !info.Expects(&Submission{Status: OTH, Verdict: word}) {
				t.Errorf("%s does not expect %q", info.Name, word)
			}
		}
	}
	info := atcoderInfo
	if !info.Expects(&Submission{Status: atcoderStatus("OLE"), Verdict: "OLE"}) {
		t.Error("AtCoder's OLE is something new")
	}
}
