package profiles

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/archive"
	"laurel/models/archive/shards"
	pg "laurel/models/db"
	modelhistory "laurel/models/history"
	archiveviews "laurel/views/archive"
	"laurel/views/charts"
	"laurel/views/texts"
)

// A number is one field of a built-in shard as pages call it: %s is the site.
type number struct {
	field, name, title string
	counted            bool // Written with a comma in thousands, like all that is counted.
}

// numbers are the fields that a member's history shows, in order. A field's name
// follows that of its site: codeforces.rating.
var numbers = []struct {
	shard  string
	fields []number
}{
	{"member_totals", []number{{"solved", "solved", texts.Mark("Problems solved"), true},
		{"submissions", "submissions", texts.Mark("Submissions"), true},
		{"accepted", "accepted", texts.Mark("Accepted submissions"), true}}},
	{"member_streaks", []number{{"day_streak", "day_streak", texts.Mark("Days in a row"), true},
		{"best_day_streak", "best_day_streak", texts.Mark("Best days in a row"), true},
		{"accepted_streak", "accepted_streak", texts.Mark("Accepted in a row"), true},
		{"best_accepted_streak", "best_accepted_streak", texts.Mark("Best accepted in a row"), true}}},
	{"account_totals", []number{{"solved", "solved", texts.Mark("%s solved"), true},
		{"submissions", "submissions", texts.Mark("%s submissions"), true}, {"accepted", "accepted", texts.Mark("%s accepted"), true}}},
	{"account_undetailed", []number{{"submissions", "undetailed", texts.Mark("%s submissions without details"), true},
		{"solved", "undetailed_solved", texts.Mark("%s solved without details"), true}}},
	{"account_rating", []number{{"rating", "rating", texts.Mark("%s rating"), false},
		{"best", "best_rating", texts.Mark("%s best rating"), false}}},
	{"account_rank", []number{{"rank", "rank", texts.Mark("%s rank"), true}}},
	{"account_counts", []number{{"solved", "site_solved", texts.Mark("Solved, according to %s"), true},
		{"submitted", "site_submitted", texts.Mark("Submitted, according to %s"), true}}},
	{"account_title", []number{{"title", "title", texts.Mark("%s title"), false}}},
	{"account_name", []number{{"name", "name", texts.Mark("Name on %s"), false}}},
	{"account_place", []number{{"country", "country", texts.Mark("Country on %s"), false},
		{"organisation", "organisation", texts.Mark("Organisation on %s"), false}}},
	{"member_person", []number{{"display_name", "display_name", texts.Mark("Name"), false},
		{"time_zone", "time_zone", texts.Mark("Time zone"), false}}},
}

func (n number) nameOf(source string) string {
	if source == modelhistory.OwnSource {
		return n.name
	}
	return source + "." + n.name
}

// said is what pages call it.
func (n number) said(ctx context.Context, source, title string) string {
	if source == modelhistory.OwnSource {
		return texts.Say(ctx, n.title)
	}
	return texts.Say(ctx, n.title, title)
}

// titleOf is its English name, for programs.
func (n number) titleOf(source, title string) string {
	if source == modelhistory.OwnSource {
		return n.title
	}
	return fmt.Sprintf(n.title, title)
}

// A knownGroup is what is known of one key of a shard, and the numbers that it shows.
type knownGroup struct {
	k      *modelhistory.Known
	fields []number
}

// knownGroups are the numbers of a history, the member's own first, then site by site.
func (h *Handlers) knownGroups(hist *modelhistory.History) []knownGroup {
	var out []knownGroup
	for i := range hist.Known {
		if at := placeOf("", hist.Known[i].Shard.Name); at < len(numbers) {
			out = append(out, knownGroup{&hist.Known[i], numbers[at].fields})
		}
	}
	slices.SortStableFunc(out, func(a, b knownGroup) int {
		return cmp.Or(cmp.Compare(placeOf(a.k.Source, ""), placeOf(b.k.Source, "")), web.CompareFold(a.k.Source, b.k.Source),
			cmp.Compare(placeOf("", a.k.Shard.Name), placeOf("", b.k.Shard.Name)))
	})
	return out
}

func (h *Handlers) numberGroups(ctx context.Context, c echo.Context, hist *modelhistory.History) []archiveviews.NumberGroup {
	var out []archiveviews.NumberGroup
	for _, g := range h.knownGroups(hist) {
		out = append(out, h.numberGroup(ctx, c, hist, g.k, g.fields))
	}
	return out
}

// placeOf is where a source or a shard stands: Laurel's own first.
func placeOf(source, shard string) int {
	if source != "" {
		if source == modelhistory.OwnSource {
			return 0
		}
		return 1
	}
	for i, n := range numbers {
		if n.shard == shard {
			return i
		}
	}
	return len(numbers)
}

func (h *Handlers) numberGroup(
	ctx context.Context, c echo.Context, hist *modelhistory.History, k *modelhistory.Known, fields []number,
) archiveviews.NumberGroup {
	g := archiveviews.NumberGroup{Source: h.SourceTitle(c, k.Source), Certainty: certaintyOf(hist, k), Strip: stripOf(hist, k, fields)}
	q := url.Values{}
	for field, value := range k.Rows[0].Key {
		q.Set(field, fmt.Sprint(value))
	}
	g.Timeline = "/archive/" + k.Shard.Name + "/history?" + q.Encode()
	for _, f := range fields {
		n := archiveviews.Figure{Name: f.nameOf(k.Source), Title: f.said(ctx, k.Source, g.Source)}
		if k.Valid != nil {
			n.Value = f.text(ctx, hist, k.Valid)
			if k.Valid.EndReason == shards.Changed && k.Next != nil {
				n.Next = f.text(ctx, hist, k.Next)
			}
		}
		g.Numbers = append(g.Numbers, n)
	}
	g.Strip.Title = g.Numbers[0].Title
	return g
}

// text is a value as the page shows it. A streak of days is what counts on the
// day of the instant.
func (n number) text(ctx context.Context, hist *modelhistory.History, row *archive.Snapshot) string {
	now := !row.ValidFrom.After(hist.At) && (row.ValidUntil == nil || row.ValidUntil.After(hist.At))
	if n.field == "day_streak" && now {
		return texts.Number(ctx, hist.Stats.CurrentDayStreak(pg.CivilDay(hist.At, hist.Zone)))
	}
	switch v := row.Data[n.field].(type) {
	case int64:
		if n.counted {
			return texts.Number(ctx, int(v))
		}
		return strconv.FormatInt(v, 10)
	case string:
		return v
	}
	return ""
}

func certaintyOf(hist *modelhistory.History, k *modelhistory.Known) archiveviews.Certainty {
	c := archiveviews.Certainty{Class: web.CertaintyWords[modelhistory.CertaintyOf(k.Valid, k.Before, hist.At)]}
	row := k.Valid
	if row == nil {
		row = k.Before
	}
	if row != nil {
		c.SeenBefore, c.SeenAfter, c.Ended, c.Reason = web.Deref(row.SeenBefore), web.Deref(row.SeenAfter), web.Deref(
			row.ValidUntil), row.EndReason
	} else if k.Next != nil {
		c.FirstSeen = k.Next.ValidFrom
	}
	if c.Class == archiveviews.Known || c.Class == archiveviews.Confirmed {
		return c
	}
	for _, p := range hist.Pages {
		if p.Source == k.Source && p.Failed > 0 && (c.FailingFrom.IsZero() || p.FailingFrom.Before(c.FailingFrom)) {
			c.FailingFrom, c.FailingUntil = web.Deref(p.FailingFrom), web.Deref(p.FailingUntil)
		}
	}
	return c
}

// stripOf draws what is known around the instant.
func stripOf(hist *modelhistory.History, k *modelhistory.Known, fields []number) charts.Strip {
	s := charts.Strip{From: hist.From.In(hist.Zone), Until: hist.Until.In(hist.Zone), At: hist.At, Failed: hist.Failed[k.Source]}
	for i := range k.Rows {
		r := &k.Rows[i]
		span := charts.StripSpan{From: r.ValidFrom, LastSeen: r.ValidFrom, Until: web.Deref(r.ValidUntil), Label: labelOf(r, fields)}
		if n := len(r.Retrieved); n > 0 {
			span.LastSeen = r.Retrieved[n-1]
		}
		s.Spans = append(s.Spans, span)
		s.Checks = append(s.Checks, r.Retrieved...)
	}
	slices.SortFunc(s.Checks, time.Time.Compare)
	return s
}

// labelOf is a row's values in a few words.
func labelOf(r *archive.Snapshot, fields []number) string {
	text := ""
	for i, f := range fields {
		if v := r.Data[f.field]; v != nil {
			if i > 0 && text != "" {
				text += ", "
			}
			text += fmt.Sprint(v)
		}
	}
	return text
}
