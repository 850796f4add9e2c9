package openbadge

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"
	"time"
)

// emptyList is the example of the specification (STATUS, 2.2).
const emptyList = "uH4sIAAAAAAAAA-3BMQEAAADCoPVPbQwfoAAAAAAAAAAAAAAAAAAAAIC3AYbSVKsAQAAA"

func TestExampleOfTheSpecification(t *testing.T) {
	l, err := decodeList(emptyList)
	if err != nil {
		t.Fatal(err)
	}
	if *l != (List{}) {
		t.Error("a bit is set")
	}
}

func TestOrderOfBits(t *testing.T) {
	for _, tt := range []struct {
		bit, at int
		want    byte
	}{
		{0, 0, 0b1000_0000}, {1, 0, 0b0100_0000}, {7, 0, 0b0000_0001}, {8, 1, 0b1000_0000}, {ListSize - 1, ListSize/8 - 1, 0b0000_0001},
	} {
		var l List
		if err := l.Revoke(tt.bit); err != nil {
			t.Fatal(err)
		}
		var want List
		want.bits[tt.at] = tt.want
		if l != want {
			t.Errorf("bit %d: byte %d is %08b, want %08b alone", tt.bit, tt.at, l.bits[tt.at], tt.want)
		}
		text, err := l.encode()
		if err != nil {
			t.Fatal(err)
		}
		back, err := decodeList(text)
		if err != nil || *back != l {
			t.Errorf("bit %d read back: %v", tt.bit, err)
		}
		for bit, want := range map[int]bool{tt.bit: true, (tt.bit + 1) % ListSize: false} {
			if got, err := back.Revoked(bit); err != nil || got != want {
				t.Errorf("bit %d: %t, %v, want %t", bit, got, err, want)
			}
		}
	}
	for _, bit := range []int{-1, ListSize} {
		var l List
		if _, err := l.Revoked(bit); err == nil || l.Revoke(bit) == nil {
			t.Errorf("bit %d is there", bit)
		}
	}
}

// pack is a list of any size.
func pack(t testing.TB, size int) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(make([]byte, size)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return "u" + base64url.EncodeToString(b.Bytes())
}

func TestListsThatAreRefused(t *testing.T) {
	good := pack(t, ListSize/8)
	if _, err := decodeList(good); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, text, want string }{
		{"nothing", "", "begin with u"},
		{"another base", "z" + good[1:], "begin with u"},
		{"padding", good + "=", "not base64url"},
		{"not packed", "uAAAA", "not packed"},
		{"cut off", good[:len(good)/2], "damaged or shorter"},
		{"a wrong sum", good[:len(good)-6] + "AAAAAA", "damaged or longer"},
		{"one byte less", pack(t, ListSize/8-1), "damaged or shorter"},
		{"one byte more", pack(t, ListSize/8+1), "damaged or longer"},
		{"a bomb", pack(t, 4_000_000), "damaged or longer"},
	} {
		if _, err := decodeList(tt.text); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

func TestSignedList(t *testing.T) {
	var l List
	if err := l.Revoke(94567); err != nil {
		t.Fatal(err)
	}
	const address = site + "/badges/lists/1"
	jwt, err := l.Sign(rfcKey(t), site, address, noon, noon.Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	got, err := VerifyList(jwt, keysOf(t), address, noon)
	if err != nil || *got != l {
		t.Fatalf("read back: %v", err)
	}
	for _, tt := range []struct {
		name, address, want string
		at                  time.Time
	}{
		{"another list", address + "0", "another one", noon},
		{"too early", address, "not valid before", noon.Add(-time.Second)},
		{"too old", address, "no longer valid", noon.Add(time.Hour)},
	} {
		if _, err := VerifyList(jwt, keysOf(t), tt.address, tt.at); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
	if _, err := Verify(jwt, keysOf(t), noon); err == nil {
		t.Error("a list passes for a badge")
	}
	badge, _ := signed(t, grant())
	if _, err := VerifyList(badge, keysOf(t), address, noon); err == nil {
		t.Error("a badge passes for a list")
	}
	var full List
	for i := range full.bits {
		full.bits[i] = byte(i * i >> 3 * 131)
	}
	if _, err := full.Sign(rfcKey(t), site, address, noon, time.Time{}); err != nil {
		t.Errorf("the longest list: %v", err)
	}
}
