package forums

import (
	"testing"
	"time"
)

func TestDates(t *testing.T) {
	for _, tt := range []struct {
		shown, want string // "" for none.
		exact       bool
	}{
		{"Sun, 15 Aug 1999 02:37:17 -0400 (EDT)", "1999-08-15T06:37:17Z", true},
		{"Sun, 15 Aug 1999 02:37:17 -0400", "1999-08-15T06:37:17Z", true},
		{"15 Aug 99 02:37 GMT", "1999-08-15T02:37:00Z", true},
		{"Fri, 30 Mar 2001 12:11:56 GMT", "2001-03-30T12:11:56Z", true},
		{"Mon, 28 Jul 2014 21:19:07 +0530", "2014-07-28T15:49:07Z", true},
		{"2015-10-14T18:48:44.123Z", "2015-10-14T18:48:44.123Z", true},
		{"2015-10-14 18:48:44 +02:00", "2015-10-14T16:48:44Z", true},
		{"Tue Jul 29 18:14:31 MDT 2014", "2014-07-30T00:14:31Z", false}, // A name, and not even that of the sender's zone.
		{"Fri Apr  2 02:39:10 MST 2004", "2004-04-02T09:39:10Z", false},
		{"Sun Apr  4 23:14:54 2004", "2004-04-04T23:14:54Z", false},
		{"Sun, 13-Jun-1999 02:28:09 EST", "1999-06-13T07:28:09Z", false},
		{"Tue, 30 Nov 1999 23:56:33 -3000 (CST)", "1999-12-01T05:56:33Z", false},
		{"Thu Feb  8 17:40:04 EDT 1945", "1945-02-08T21:40:04Z", false},
		{"Thu, 8 Feb 1945 17:40:04 -0400", "1945-02-08T21:40:04Z", false}, // Kept, and not believed.
		{"Tue, 19 Jan 2038 03:14:07 +0000", "2038-01-19T03:14:07Z", false},
		{"Mon, 03 Jan 100 10:00:00 +0000", "2000-01-03T10:00:00Z", true}, // Not ready for 2000.
		{"Mon, 03 Jan 19100 10:00:00 +0000", "2000-01-03T10:00:00Z", true},
		{"Thu, 31 Dec 1998 23:59:60 +0000", "1999-01-01T00:00:00Z", true}, // A second that was put in.
		{"8 Feb 2001 5:40:04 PM -0500", "2001-02-08T22:40:04Z", true},
		{"8 Feb 2001 12:40:04 AM -0500", "2001-02-08T05:40:04Z", true},
		{"8 Feb 2001 12:40:04 PM -0500", "2001-02-08T17:40:04Z", true},
		{"Wed, 31 Feb 2001 10:00:00 +0000", "", false},
		{"Sun, 15 Aug 1999", "", false},
		{"27 6 2001 15:23:36", "", false},
		{"25:61 1 Jan 2001", "", false},
		{"yesterday", "", false},
		{"", "", false},
	} {
		var m Mail
		m.setDate(tt.shown)
		got := ""
		if !m.SentAt.IsZero() {
			got = m.SentAt.Format(time.RFC3339Nano)
		}
		if got != tt.want || m.Approximate == tt.exact || m.SentShown != tt.shown {
			t.Errorf("%q is %s, approximate %t, shown %q, want %s, exact %t", tt.shown, got, m.Approximate, m.SentShown, tt.want, tt.exact)
		}
	}
}

func TestSeparators(t *testing.T) {
	for from, want := range map[string]bool{
		"From glyph@divunal.com Sun, 13 Jun 1999 02:28:09 -0400 (EDT)": true,
		"From radix at twistedmatrix.com  Thu Oct 12 10:32:48 2006":    true,
		"From christian at “example.org”  Thu Jan 15 13:22:25 2015":    true,
		"From mboxrd@z Thu Jan  1 00:00:00 1970":                       true,
		"From - Sat Jan 01 00:00:00 2000":                              true,
		"From what I saw on Monday, nothing is right":                  false,
		"From 10:00 on we sail":                                        false,
		"From a@b":                                                     false,
		"From: a@b Thu Jan  1 00:00:00 1970":                           false,
		"from a@b Thu Jan  1 00:00:00 1970":                            false,
	} {
		if got := separates([]byte(from), []byte("From: a@b\n")); got != want {
			t.Errorf("%q separates: %t, want %t", from, got, want)
		}
	}
	for next, want := range map[string]bool{"Return-Path: <a@b>\n": true, ">From a b\n": true, "X-a: 1": true, "hello\n": false,
		"\n": false, "": false, "two words: no": false} {
		if got := separates([]byte("From a@b Thu Jan  1 00:00:00 1970"), []byte(next)); got != want {
			t.Errorf("with %q behind it: %t, want %t", next, got, want)
		}
	}
}
