package forums

import (
	"slices"
	"testing"
)

func TestPersons(t *testing.T) {
	for from, want := range map[string][2]string{
		`"Ada \"the Knot\" R." <ada@example.org>`:            {`Ada "the Knot" R.`, "ada@example.org"},
		`Ada <ada@example.org>`:                              {"Ada", "ada@example.org"},
		`<ada@example.org>`:                                  {"ada@example.org", "ada@example.org"},
		`ada@example.org (Ada)`:                              {"Ada", "ada@example.org"},
		`ada at example.org (Ada (the Knot))`:                {"Ada (the Knot)", "ada at example.org"},
		`ada (a) example.org`:                                {"ada (a) example.org", "ada (a) example.org"},
		`ada at example.org`:                                 {"ada at example.org", "ada at example.org"},
		`Ada Ropewalk ada@example.org`:                       {"Ada Ropewalk", "ada@example.org"},
		`ada@example.org`:                                    {"ada@example.org", "ada@example.org"},
		`=?iso-8859-1?q?G=F6ran?= <g@example.org>`:           {"Göran", "g@example.org"},
		`g at example.org (=?ISO-8859-1?Q?G=F6ran_L=2C_X?=)`: {"Göran L, X", "g at example.org"},
		`=?x-nobody-knows?q?a=E9?= <g@example.org>`:          {"aé", "g@example.org"},
		"\"Caf\xe9\" <c@example.org>":                        {"Café", "c@example.org"},
		`. <user@example.com>`:                               {".", "user@example.com"},
		`Ada <ada@example.org>, "B, o" <bo@example.org>`:     {"Ada", "ada@example.org"},
		`"Ada <ada@example.org>, Bo" <bo@example.org>`:       {"Ada <ada@example.org>, Bo", "bo@example.org"},
		`"Bo, Cy" <bo@example.org>`:                          {"Bo, Cy", "bo@example.org"},
		``:                                                   {"", ""},
		`()`:                                                 {"", ""},
	} {
		if name, address := person(from); name != want[0] || address != want[1] {
			t.Errorf("%q is %q at %q, want %q", from, name, address, want)
		}
	}
}

func TestMessageIDs(t *testing.T) {
	for header, want := range map[string][]string{
		"<a@b>":                                {"a@b"},
		"<a@b>\n\t<c@d>":                       {"a@b", "c@d"},
		"<a@b><c@d> (x)":                       {"a@b", "c@d"},
		"a@b":                                  {"a@b"},
		"msg1":                                 {"msg1"},
		"<a@\n b>":                             {"a@b"},
		"Ada's mail of today":                  nil,
		"Your message of \"Sun, 1 Jan\" <a@b>": {"a@b"},
		"<>":                                   nil,
		"<a@b":                                 {"a@b"},
		"":                                     nil,
		"\x00\n":                               nil,
	} {
		if got := messageIDs(header); !slices.Equal(got, want) {
			t.Errorf("%q holds %q, want %q", header, got, want)
		}
	}
}

// In brackets it is the message's own id, bare it is the parent's.
func TestMailtoLinks(t *testing.T) {
	for link, want := range map[string][2]string{
		"mailto:ada%40example.org": {},
		"mailto:l%40x?Subject=Re%3A%20%5BReality%5D%20x&In-Reply-To=%3Ca%2Bb%40c%3E":      {"a+b@c", ""},
		"mailto:l%40x?Subject=x&amp;In-Reply-To=<a+b@c>":                                  {"a+b@c", ""},
		"mailto:l%40x?Subject=x&In-Reply-To=a+b%40c":                                      {"", "a+b@c"},
		"mailto:l%40x?Subject=x&In-Reply-To=":                                             {},
		"mailto:l%40x?Subject=In-Reply-To=%3Ca%40b%3E":                                    {},
		"mailto:l%40x?Subject=x&In-Reply-To=%zz%40c":                                      {"", "%zz%40c"},
		"mailto:l%40x?Subject=x&In-Reply-To=Message%20of%20today%20%3Ca%40b%3E%20%28x%29": {"", "a@b"},
	} {
		var m Mail
		if m.answers(link); m.MessageID != want[0] || m.InReplyTo != want[1] {
			t.Errorf("%s: id %q, answers %q, want %q", link, m.MessageID, m.InReplyTo, want)
		}
	}
}
