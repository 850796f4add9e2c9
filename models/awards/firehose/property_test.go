package firehose

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"laurel/models/awards/rules"
)

var filterSets = [][]string{
	{`[` + typesFilter(`"navi"`) + `]`},
	{`[` + typesFilter(`"navi","open_card","a"`) + `]`, `[` + sourcesFilter(`"photo"`) + `]`},
	{`[` + typesFilter(`"status","x-1"`) + `,` + sourcesFilter(`"bss"`) + `]`},
	{`[` + typesFilter(`"open_card"`) + `]`, `[` + sourcesFilter(`"bss"`) + `]`},
	{`[` + typesFilter(`"navi","b"`+hundreds()) + `]`},
	{`[]`},
}

func hundreds() (types string) {
	for i := range 300 {
		types += fmt.Sprintf(`,"open_%03d"`, i)
	}
	return types
}

func allFilters(t testing.TB) []*Filter {
	filters := make([]*Filter, len(filterSets))
	for i, set := range filterSets {
		filters[i] = New([]rules.Award{award(t, set...)}, "bss")
	}
	return filters
}

// Whatever format, spelling, order, space and noise a line has, it is kept just
// when the event that was written into it is wanted: the test knows the event
// and does not read the line.
func TestNoEventIsLost(t *testing.T) {
	filters := allFilters(t)
	check := func(t *rapid.T) {
		var stream strings.Builder
		want := make([]string, len(filters))
		for i := range rapid.IntRange(1, 20).Draw(t, "lines") {
			e := someEvent(t, i)
			stream.WriteString(written(t, e) + rapid.SampledFrom([]string{"\n", "\r\n", " \n", "\n\n"}).Draw(t, "end"))
			for k, f := range filters {
				if f.wanted.takes(&e) && e.Member != "" {
					want[k] += e.ID + "=" + e.Type + "/" + e.Source + "/" + e.Status + "/" + e.Member + " "
				}
			}
		}
		for k, f := range filters {
			got := ""
			c, err := f.Read(strings.NewReader(stream.String()), func(events []rules.Event) error {
				for _, e := range events {
					got += e.ID + "=" + e.Type + "/" + e.Source + "/" + e.Status + "/" + e.Member + " "
				}
				return nil
			})
			if err != nil || got != want[k] || c.FalseNegatives != 0 || c.Rejected != 0 {
				t.Fatalf("filters %s: %+v %v\ngot  %s\nwant %s\n%s", filterSets[k], c, err, got, want[k], stream.String())
			}
		}
	}
	rounds := 3
	if os.Getenv("LAUREL_SOAK") != "" {
		rounds = 200
	}
	for range rounds {
		rapid.Check(t, check)
	}
}

func someEvent(t *rapid.T, i int) rules.Event {
	pick := func(what string, from ...string) string { return rapid.SampledFrom(from).Draw(t, what) }
	e := rules.Event{
		ID: fmt.Sprint(i), Type: pick("type", "navi", "open_card", "a", "x-1", "status", "navi2", "Navi", "open", "b"),
		Source: pick("source", "bss", "bss", "photo", "reviews"), Member: pick("member", "ada", "42", ""),
	}
	if rapid.Bool().Draw(t, "of an item") {
		e.Item, e.Status = "i", pick("status", "active", "deleted")
	}
	return e
}

// written is a line that says the event in one of the formats.
func written(t *rapid.T, e rules.Event) string {
	fields := noise(t)
	add := func(value string, names ...string) {
		if value != "" {
			fields = append(fields, text(t, rapid.SampledFrom(names).Draw(t, "name"))+space(t)+":"+space(t)+text(t, value))
		}
	}
	format := rapid.SampledFrom([]string{"flat", "envelope", "pairs"}).Draw(t, "format")
	typeName := rapid.SampledFrom(typeNames).Draw(t, "name of the type")
	if format == "envelope" && typeName == "event" {
		typeName = "type"
	}
	add(e.Type, typeName)
	add(e.ID, idNames...)
	add(e.Member, memberNames...)
	add("2026-11-01T12:00:00Z", timeNames...)
	add(e.Item, "item")
	add(e.Status, "status")
	if e.Source != "bss" {
		add(e.Source, "source")
	}
	fields = rapid.Permutation(fields).Draw(t, "order")
	switch format {
	case "envelope":
		inner := text(t, rapid.SampledFrom(eventNames).Draw(t, "envelope")) + ":" + object(t, fields)
		return object(t, rapid.Permutation([]string{inner, `"meta":{"build":"navi","n":[1,{"status":"x"}]}`, `"schema":2`}).Draw(t, "order"))
	case "pairs":
		k := rapid.SampledFrom([][]string{{"key", "value"}, {"k", "v"}, {"name", "value"}}).Draw(t, "pairs")
		for i, f := range fields {
			name, value := cutField(f)
			fields[i] = object(t, rapid.Permutation([]string{text(t, k[0]) + ":" + name, text(t, k[1]) + ":" + value}).Draw(t, "pair"))
		}
		return object(t, []string{`"params":[` + strings.Join(fields, space(t)+","+space(t)) + "]", `"v":1`})
	}
	return object(t, fields)
}

// cutField parts a field at the colon behind its name.
func cutField(field string) (name, value string) {
	d := json.NewDecoder(strings.NewReader(field))
	_, _ = d.Token()
	name = field[:d.InputOffset()]
	return name, strings.TrimLeft(field[len(name):], " \t:")
}

// noise has the wanted names where they mean nothing.
func noise(t *rapid.T) []string {
	all := []string{
		`"metres":12.5`, `"screen":"navi"`, `"navi":true`, `"list":["open_card","navi"]`, `"deep":{"type":"navi","a":{"b":{"status":"active"}}}`,
		`"quote":"\"navi\" \\u0061 \\"`, `"word":"\u0411\u043e"`, `"half":"` + "\xd0" + `"`, `"null":null`, `"a":1`, `"long":"` + strings.Repeat("navi ", 50) + `"`,
	}
	return rapid.SliceOfNDistinct(rapid.SampledFrom(all), 0, 5, rapid.ID).Draw(t, "noise")
}

func object(t *rapid.T, fields []string) string {
	return "{" + space(t) + strings.Join(fields, space(t)+","+space(t)) + space(t) + "}"
}

func space(t *rapid.T) string {
	return rapid.SampledFrom([]string{"", "", "", " ", "\t", "  \t "}).Draw(t, "space")
}

// text writes a JSON text, now and then with letters spelt as escapes.
func text(t *rapid.T, s string) string {
	if rapid.IntRange(0, 3).Draw(t, "plain") > 0 {
		return `"` + s + `"`
	}
	var b strings.Builder
	for _, r := range s {
		switch rapid.IntRange(0, 4).Draw(t, "escape") {
		case 0:
			fmt.Fprintf(&b, `\u%04x`, r)
		case 1:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	return `"` + b.String() + `"`
}
