package openbadge

import (
	"bytes"
	"errors"
	"fmt"
)

const (
	maxPicture = 1 << 20 // The largest file that is baked or read.
	maxFrame   = 1 << 10 // What a picture needs around the badge; more than enough.
)

var (
	errNoBadge    = errors.New("there is no Open Badge 3.0 in the file")
	errOtherProof = errors.New("the badge is not signed as a JWT, so this site did not issue it")
)

// Unbake takes the badge out of a file: a PNG or SVG picture or the badge
// itself (OB, 5). It does not check what the badge says; Verify does.
func Unbake(file []byte) (jwt string, err error) {
	if len(file) > maxPicture {
		return "", fmt.Errorf("the file is too large: at most %d bytes", maxPicture)
	}
	switch text := bytes.TrimSpace(file); {
	case bytes.HasPrefix(file, []byte(pngHead)):
		return unbakePNG(file)
	case bytes.HasPrefix(text, []byte("ey")): // {" in base64.
		return jwtIn(text)
	case bytes.HasPrefix(text, []byte("{")):
		return "", errOtherProof
	default:
		return unbakeSVG(file)
	}
}

// fits reports why a badge cannot be put into a picture, whatever its kind.
// What it accepts has no character that means something in PNG or XML.
func fits(file []byte, jwt string) error {
	if len(file)+len(jwt)+maxFrame > maxPicture {
		return fmt.Errorf("the picture is too large: at most %d bytes with its badge", maxPicture)
	}
	_, err := parse(jwt)
	return err
}

// jwtIn takes a text for a badge if it looks like one.
func jwtIn(text []byte) (string, error) {
	text = bytes.TrimSpace(text)
	if bytes.HasPrefix(text, []byte("{")) {
		return "", errOtherProof
	}
	if _, err := parse(string(text)); err != nil {
		return "", err
	}
	return string(text), nil
}
