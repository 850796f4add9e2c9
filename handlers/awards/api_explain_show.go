package awards

import (
	"bytes"
	"encoding/json"

	"laurel/handlers/web"
	"laurel/models/awards"
	"laurel/models/awards/rules"
)

func (h *Handlers) showExplanation(x *awards.Explanation) apiExplanation {
	out := apiExplanation{Member: x.Member.Name, BannedAt: web.UTC(x.Member.BannedAt), Standing: h.showStanding(&x.Standing),
		Version: x.Version, Waiting: x.Waiting,
		Why: append([]string{}, x.Why()...), Items: make([]apiItem, len(x.Items)), Log: make([]apiLogLine, len(x.Log)),
		GrantLog: make([]apiGrantLog, len(x.GrantLog)),
		Bans:     make([]apiBan, len(x.Bans)), Sources: make([]apiSource, len(x.Sources)), Objectives: []apiTask{}}
	for i := range x.Items {
		out.Items[i] = showItem(&x.Items[i])
	}
	if x.MoreItems {
		out.NextItems = web.EncodeCursor("items", x.Items[len(x.Items)-1].Place())
	}
	for i := range x.Log {
		out.Log[i] = showLogLine(&x.Log[i])
	}
	if x.MoreLog {
		out.NextLog = web.EncodeCursor("log", x.Log[len(x.Log)-1].ID)
	}
	for i, l := range x.GrantLog {
		out.GrantLog[i] = apiGrantLog{l.Level, l.Period, l.At.UTC(), l.What, l.Reason, l.Author}
	}
	for i, b := range x.Bans {
		out.Bans[i] = apiBan{b.At.UTC(), b.Banned, b.Author, b.Note}
	}
	for i, s := range x.Sources {
		out.Sources[i] = showSource(s)
	}
	if len(x.Mistakes) == 0 {
		for i := range x.Doc.Objectives {
			out.Objectives = append(out.Objectives, showTask(&x.Doc.Objectives[i]))
		}
	}
	return out
}

func showTask(o *rules.Objective) apiTask {
	t := apiTask{ID: o.ID, Filters: []string{}, Rule: o.Rule.Name + ": " + o.Rule.Config.Counts().String()}
	for _, f := range o.Filters {
		t.Filters = append(t.Filters, f.Name+": "+f.Config.Wants().String())
	}
	return t
}

func showItem(i *awards.ExplainedItem) apiItem {
	out := apiItem{Source: i.Source, Key: i.Key, EventID: i.EventID, Status: i.Status, At: i.At.UTC(), ArrivedAt: i.ArrivedAt.UTC(),
		Event: i.Body, Verdicts: []apiVerdict{}}
	for _, v := range i.Verdicts {
		shown := apiVerdict{Objective: v.Objective, Because: v.Because.String(), Filters: []apiFilterVerdict{}}
		for _, f := range v.Filters {
			shown.Filters = append(shown.Filters, apiFilterVerdict{f.Filter, f.Wants.String(), f.Pass})
		}
		if v.Amount != 0 {
			shown.Contribution = &apiContribution{v.Period, v.Status, v.Cell, v.Amount}
		}
		out.Verdicts = append(out.Verdicts, shown)
	}
	return out
}

func showLogLine(l *awards.LogLine) apiLogLine {
	return apiLogLine{l.ID, l.At.UTC(), l.Objective, l.Source, l.Key, l.EventID, l.Reason, contributionOf(l.Was), contributionOf(l.Became)}
}

// contributionOf reads what the log has of a contribution: its four parts.
func contributionOf(text *string) *apiContribution {
	if text == nil {
		return nil
	}
	var c apiContribution
	var millionths json.Number
	d := json.NewDecoder(bytes.NewReader([]byte(*text)))
	d.UseNumber()
	if d.Decode(&[]any{&c.Period, &c.Status, &c.Cell, &millionths}) != nil {
		return nil
	}
	n, err := millionths.Int64()
	if err != nil {
		return nil
	}
	c.Amount = rules.Amount(n)
	return &c
}
