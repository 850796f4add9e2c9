package openbadge

import (
	"bytes"
	"compress/gzip"
	"fmt"
)

// ListSize is how many badges a list has room for. It is the smallest allowed
// (STATUS, 2.2), so that a list does not tell whose badge one asks about.
const ListSize = 131_072

// A List has one bit for each badge, set when it was revoked. The first badge
// is the left-most bit (STATUS, 2.2).
type List struct{ bits [ListSize / 8]byte }

// Revoke sets a badge's bit. There is no way back: an award that is granted
// again is another grant and has another place.
func (l *List) Revoke(bit int) error {
	if bit < 0 || bit >= ListSize {
		return fmt.Errorf("index %d is not in a list of %d", bit, ListSize)
	}
	l.bits[bit/8] |= 0x80 >> (bit % 8)
	return nil
}

// encode packs the list as base64url of GZIP, with the u that says so
// (STATUS, 3.3 Bitstring Generation Algorithm).
func (l *List) encode() (string, error) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(l.bits[:]); err != nil {
		return "", err
	}
	if err := w.Close(); err != nil {
		return "", err
	}
	return "u" + base64url.EncodeToString(packed.Bytes()), nil
}
