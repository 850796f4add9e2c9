package openbadge

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// VerifyList reads the list of this address (STATUS, 3.2 Validate Algorithm).
func VerifyList(jwt string, keys Keys, address string, now time.Time) (*List, error) {
	payload, did, err := open(jwt, typList, keys)
	if err != nil {
		return nil, err
	}
	var c listCredential
	if err := json.Unmarshal(payload, &c); err != nil {
		return nil, errors.New("signed by this site, but not a list of revocations")
	}
	switch {
	case len(c.Context) == 0 || c.Context[0] != contextVC || !slices.Contains(c.Type, "BitstringStatusListCredential"),
		c.Subject.Type != "BitstringStatusList" || c.Subject.Purpose != "revocation":
		return nil, errors.New("signed by this site, but not a list of revocations")
	case c.Issuer != did || c.ID != address:
		return nil, errors.New("the list of revocations is another one than the badge names")
	}
	if err := c.claims().check(payload, now); err != nil {
		return nil, err
	}
	return decodeList(c.Subject.List)
}

// Revoked reads a badge's bit.
func (l *List) Revoked(bit int) (bool, error) {
	if bit < 0 || bit >= ListSize {
		return false, fmt.Errorf("index %d is not in a list of %d", bit, ListSize)
	}
	return l.bits[bit/8]&(0x80>>(bit%8)) != 0, nil
}

// decodeList unpacks a list (STATUS, 3.4 Bitstring Expansion Algorithm). It
// never takes more memory than a list, whatever the text unpacks to.
func decodeList(text string) (*List, error) {
	body, ok := strings.CutPrefix(text, "u")
	if !ok {
		return nil, errors.New("the list is not base64url: it must begin with u")
	}
	packed, err := decodePart(body)
	if err != nil {
		return nil, errors.New("the list is not base64url")
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, errors.New("the list is not packed with GZIP")
	}
	var l List
	if _, err := io.ReadFull(r, l.bits[:]); err != nil {
		return nil, fmt.Errorf("the list is damaged or shorter than %d bits", ListSize)
	}
	var more [1]byte
	if _, err := io.ReadFull(r, more[:]); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("the list is damaged or longer than %d bits", ListSize)
	}
	return &l, nil
}
