package openbadge

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"image/color"
	"strings"
)

// SVG draws the picture with the title and the level below it. It needs no
// font from elsewhere, and a long text is written smaller.
func (p Picture) SVG() []byte {
	title, level := oneLine(p.Title), oneLine(p.Level)
	height := pictureSize
	for _, text := range []string{title, level} {
		if text != "" {
			height += 28
		}
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img">`, pictureSize, height+8,
		pictureSize, height+8)
	b.WriteString("\n<title>")
	escape(&b, cmp.Or(strings.TrimPrefix(strings.TrimSuffix(title+": "+level, ": "), ": "), "Award"))
	b.WriteString("</title>\n")
	shapes := p.shapes(true)
	ground, ink := shapes[1].paint, shapes[len(shapes)-1].paint
	ink.R, ink.G, ink.B = ink.R/2, ink.G/2, ink.B/2 // Dark enough to read.
	fmt.Fprintf(&b, `<rect width="%d" height="%d" rx="24" fill="%s"/>`+"\n", pictureSize, height+8, rgb(ground))
	for _, s := range shapes {
		s.write(&b)
	}
	if p.Emoji != "" && !HasIcon(p.Icon) {
		fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="middle" font-size="80">`, pictureSize/2, pictureSize/2+28)
		escape(&b, cut(p.Emoji, 12))
		b.WriteString("</text>\n")
	}
	y := pictureSize - 4
	for _, line := range []struct {
		text   string
		size   float64
		weight string
	}{{title, 20, "bold"}, {level, 16, "normal"}} {
		text := cut(line.text, 40) // Nobody reads on.
		if text == "" {
			continue
		}
		y += 26
		fmt.Fprintf(&b,
			`<text x="%d" y="%d" text-anchor="middle" font-family="system-ui, sans-serif" font-size="%.1f" font-weight="%s" fill="%s">`,
			pictureSize/2, y, min(line.size, (pictureSize-24)/width(text)), line.weight, rgb(ink))
		escape(&b, text)
		b.WriteString("</text>\n")
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

func (s *shape) write(b *bytes.Buffer) {
	paint := rgb(s.paint)
	if s.radius > 0 {
		fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="%.1f" fill="%s"/>`+"\n", s.from.x, s.from.y, s.radius, paint)
		return
	}
	fmt.Fprintf(b, `<path fill="%s" d="M%.1f %.1f`, paint, s.from.x, s.from.y)
	for _, c := range s.curves {
		fmt.Fprintf(b, "Q%.1f %.1f %.1f %.1f", c.control.x, c.control.y, c.end.x, c.end.y)
	}
	b.WriteString(`z"/>` + "\n")
}

// width is about how wide a text is, in heights of its letters.
func width(text string) float64 {
	wide := 0.0
	for _, r := range text {
		switch {
		case r >= 0x1100: // Where the scripts of wide letters begin.
			wide += 1.1
		case 'A' <= r && r <= 'Z':
			wide += 0.75
		default:
			wide += 0.6
		}
	}
	return wide
}

func rgb(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// escape writes a text as it must be in XML; what XML has no way to write
// becomes a replacement character.
func escape(b *bytes.Buffer, text string) {
	_ = xml.EscapeText(b, []byte(text)) // A buffer takes everything.
}

// oneLine is a text without line breaks.
func oneLine(text string) string { return cut(strings.Join(strings.Fields(text), " "), 500) }

func cut(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}
