package forums_test

import (
	"testing"

	"laurel/models/forums"
)

func TestPlainSubject(t *testing.T) {
	for subject, want := range map[string]string{"A plan": "a plan", "Re: A  plan": "a plan", "RE: Fwd: [news] Re: A plan": "a plan", "[news]": "[news]", "": "", "Re:": "", "[a] [b] c": "c", "Reply": "reply"} {
		if got := forums.PlainSubject(subject); got != want {
			t.Errorf("%q is %q, want %q", subject, got, want)
		}
	}
}

func TestForumSlugFor(t *testing.T) {
	for base, want := range map[string]string{"https://l.example.org/pipermail/Votorola_List/": "votorola-list", "https://meta.example.org/": "meta-example-org", "https://l.example.org/archives/list/dev@l.example.org/": "dev", "%": ""} {
		if got := forums.SlugFor(base); got != want {
			t.Errorf("%s is %q, want %q", base, got, want)
		}
	}
}
