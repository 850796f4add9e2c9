package charts

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"laurel/views/viewstest"
)

func TestRatingMultiples(t *testing.T) {
	day := func(n int) time.Time { return viewstest.Now.AddDate(0, 0, n) }
	list := []Multiple{
		{Curve{Site: "<b>", Events: []RatingEvent{{Rating: 1200, At: day(-20)}, {Rating: 1900, At: day(-10)}, {Rating: 1800, At: day(0)}}}, "a.rating"},
		{Curve{Site: "One", Events: []RatingEvent{{Rating: 1500, At: day(0)}}}, "b.rating"},
		{Curve{Site: "None"}, "c.rating"},
	}
	for i := range 5000 {
		list[1].Events = append(list[1].Events[:0:0], list[1].Events...)
		if i == 0 {
			list = append(list, Multiple{Curve{Site: "Many"}, "d.rating"})
		}
		list[3].Events = append(list[3].Events, RatingEvent{Rating: i % 3000, At: day(-5000 + i)})
	}
	html := viewstest.Rendered(t, RatingMultiples(list))
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(html))
	if err != nil {
		t.Fatal(err)
	}
	pictures := doc.Find("svg.curve")
	if pictures.Length() != 3 { // None has none.
		t.Fatalf("%d pictures: %s", pictures.Length(), html)
	}
	first := pictures.First()
	if d, _ := first.Find("path").Last().Attr("d"); d != "M4 92L150 8L296 20" {
		t.Errorf("the line is %s", d)
	}
	if label, _ := first.Attr("aria-label"); !strings.HasPrefix(label, "3 contests from ") || !strings.HasSuffix(label, "lowest 1200, best 1900, now 1800") {
		t.Errorf("it is called %s", label)
	}
	if text := doc.Find("h3").First().Text(); text != "<b>1800 best 1900" {
		t.Errorf("the heading is %q", text)
	}
	if points := strings.Count(fmt.Sprint(pictures.Last().Find("path").Last().AttrOr("d", "")), "L"); points > multiplePoints {
		t.Errorf("%d points of 5,000 contests", points)
	}
}
