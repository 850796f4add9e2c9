package openbadge

import (
	"crypto/sha256"
	"image/color"
	"math"
)

// A Picture is what an award looks like: an icon, an emoji or a star in a laurel wreath, in a
// colour that was chosen or comes from the award's slug. Levels are distinguished by small stars.
type Picture struct {
	Slug  string
	Icon  string // One of icons; "" is a star.
	Emoji string // In place of it. A PNG, for which there is no font, has a star.
	Tint  int    // The hue in degrees, plus one; 0 is that of the slug.
	Title string
	Level string // Empty if the award has no levels.
	Rank  int    // 1 for the lowest level; at most maxRank are drawn.
}

const (
	pictureSize = 256
	maxRank     = 5
)

type point struct{ x, y float64 }

// A curve goes on from where the last one ended, bent towards control.
type curve struct{ control, end point }

// A shape is filled with one colour: a circle around from if it has a radius,
// else what the curves from there and back go around.
type shape struct {
	paint  color.NRGBA
	from   point
	radius float64
	curves []curve
}

// shapes are the drawing, from the back to the front. SVG and PNG show the
// same ones, but for an emoji, which is words.
func (p Picture) shapes(words bool) []shape {
	sum := sha256.Sum256([]byte(p.Slug))
	hue := float64(int(sum[0])<<8|int(sum[1])) / 65536
	if p.Tint > 0 {
		hue = float64(p.Tint-1) / 360
	}
	var (
		ground = hsl(hue, 0.45, 0.96)
		rim    = hsl(hue, 0.35, 0.80)
		leaf   = hsl(hue, 0.40, 0.38)
		young  = hsl(hue, 0.38, 0.50)
		gold   = hsl(hue, 0.60, 0.42)
		centre = point{pictureSize / 2, pictureSize / 2}
	)
	drawing := []shape{
		{paint: rim, from: centre, radius: 124},
		{paint: ground, from: centre, radius: 119},
	}
	drawing = append(drawing, wreath(centre, 84, leaf, young)...)
	if HasIcon(p.Icon) {
		drawing = append(drawing, iconShapes(p.Icon, centre, gold)...)
	} else if !words || p.Emoji == "" {
		drawing = append(drawing, star(centre, 44, gold))
	}
	rank := min(max(p.Rank, 0), maxRank)
	for i := range rank {
		turn := (float64(i) - float64(rank-1)/2) * 0.17
		drawing = append(drawing, star(point{centre.x + 86*math.Sin(turn), centre.y - 86*math.Cos(turn)}, 8, gold))
	}
	return drawing
}

// wreath is two branches that meet at the bottom and leave the top open.
func wreath(centre point, radius float64, outer, inner color.NRGBA) []shape {
	var leaves []shape
	for i := range 9 {
		turn := 0.20 + 0.265*float64(i) // From straight down.
		for _, side := range []float64{1, -1} {
			foot := point{centre.x + side*radius*math.Sin(turn), centre.y + radius*math.Cos(turn)}
			along := math.Atan2(-math.Sin(turn), side*math.Cos(turn))
			leaves = append(leaves,
				leafAt(foot, along+side*0.55, 33, 8, outer),
				leafAt(foot, along-side*0.55, 28, 7, inner))
		}
	}
	return append(leaves, shape{paint: outer, from: point{centre.x, centre.y + radius}, radius: 6})
}

// leafAt is a leaf from its foot in a direction.
func leafAt(foot point, along, length, width float64, paint color.NRGBA) shape {
	sin, cos := math.Sincos(along)
	at := func(forth, aside float64) point {
		return point{foot.x + forth*cos - aside*sin, foot.y + forth*sin + aside*cos}
	}
	return shape{paint: paint, from: foot, curves: []curve{
		{at(length/2, width), at(length, 0)},
		{at(length/2, -width), foot},
	}}
}

// star has five points, the first one straight up.
func star(centre point, radius float64, paint color.NRGBA) shape {
	corner := func(i int) point {
		r := radius
		if i%2 == 1 {
			r *= 0.45
		}
		sin, cos := math.Sincos(float64(i) * math.Pi / 5)
		return point{centre.x + r*sin, centre.y - r*cos}
	}
	s := shape{paint: paint, from: corner(0)}
	last := s.from
	for i := 1; i <= 10; i++ {
		next := corner(i)
		s.curves = append(s.curves, curve{point{(last.x + next.x) / 2, (last.y + next.y) / 2}, next})
		last = next
	}
	return s
}

// hsl is a colour by hue, saturation and lightness, each from 0 to 1.
func hsl(hue, saturation, lightness float64) color.NRGBA {
	spread := saturation * min(lightness, 1-lightness)
	channel := func(n float64) uint8 {
		k := math.Mod(n+hue*12, 12)
		return uint8(math.Round(255 * (lightness - spread*max(-1, min(k-3, 9-k, 1)))))
	}
	return color.NRGBA{channel(0), channel(8), channel(4), 255}
}
