package standin

import (
	"strings"
	"time"
)

// A TID is Bluesky's: 53 bits of microseconds and 10 of a clock's name, in 13
// letters that sort as the numbers do.
const tidLetters = "234567abcdefghijklmnopqrstuvwxyz"

func tid(at time.Time, n int) string {
	v := uint64(at.UnixMicro()+int64(n>>10))<<10 | uint64(n&1023)
	var text [13]byte
	for i := range text {
		text[i] = tidLetters[v>>(60-5*i)&31]
	}
	return string(text[:])
}

func parseTID(text string) (uint64, bool) {
	if len(text) != 13 {
		return 0, false
	}
	v := uint64(0)
	for _, letter := range []byte(text) {
		digit := strings.IndexByte(tidLetters, letter)
		if digit < 0 {
			return 0, false
		}
		v = v<<5 | uint64(digit)
	}
	return v, text[0] < 'b' // The first bit is never set.
}

// A person's DID is their index in 18 letters behind a word, so that it needs no table.
const (
	didPrefix  = "did:plc:sample"
	didLetters = "abcdefghijklmnopqrstuvwxyz234567"
	postPath   = "/app.bsky.feed.post/"
)

func did(index int) string {
	var text [18]byte
	for i := range text {
		text[i] = didLetters[uint64(index)>>(5*(len(text)-1-i))&31]
	}
	return didPrefix + string(text[:])
}

func parseDID(text string) (int, bool) {
	rest, ok := strings.CutPrefix(text, didPrefix)
	if !ok || len(rest) != 18 || !strings.HasPrefix(rest, "aaaaaaaaaaaa") {
		return 0, false // More than 30 bits: nobody.
	}
	index := 0
	for _, letter := range []byte(rest) {
		digit := strings.IndexByte(didLetters, letter)
		if digit < 0 {
			return 0, false
		}
		index = index<<5 | digit
	}
	return index, true
}
