package archive

import "hash/maphash"

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
