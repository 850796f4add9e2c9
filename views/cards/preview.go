package cards

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"laurel/views/charts"
)

// The size that sites which show shared links ask for.
const (
	PreviewWidth  = 1200
	PreviewHeight = 630
)

var (
	paper  = color.RGBA{0xfb, 0xfa, 0xf6, 255}
	ink    = color.RGBA{0x1c, 0x24, 0x20, 255}
	soft   = color.RGBA{0x5b, 0x66, 0x5f, 255}
	green  = color.RGBA{0x22, 0x69, 0x4a, 255}
	shades = [5]color.RGBA{{0xec, 0xeb, 0xe5, 255}, {0xbf, 0xdc, 0xc9, 255}, {0x7f, 0xb8, 0x98, 255}, {0x34, 0x80, 0x5a, 255},
		{0x1c, 0x5e, 0x40, 255}}
)

// fonts are read once; the two files are in the program.
var fonts = sync.OnceValues(func() (regular, bold *opentype.Font) {
	regular, err := opentype.Parse(goregular.TTF)
	if err == nil {
		bold, err = opentype.Parse(gobold.TTF)
	}
	if err != nil {
		panic(err) // They are part of a library and do not change.
	}
	return regular, bold
})

// Preview draws the picture that a shared link to the member shows, or of the community where the
// card has no name.
func (c Card) Preview() ([]byte, error) {
	img := image.NewRGBA(image.Rect(0, 0, PreviewWidth, PreviewHeight))
	draw.Draw(img, img.Bounds(), image.NewUniform(paper), image.Point{}, draw.Src)
	draw.Draw(img, image.Rect(0, 0, PreviewWidth, 12), image.NewUniform(green), image.Point{}, draw.Src)
	w := &writer{img: img}
	if c.Name == "" {
		w.write(80, 330, 72, true, ink, c.Community)
		w.write(80, 400, 34, false, soft, "A community of competitive programmers")
	} else {
		w.write(80, 110, 34, false, soft, c.Community)
		w.write(80, 200, 72, true, ink, c.Name)
		for i, f := range c.figures([]string{PartSolved, PartStreak, PartRating, PartAwards}) {
			w.write(80+270*i, 310, 50, true, green, f.figure)
			w.write(80+270*i, 350, 26, false, soft, f.label)
		}
		c.squares(img)
	}
	w.write(80, 600, 24, false, soft, c.Host)
	if w.err != nil {
		return nil, fmt.Errorf("preview: %w", w.err)
	}
	var b bytes.Buffer
	err := png.Encode(&b, img)
	return b.Bytes(), err
}

// squares draws the days.
func (c Card) squares(img draw.Image) {
	levels := charts.LevelsOf(c.Days)
	for i, d := range c.Days {
		x, y := 80+40*(i/7), 390+24*(i%7)
		draw.Draw(img, image.Rect(x, y, x+34, y+18), image.NewUniform(shades[levels.Of(d.Submissions)]), image.Point{}, draw.Src)
	}
}

// A writer writes lines of text until one fails.
type writer struct {
	img draw.Image
	err error
}

// write puts a line where its letters stand on y. A letter that the font lacks is a box; a line that is
// too long is cut.
func (w *writer) write(x, y int, size float64, strong bool, ink color.Color, words string) {
	if w.err != nil {
		return
	}
	file, bold := fonts()
	if strong {
		file = bold
	}
	face, err := opentype.NewFace(file, &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingFull})
	if err != nil {
		w.err = err
		return
	}
	defer func() { _ = face.Close() }()
	d := font.Drawer{Dst: w.img, Src: image.NewUniform(ink), Face: face, Dot: fixed.P(x, y)}
	letters := []rune(words)
	for d.MeasureString(string(letters)) > fixed.I(PreviewWidth-x-40) && len(letters) > 2 {
		letters = append(letters[:len(letters)-2], '…')
	}
	d.DrawString(string(letters))
}
