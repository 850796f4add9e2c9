package openbadge

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"iter"
	"slices"
)

const (
	spaceSVG   = "http://www.w3.org/2000/svg"
	spaceBadge = "https://purl.imsglobal.org/ob/v3p0" // OB, 5.3.2.
	maxDepth   = 100
)

// BakeSVG puts a badge into an SVG file (OB, 5.3.2).
func BakeSVG(file []byte, jwt string) ([]byte, error) {
	if err := fits(file, jwt); err != nil {
		return nil, err
	}
	behind := 0 // Where the first tag ends.
	for e, err := range tags(file) {
		if err != nil {
			return nil, err
		}
		if behind == 0 {
			if behind, err = svgRoot(file, e); err != nil {
				return nil, err
			}
		}
		if e.isBadge() {
			return nil, errors.New("the picture already contains a badge")
		}
	}
	if behind == 0 {
		return nil, errors.New("not an SVG file: it is empty")
	}
	// What fits has accepted needs no escaping.
	return slices.Concat(file[:behind-1], []byte(` xmlns:openbadges="`+spaceBadge+`">`+"\n"+`<openbadges:credential verify="`+jwt+
		`"></openbadges:credential>`), file[behind:]), nil
}

// svgRoot returns where the file's first tag ends.
func svgRoot(file []byte, e tag) (int, error) {
	if e.Name != (xml.Name{Space: spaceSVG, Local: "svg"}) {
		return 0, errors.New("not an SVG file: its first element is not svg")
	}
	for _, a := range e.Attr {
		if a.Name == (xml.Name{Space: "xmlns", Local: "openbadges"}) {
			return 0, errors.New("the SVG file uses the name openbadges for something already")
		}
	}
	if file[e.behind-2] == '/' {
		return 0, errors.New("the SVG file is empty")
	}
	return e.behind, nil
}

// unbakeSVG takes the first badge out of an SVG file.
func unbakeSVG(file []byte) (string, error) {
	for e, err := range tags(file) {
		if err != nil {
			return "", err
		}
		if !e.isBadge() {
			continue
		}
		for _, a := range e.Attr {
			if a.Name == (xml.Name{Local: "verify"}) {
				return jwtIn([]byte(a.Value))
			}
		}
		return "", errOtherProof
	}
	return "", errNoBadge
}

// A tag opens an element, and ends before the byte behind it.
type tag struct {
	xml.StartElement
	behind int
}

func (e *tag) isBadge() bool {
	return e.Name == xml.Name{Space: spaceBadge, Local: "credential"}
}

// tags yields the opening tags of an XML file, or an error, last. It knows no
// entities but XML's own five and no more than maxDepth elements in each
// other, so that nothing grows.
func tags(file []byte) iter.Seq2[tag, error] {
	return func(yield func(tag, error) bool) {
		d := xml.NewDecoder(bytes.NewReader(file))
		for depth := 0; ; {
			part, err := d.Token()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(tag{}, errors.New("not a PNG or SVG file, or damaged"))
				return
			}
			switch e := part.(type) {
			case xml.StartElement:
				if depth++; depth > maxDepth {
					yield(tag{}, errors.New("the SVG file is nested too deeply"))
					return
				}
				if !yield(tag{e, int(d.InputOffset())}, nil) {
					return
				}
			case xml.EndElement:
				depth--
			}
		}
	}
}
