package openbadge

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

var explorer = Picture{Slug: "explorer", Title: "Explorer", Level: "Gold", Rank: 3}

func draw(t testing.TB, p Picture) []byte {
	t.Helper()
	file, err := p.PNG()
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func TestPNG(t *testing.T) {
	file := draw(t, explorer)
	img, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	if b := img.Bounds(); b.Dx() != 256 || b.Dy() != 256 {
		t.Errorf("%v, want 256 by 256", b)
	}
	for _, tt := range []struct {
		x, y   int
		opaque bool
	}{{0, 0, false}, {255, 255, false}, {128, 128, true}, {128, 5, true}} {
		if _, _, _, a := img.At(tt.x, tt.y).RGBA(); (a == 0xffff) != tt.opaque || !tt.opaque && a != 0 {
			t.Errorf("%d, %d: alpha %x, want opaque %t", tt.x, tt.y, a, tt.opaque)
		}
	}
	if !bytes.Equal(file, draw(t, explorer)) {
		t.Error("drawn twice, it is another")
	}
	other, lower := explorer, explorer
	other.Slug, lower.Rank = "night-owl", 2
	if bytes.Equal(file, draw(t, other)) || bytes.Equal(file, draw(t, lower)) {
		t.Error("another award or level looks the same")
	}
}

func TestSVG(t *testing.T) {
	for _, tt := range []struct {
		name, title, level string
		want               string // The name it has for those who cannot see it.
	}{
		{"plain", "Explorer", "Gold", "Explorer: Gold"},
		{"without level", "Explorer", "", "Explorer"},
		{"without anything", "", "", "Award"},
		{"markup", `</title><script>alert("1")</script>`, `"/><x a='&`, `</title><script>alert("1")</script>: "/><x a='&`},
		{"what XML cannot write", "a\x00b\xff", "c\x1b", "a\uFFFDb\uFFFD: c\uFFFD"},
		{"line breaks", " a\r\n\tb ", "", "a b"},
		{"long", strings.Repeat("ä", 400), "", strings.Repeat("ä", 400)},
		{"without end", strings.Repeat("ä", 1000), "", strings.Repeat("ä", 499) + "…"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := Picture{Slug: tt.title, Title: tt.title, Level: tt.level, Rank: 1}
			file := p.SVG()
			var got struct {
				XMLName xml.Name
				Title   string   `xml:"title"`
				Texts   []string `xml:"text"`
			}
			if err := xml.Unmarshal(file, &got); err != nil {
				t.Fatalf("%v\n%s", err, file)
			}
			if got.Title != tt.want || got.XMLName.Local != "svg" {
				t.Errorf("titled %q, want %q", got.Title, tt.want)
			}
			for _, text := range got.Texts {
				if n := utf8.RuneCountInString(text); n > 40 {
					t.Errorf("a line of %d letters", n)
				}
			}
			for name := range elements(t, file) {
				if !strings.Contains(" svg title rect circle path text ", " "+name+" ") {
					t.Errorf("has an element %s:\n%s", name, file)
				}
			}
			if !bytes.Equal(file, p.SVG()) {
				t.Error("drawn twice, it is another")
			}
		})
	}
}

func elements(t *testing.T, file []byte) map[string]int {
	t.Helper()
	found := map[string]int{}
	for d := xml.NewDecoder(bytes.NewReader(file)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return found
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := token.(xml.StartElement); ok {
			found[e.Name.Local]++
		}
	}
}

// To look at: LAUREL_SHOTS=DIR go test ./models/badges -run Shots.
func TestShots(t *testing.T) {
	dir := os.Getenv("LAUREL_SHOTS")
	if dir == "" {
		t.Skip("LAUREL_SHOTS is not set")
	}
	for rank, slug := range []string{"explorer", "night-owl", "first-blood", "marathon", "polyglot", "sharp"} {
		p := Picture{Slug: slug, Title: "The " + slug + " of the year", Level: "Gold", Rank: rank}
		for name, file := range map[string][]byte{".png": draw(t, p), ".svg": p.SVG()} {
			if err := os.WriteFile(filepath.Join(dir, slug+name), file, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}
