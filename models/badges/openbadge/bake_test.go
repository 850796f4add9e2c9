package openbadge

import (
	"bytes"
	"encoding/hex"
	"image/png"
	"strings"
	"testing"
)

// A grey point as a PNG file and its badge, put together and summed by hand
// (RFC 2083, 3.4 gives the sum of IEND).
const (
	handIHDR  = "0000000d49484452000000010000000108000000003a7e9b55"
	handIDAT  = "0000000a4944415478da6368000000820081da45083b"
	handIEND  = "0000000049454e44ae426082"
	handToken = "e30.e30.AA"
	// 34 bytes of iTXt: the keyword, five zeros, the token; then the sum.
	handBadge = "00000022" + "69545874" + "6f70656e626164676563726564656e7469616c" + "0000000000" + "6533302e6533302e4141" + "c6474096"
)

func byHand(t testing.TB, parts ...string) []byte {
	t.Helper()
	file, err := hex.DecodeString(strings.Join(parts, ""))
	if err != nil {
		t.Fatal(err)
	}
	return append([]byte(pngHead), file...)
}

func TestPNGByHand(t *testing.T) {
	got, err := BakePNG(byHand(t, handIHDR, handIDAT, handIEND), handToken)
	if want := byHand(t, handIHDR, handBadge, handIDAT, handIEND); err != nil || !bytes.Equal(got, want) {
		t.Errorf("got %x, %v\nwant %x", got, err, want)
	}
	if _, err := png.Decode(bytes.NewReader(got)); err != nil {
		t.Errorf("it is no picture any more: %v", err)
	}
	if jwt, err := Unbake(got); err != nil || jwt != handToken {
		t.Errorf("taken out: %q, %v", jwt, err)
	}
}

func TestBakedIsTakenOut(t *testing.T) {
	jwt, _ := signed(t, grant())
	inPNG, err := BakePNG(draw(t, explorer), jwt)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := png.Decode(bytes.NewReader(inPNG)); err != nil {
		t.Errorf("it is no picture any more: %v", err)
	}
	inSVG, err := BakeSVG(explorer.SVG(), jwt)
	if err != nil {
		t.Fatal(err)
	}
	if want := `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 256 320" width="256" height="320" role="img" xmlns:openbadges="https://purl.imsglobal.org/ob/v3p0">` +
		"\n" + `<openbadges:credential verify="` + jwt + `"></openbadges:credential>` + "\n<title>"; !strings.HasPrefix(string(inSVG), want) {
		t.Errorf("begins with %.400s", inSVG)
	}
	for name, file := range map[string][]byte{
		"PNG": inPNG, "SVG": inSVG, "text": []byte(jwt + "\n"),
		"SVG of another make": []byte(`<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE svg><svg xmlns='http://www.w3.org/2000/svg'><g/><b:credential xmlns:b='https://purl.imsglobal.org/ob/v3p0' verify='` + jwt + `'/></svg>`),
	} {
		got, err := Unbake(file)
		if err != nil || got != jwt {
			t.Errorf("%s: %.40q, %v", name, got, err)
		}
		if _, err := Verify(got, keysOf(t), noon); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := BakePNG(inPNG, jwt); err == nil || !strings.Contains(err.Error(), "already") {
		t.Errorf("a second badge in a PNG: %v", err)
	}
	if _, err := BakeSVG(inSVG, jwt); err == nil || !strings.Contains(err.Error(), "uses the name openbadges") {
		t.Errorf("a second badge in an SVG: %v", err)
	}
}

func TestBakeRefuses(t *testing.T) {
	const svg = `<svg xmlns="http://www.w3.org/2000/svg">`
	for _, tt := range []struct {
		name string
		bake func([]byte, string) ([]byte, error)
		file string
		jwt  string
		want string
	}{
		{"a badge with markup", BakeSVG, svg + `</svg>`, `e30.e30."><script>`, "base64url"},
		{"a badge with a zero", BakePNG, string(byHand(t, handIHDR, handIEND)), "e30.e30.A\x00A", "base64url"},
		{"SVG as PNG", BakePNG, svg + `</svg>`, handToken, "not a PNG"},
		{"no IHDR", BakePNG, string(byHand(t, handIEND)), handToken, "IHDR"},
		{"two IHDR", BakePNG, string(byHand(t, handIHDR, handIHDR, handIEND)), handToken, "IHDR"},
		{"no IEND", BakePNG, string(byHand(t, handIHDR)), handToken, "cut off"},
		{"a wrong sum", BakePNG, string(byHand(t, handIHDR, "0000000049454e44ae426083")), handToken, "damaged"},
		{"a huge part", BakePNG, string(byHand(t, handIHDR, "ffffffff49444154ae426083")), handToken, "cut off"},
		{"too large", BakePNG, strings.Repeat("a", maxPicture), handToken, "too large"},
		{"empty", BakeSVG, "", handToken, "empty"},
		{"a word", BakeSVG, "laurel", handToken, "empty"},
		{"HTML", BakeSVG, "<html></html>", handToken, "not svg"},
		{"another svg", BakeSVG, `<svg xmlns="urn:a"></svg>`, handToken, "not svg"},
		{"an empty picture", BakeSVG, `<svg xmlns="http://www.w3.org/2000/svg" />`, handToken, "empty"},
		{"not closed", BakeSVG, svg, handToken, "damaged"},
		{"an entity", BakeSVG, `<!DOCTYPE svg [<!ENTITY a "b">]>` + svg + `&a;</svg>`, handToken, "damaged"},
		{"a badge under another name", BakeSVG, svg + `<b:credential xmlns:b="` + spaceBadge + `"/></svg>`, handToken, "already"},
		{"too deep", BakeSVG, svg + strings.Repeat("<g>", 100) + strings.Repeat("</g>", 100) + `</svg>`, handToken, "nested too deeply"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := tt.bake([]byte(tt.file), tt.jwt); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
}

func TestUnbakeRefuses(t *testing.T) {
	itxt := func(data string) string {
		return string(chunk{"IEND", nil}.write(chunk{"iTXt", []byte(data)}.write([]byte(pngHead))))
	}
	for _, tt := range []struct{ name, file, want string }{
		{"nothing", "", "no Open Badge"},
		{"a picture without", string(draw(t, explorer)), "no Open Badge"},
		{"a drawing without", string(explorer.SVG()), "no Open Badge"},
		{"the older Open Badges", itxt("openbadges\x00\x00\x00\x00\x00e30.e30.AA"), "no Open Badge"},
		{"compressed", itxt(itxtWord + "\x01\x00\x00\x00e30.e30.AA"), "compressed"},
		{"cut off", itxt(itxtWord), "compressed"},
		{"cut off later", itxt(itxtWord + "\x00\x00en"), "cut off"},
		{"another proof", itxt(itxtHead + ` {"proof":{}}`), "not signed as a JWT"},
		{"another proof in SVG", `<svg xmlns:o="` + spaceBadge + `"><o:credential><![CDATA[{}]]></o:credential></svg>`, "not signed as a JWT"},
		{"JSON", ` {"@context":[]}`, "not signed as a JWT"},
		{"not a badge inside", itxt(itxtHead + "hello"), "three parts"},
		{"half a badge", "eyJh.", "three parts"},
		{"JPEG", "\xff\xd8\xff\xe0\x00\x10JFIF", "not a PNG or SVG"},
		{"too large", strings.Repeat(" ", maxPicture+1), "too large"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := Unbake([]byte(tt.file)); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
}
