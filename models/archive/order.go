package archive

import (
	"cmp"
	"encoding/binary"
	"hash/maphash"
	"slices"
	"strings"
)

// claims tell who of a response was first to claim a text. A response has many
// rows, and a map took longer than all else that is done with them here.
type claims struct {
	texts []string
	slots []int32 // One more than the place in texts; 0 is free.
}

var claimSeed = maphash.MakeSeed()

func newClaims(n int) claims {
	size := 8
	for size < 2*n {
		size *= 2
	}
	return claims{make([]string, n), make([]int32, size)}
}

// claim returns the first that claimed the text: n itself, or one before.
func (c *claims) claim(text string, n int) int {
	c.texts[n] = text
	mask := uint64(len(c.slots) - 1)
	for h := maphash.String(claimSeed, text); ; h++ {
		switch first := int(c.slots[h&mask]) - 1; {
		case first < 0:
			c.slots[h&mask] = int32(n + 1)
			return n
		case c.texts[first] == text:
			return first
		}
	}
}

// sorted returns one text of each fact in the order of their bytes. It compares
// the first bytes in which they differ as one number.
func sorted(facts []Fact, of func(*Fact) string) []string {
	if len(facts) == 0 {
		return nil
	}
	type headed struct {
		head uint64
		text string
	}
	all := make([]headed, len(facts))
	common := of(&facts[0])
	for i := range facts {
		all[i].text = of(&facts[i])
		n := 0
		for n < min(len(common), len(all[i].text)) && common[n] == all[i].text[n] {
			n++
		}
		common = common[:n]
	}
	for i := range all {
		var head [8]byte
		copy(head[:], all[i].text[len(common):])
		all[i].head = binary.BigEndian.Uint64(head[:])
	}
	slices.SortFunc(all, func(a, b headed) int {
		if a.head != b.head {
			return cmp.Compare(a.head, b.head)
		}
		return strings.Compare(a.text, b.text)
	})
	out := make([]string, len(all))
	for i := range all {
		out[i] = all[i].text
	}
	return out
}
