package openbadge

import (
	"fmt"
	"image/color"
	"math"
	"strconv"
	"strings"
)

// icons are line drawings on a grid of 24: lines through points, and circles as o x y radius.
//
//nolint:gosec // Lines, no credentials.
var icons = map[string]string{
	"award":    "o 12 9 5; 9 13 8 21 12 18.5 16 21 15 13",
	"bolt":     "13 2 5 14 12 14 11 22 19 10 12 10 13 2",
	"book":     "12 6 9 4 3 4 3 19 9 19 12 21 15 19 21 19 21 4 15 4 12 6 12 21",
	"calendar": "4 5 20 5 20 20 4 20 4 5; 4 10 20 10; 8 3 8 7; 16 3 16 7",
	"check":    "4 12.5 10 18.5 20 6.5",
	"chess":    "6 21 18 21; 7 21 8 12 16 12 17 21; 7 12 6 4 9 4 9 7 11 7 11 4 13 4 13 7 15 7 15 4 18 4 17 12",
	"clock":    "o 12 12 9; 12 7 12 12 15.5 14",
	"code":     "8 6 2 12 8 18; 16 6 22 12 16 18; 13.5 4 10.5 20",
	"compass":  "o 12 12 9; 16 8 13.5 13.5 8 16 10.5 10.5 16 8",
	"crown":    "3 7 6 18 18 18 21 7 16 11 12 5 8 11 3 7",
	"cup":      "7 4 17 4 16.5 11 14 14 10 14 7.5 11 7 4; 12 14 12 18; 8 20 16 20; 7 6 3.5 6 4.5 10 7.5 11; 17 6 20.5 6 19.5 10 16.5 11",
	"flag":     "5 22 5 4 12 5.5 19 4 19 14 12 15.5 5 14",
	"flame":    "12 2 13 7 17 11 18 15 16 19.5 12 21.5 8 19.5 6 15 7 11 9 13 10 8 12 2",
	"heart":    "12 20.5 4 12.5 3 9 4.5 5.5 8 4.5 12 8 16 4.5 19.5 5.5 21 9 20 12.5 12 20.5",
	"leaf":     "4 20 15 9; 20 4 12 5 7 9 6 14 8 16 11 18 16 16 19 11 20 4",
	"moon":     "20 14 16 20 10 20.5 5 17 3.5 11 6 6 11 3.5 9.5 8 11.5 12.5 15.5 14.5 20 14",
	"mountain": "2 20 9 6 13 13 15 10 22 20 2 20",
	"rocket":   "12 2 8 7 8 15 16 15 16 7 12 2; 8 11 5 14 5 18 8 15; 16 11 19 14 19 18 16 15; 10 18 12 22 14 18; o 12 9 1.5",
	"star":     "12 2.5 15 9 22 9.7 16.7 14.4 18.2 21.3 12 17.7 5.8 21.3 7.3 14.4 2 9.7 9 9 12 2.5",
	"sun": "o 12 12 4; 12 2 12 4.5; 12 19.5 12 22; 2 12 4.5 12; 19.5 12 22 12; 5 5 6.7 6.7; 17.3 17.3 19 19; " +
		"5 19 6.7 17.3; 17.3 6.7 19 5",
}

// HasIcon reports whether there is a drawing of this name.
func HasIcon(name string) bool { return icons[name] != "" }

// IconSVG is an icon alone, in the colour of the text around it.
func IconSVG(name string) string {
	var b strings.Builder
	b.WriteString(`<svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" fill="none" stroke="currentColor" ` +
		`stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round">`)
	for part := range strings.SplitSeq(icons[name], ";") {
		words := strings.Fields(part)
		if words[0] == "o" {
			fmt.Fprintf(&b, `<circle cx="%s" cy="%s" r="%s"/>`, words[1], words[2], words[3])
			continue
		}
		fmt.Fprintf(&b, `<polyline points="%s"/>`, strings.Join(words, " "))
	}
	b.WriteString("</svg>")
	return b.String()
}

// iconShapes draw an icon around a centre, so large as the star that it replaces.
func iconShapes(name string, centre point, paint color.NRGBA) []shape {
	const scale, thick = 3.4, 3.6
	var drawing []shape
	for part := range strings.SplitSeq(icons[name], ";") {
		line := iconLine(strings.Fields(part))
		for i := range line {
			line[i] = point{centre.x + (line[i].x-12)*scale, centre.y + (line[i].y-12)*scale}
			drawing = append(drawing, shape{paint: paint, from: line[i], radius: thick})
			if i > 0 {
				drawing = append(drawing, stroke(line[i-1], line[i], thick, paint))
			}
		}
	}
	return drawing
}

// iconLine are the points of one part of an icon.
func iconLine(words []string) (line []point) {
	var n []float64
	for _, w := range words {
		if f, err := strconv.ParseFloat(w, 64); err == nil {
			n = append(n, f)
		}
	}
	if words[0] == "o" {
		const corners = 24
		for i := range corners + 1 {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / corners)
			line = append(line, point{n[0] + n[2]*cos, n[1] + n[2]*sin})
		}
		return line
	}
	for i := 0; i+1 < len(n); i += 2 {
		line = append(line, point{n[i], n[i+1]})
	}
	return line
}

// stroke is a straight line from one point to another, so thick to each side.
func stroke(from, to point, thick float64, paint color.NRGBA) shape {
	length := math.Hypot(to.x-from.x, to.y-from.y)
	x, y := (to.y-from.y)/length*thick, (from.x-to.x)/length*thick
	corners := []point{{from.x + x, from.y + y}, {to.x + x, to.y + y}, {to.x - x, to.y - y}, {from.x - x, from.y - y}}
	s := shape{paint: paint, from: corners[0]}
	for i := range corners {
		a, b := corners[i], corners[(i+1)%len(corners)]
		s.curves = append(s.curves, curve{point{(a.x + b.x) / 2, (a.y + b.y) / 2}, b})
	}
	return s
}
