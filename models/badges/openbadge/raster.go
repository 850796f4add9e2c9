package openbadge

import (
	"bytes"
	"image"
	"image/png"
	"math"
)

// PNG draws the picture without words, 256 by 256 pixels.
func (p Picture) PNG() ([]byte, error) {
	img := image.NewNRGBA(image.Rect(0, 0, pictureSize, pictureSize))
	for _, s := range p.shapes(false) {
		s.fill(img)
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// grain is how many points of a pixel are tested, across and down.
const grain = 4

// fill lays the shape over the image. A pixel that it covers in part lets so
// much of what is below shine through.
func (s *shape) fill(img *image.NRGBA) {
	outline := s.outline()
	low, high := outline[0], outline[0]
	for _, p := range outline {
		low, high = point{min(low.x, p.x), min(low.y, p.y)}, point{max(high.x, p.x), max(high.y, p.y)}
	}
	area := image.Rect(int(math.Floor(low.x)), int(math.Floor(low.y)), int(math.Ceil(high.x)),
		int(math.Ceil(high.y))).Intersect(img.Bounds())
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			covered := 0
			for i := range grain * grain {
				at := point{float64(x) + (float64(i%grain)+0.5)/grain, float64(y) + (float64(i/grain)+0.5)/grain}
				if s.holds(outline, at) {
					covered++
				}
			}
			s.blend(img, x, y, covered)
		}
	}
}

// blend mixes the shape's colour into a pixel of which so many grains are
// covered.
func (s *shape) blend(img *image.NRGBA, x, y, covered int) {
	if covered == 0 {
		return
	}
	below := img.NRGBAAt(x, y)
	share := covered * 255 / (grain * grain) // Of 255.
	rest := int(below.A) * (255 - share) / 255
	mix := func(above, below uint8) uint8 {
		return uint8((int(above)*share + int(below)*rest + (share+rest)/2) / (share + rest))
	}
	below.R, below.G, below.B = mix(s.paint.R, below.R), mix(s.paint.G, below.G), mix(s.paint.B, below.B)
	below.A = uint8(share + rest)
	img.SetNRGBA(x, y, below)
}

// outline is the shape's edge as a line with corners; a circle has the
// corners of the square around it.
func (s *shape) outline() []point {
	if s.radius > 0 {
		return []point{{s.from.x - s.radius, s.from.y - s.radius}, {s.from.x + s.radius, s.from.y + s.radius}}
	}
	const steps = 8
	line := []point{s.from}
	last := s.from
	for _, c := range s.curves {
		for i := 1; i <= steps; i++ {
			t := float64(i) / steps
			a, b, d := (1-t)*(1-t), 2*t*(1-t), t*t
			line = append(line, point{a*last.x + b*c.control.x + d*c.end.x, a*last.y + b*c.control.y + d*c.end.y})
		}
		last = c.end
	}
	return line
}

// holds reports whether a point is inside: from there, a ray crosses the
// outline an odd number of times.
func (s *shape) holds(outline []point, at point) bool {
	if s.radius > 0 {
		x, y := at.x-s.from.x, at.y-s.from.y
		return x*x+y*y <= s.radius*s.radius
	}
	inside := false
	last := outline[len(outline)-1]
	for _, p := range outline {
		if (p.y > at.y) != (last.y > at.y) && at.x < p.x+(at.y-p.y)*(last.x-p.x)/(last.y-p.y) {
			inside = !inside
		}
		last = p
	}
	return inside
}
