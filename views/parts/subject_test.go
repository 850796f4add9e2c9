package parts

import "testing"

func TestSubject(t *testing.T) {
	t.Parallel()
	for subject, want := range map[string]string{
		"Re: [club] Practice on Thursday": "Practice on Thursday",
		"[club] Re: RE: Fwd: Practice":    "Practice",
		"[club] [solved] Wrong answer":    "[solved] Wrong answer",
		"Rest day":                        "Rest day",
		"[two words] stay":                "[two words] stay",
		"Re: [club]":                      "Re: [club]",
		"Re:":                             "Re:",
		"":                                "",
		" AW: Why O(n): the proof":        "Why O(n): the proof",
	} {
		if got := Subject(subject); got != want {
			t.Errorf("Subject(%q) = %q, want %q", subject, got, want)
		}
	}
}
