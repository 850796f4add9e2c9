package events

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"laurel/models/awards/rules"
	pg "laurel/models/db"
)

// RememberedDays is how long ago a source, a type or a fact may have been seen to be offered by
// the editor. What is named there and was not seen so long is mostly misspelt.
const RememberedDays = 30

// namesAtMost is how many types and facts of a source are remembered.
const namesAtMost = 300

// SourceNames are a source with what its events may name.
type SourceNames struct {
	Source string
	Own    bool // Laurel's own.
	Types  []string
	Facts  []Fact
}

// A Fact is a name of a fact and what it is: text, number, yes or no, list of texts.
type Fact struct{ Name, Of string }

// own are the sources that Laurel feeds itself. The guide lists the same.
var own = []SourceNames{
	{"days", true, []string{"day"}, factsOf("submissions:number accepted:number")},
	{"messages", true, []string{"message"}, factsOf("forum subject text reply:yes_or_no url")},
	{"posts", true, []string{"post"}, factsOf("network likes:number reposts:number replies:number quotes:number bookmarks:number " +
		"views:number repost:yes_or_no text url")},
	{"ratings", true, []string{"rating"}, factsOf("site contest name rank:number rating:number")},
	{"submissions", true, []string{"submission"}, factsOf("site language verdict points:number problem difficulty:number " +
		"tags:list_of_texts contest participation url first_solve:yes_or_no")},
}

func factsOf(list string) (facts []Fact) {
	for _, one := range strings.Fields(list) {
		name, of, ok := strings.Cut(one, ":")
		if !ok {
			of = "text"
		}
		facts = append(facts, Fact{name, strings.ReplaceAll(of, "_", " ")})
	}
	return facts
}

// Names are Laurel's own sources and those that sent something in the last RememberedDays.
func Names(ctx context.Context, db *gorm.DB, now time.Time) ([]SourceNames, error) {
	var rows []struct{ Source, Kind, Name, Of string }
	err := db.WithContext(ctx).Raw(queries.Must("names"), pg.Named("since", now.AddDate(0, 0, -RememberedDays))).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("names of events: %w", err)
	}
	list := make([]SourceNames, len(own))
	for i, s := range own {
		list[i] = SourceNames{s.Source, true, slices.Clone(s.Types), slices.Clone(s.Facts)}
	}
	for _, r := range rows {
		i := slices.IndexFunc(list, func(s SourceNames) bool { return s.Source == r.Source })
		if i < 0 {
			i, list = len(list), append(list, SourceNames{Source: r.Source})
		}
		switch s := &list[i]; {
		case r.Kind == "type" && !slices.Contains(s.Types, r.Name):
			s.Types = append(s.Types, r.Name)
		case r.Kind == "fact" && !slices.ContainsFunc(s.Facts, func(f Fact) bool { return f.Name == r.Name }):
			s.Facts = append(s.Facts, Fact{r.Name, r.Of})
		}
	}
	slices.SortFunc(list, func(a, b SourceNames) int { return strings.Compare(a.Source, b.Source) })
	return list, nil
}

// seeNames remembers what events were named and what facts they had. Senders of a source wait for
// each other already, so that no two write the same row.
func seeNames(ctx context.Context, tx *gorm.DB, events []*rules.Event, now time.Time) error {
	type key struct{ source, kind, name string }
	seen := map[key]string{}
	for _, e := range events {
		seen[key{e.Source, "type", e.Type}] = ""
		for name, fact := range e.Facts {
			if k := (key{e.Source, "fact", name}); seen[k] == "" {
				seen[k] = kindOfFact(fact)
			}
		}
	}
	var sources, kinds, names, of []string
	for k, what := range seen {
		sources, kinds, names, of = append(sources, k.source), append(kinds, k.kind), append(names, k.name), append(of, what)
	}
	err := tx.WithContext(ctx).Exec(queries.Must("see_names"), pg.Named("sources", &sources, "kinds", &kinds, "names", &names, "of", &of,
		"today", now.UTC().Format(time.DateOnly), "most", namesAtMost)).Error
	if err != nil {
		return fmt.Errorf("remember names of events: %w", err)
	}
	return nil
}

func kindOfFact(fact any) string {
	switch fact.(type) {
	case rules.Amount:
		return "number"
	case bool:
		return "yes or no"
	case []string:
		return "list of texts"
	}
	return "text"
}
