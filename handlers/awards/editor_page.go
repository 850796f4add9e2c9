package awards

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/awards"
	"laurel/models/awards/rules"
	"laurel/models/badges"
	"laurel/models/members"
	views "laurel/views/awards"
	"laurel/views/parts"
	"laurel/views/texts"
)

// showEditor fills the page, on which p says what was just done or refused.
func (h *Handlers) showEditor(c echo.Context, status int, d *draft, p views.Editor) error {
	ctx, a := c.Request().Context(), &d.award
	p.Slug, p.State, p.Version, p.Latest, p.Shown, p.Basis, p.Secret = a.Slug, string(
		a.State), a.Version, a.Latest, d.number, d.basis, a.Secret
	p.Title = d.doc.Title
	if p.Title == "" {
		p.Title = "New award"
	}
	p.Frame, p.Now = h.AwardsFrame(c, p.Title), h.Now().In(h.Viewer(c).Location())
	p.Frame.Editor = nonced(c)
	p.Document, p.Before, p.Note = d.text, d.text, d.note
	p.Look = d.form.picture
	p.Fields, p.Tasks, p.Levels, p.Window, p.Strategy = d.form.fields, d.form.tasks, d.form.levels, d.form.window, d.form.strategy
	p.Filters, _ = kindsOf(false)
	known, err := h.knownNames(c)
	if err != nil {
		return err
	}
	p.Names = suggested(known)
	p.Mistakes = mistakesOf(d.text, d.sheet, d.mistakes, d.form)
	warnings, err := h.warnings(c, &d.doc, d.mistakes)
	if err != nil {
		return err
	}
	p.Warnings = mistakesOf(d.text, d.sheet, warnings, d.form)
	p.Picture = string(badges.Picture(d.doc.Slug, &d.doc).SVG())
	if len(d.mistakes) == 0 {
		p.Tree = []views.TreeNode{treeWords(texts.With(ctx, "en"), &d.doc)}
		wants(p.Tasks, &d.doc)
	}
	if err := h.fillTry(c, &p); err != nil {
		return err
	}
	if err := h.fillVersions(ctx, a, &p); err != nil {
		return err
	}
	return web.Render(c, status, views.EditorPage(p))
}

// wants says beside the fields what they come to.
func wants(tasks []views.TaskForm, doc *rules.Award) {
	for i := range tasks {
		o := &doc.Objectives[tasks[i].Index]
		tasks[i].Wants = o.Rule.Config.Counts().String()
		for j := range tasks[i].Filters {
			tasks[i].Filters[j].Wants = web.Sentence(o.Filters[j].Config.Wants().String())
		}
	}
}

// fillVersions says where the award stands, and lists its versions.
func (h *Handlers) fillVersions(ctx context.Context, a *awards.Award, p *views.Editor) error {
	if a.ID == 0 {
		p.About = "Nobody sees it until you activate it."
		return nil
	}
	versions, err := awards.Versions(ctx, h.DB.DB, a.ID)
	if err != nil {
		return err
	}
	for _, v := range versions {
		p.Versions = append(p.Versions, viewVersion(&v, a))
	}
	shown, err := awards.ShownNamed(ctx, h.DB.DB, a.Slug, &members.Member{Role: members.RoleAdmin})
	if err != nil {
		return err
	}
	granted, err := awards.CountGrants(ctx, h.DB.DB, a.ID)
	if err != nil {
		return err
	}
	p.Delete, p.Holders = a.State.Deletable(granted), int(shown.Holders)
	for _, to := range []rules.State{rules.Running, rules.Paused, rules.Retired, rules.Hidden} {
		if a.State.May(to) && a.State != rules.Draft {
			p.Moves = append(p.Moves, string(to))
		}
	}
	recounts, err := awards.OpenRecounts(ctx, h.DB.DB)
	if err != nil {
		return err
	}
	p.About = views.About(*p, a.ActivatedAt)
	if r, ok := recounts[a.ID]; ok {
		p.About += fmt.Sprintf(" Counting: %s items so far.", parts.Number(int(r.Items)))
	}
	return nil
}

func viewVersion(v *awards.Version, a *awards.Award) views.Version {
	return views.Version{Number: v.Number, Author: v.Author, Note: v.Note, At: v.CreatedAt, Runs: v.Number == a.Version}
}

// A lintMark is a mistake as an editor shows it.
type lintMark struct {
	Path     string `json:"path"`
	From     int    `json:"from"`
	To       int    `json:"to"`
	Message  string `json:"message"`
	Severity string `json:"severity"` // error or warning.
	Field    string `json:"field"`    // The id of its field in the form, if it has one.
}

// Lint reports all mistakes of a document, with their places.
func (h *Handlers) Lint(c echo.Context) error {
	text, err := bodyText(c)
	if err != nil {
		return err
	}
	sheet, _ := rules.ReadSheet([]byte(text))
	doc, mistakes := parseAward(c.QueryParam("slug"), text)
	warnings, err := h.warnings(c, &doc, mistakes)
	if err != nil {
		return err
	}
	form, marks := formOf(sheet, mistakes), []lintMark{}
	for _, m := range mistakesOf(text, sheet, mistakes, form) {
		if sheet == nil { // Not JSON: the place is in the words.
			m.From = offsetOf(text, m.Text)
			m.To = m.From + 1
		}
		marks = append(marks, lintMark{m.Path, m.From, m.To, m.Text, "error", m.FieldID()})
	}
	for _, m := range mistakesOf(text, sheet, warnings, form) {
		marks = append(marks, lintMark{m.Path, m.From, m.To, m.Text, "warning", m.FieldID()})
	}
	return c.JSON(http.StatusOK, marks)
}

// offsetOf finds the line and the column that a mistake of syntax names.
func offsetOf(text, words string) int {
	var line, column int
	if i := strings.Index(words, "(line "); i < 0 {
		return 0
	} else if n, _ := fmt.Sscanf(words[i:], "(line %d, column %d)", &line, &column); n != 2 {
		return 0
	}
	lines := strings.SplitAfter(text, "\n")
	before := strings.Join(lines[:min(max(line-1, 0), len(lines))], "")
	return max(units(before)+column-2, 0)
}

// dryRun counts what the document in the form would do.
func (h *Handlers) dryRun(c echo.Context, d *draft, p *views.Editor) {
	p.DryRun = &views.DryRun{}
	if len(d.mistakes) > 0 {
		p.DryRun.Wrong = "Fix the errors listed below the JSON first."
		return
	}
	start := h.Now()
	r, err := awards.DryRunOf(c.Request().Context(), h.DB.DB, &d.award, &d.doc, start)
	if err != nil {
		h.Log.ErrorContext(c.Request().Context(), "dry run failed", "award", d.doc.Slug, "err", err)
		p.DryRun.Wrong = "The preview failed; see the server log."
		return
	}
	permanence, _ := d.doc.Permanence.MarshalText()
	*p.DryRun = views.DryRun{Took: h.Now().Sub(start), Gained: r.Gained, Lost: r.Lost, Kept: r.Kept, Near: r.Near, Holders: r.Holders,
		Notices: r.Notices, TooOld: r.TooOld,
		Backfill: r.Backfill, Permanence: string(permanence), Members: r.Members, Of: int(r.Of), Items: int(r.Items)}
	for _, s := range r.Samples {
		v := views.DrySample{Name: s.Member, Change: s.Change, Progress: s.Progress.String() + " of " + s.Goal.String()}
		if d.award.ID != 0 {
			v.Link = "/admin/awards/" + d.award.Slug + "/members/" + s.Member
		}
		p.DryRun.Samples = append(p.DryRun.Samples, v)
	}
}

// versionParam is a number of a version in the address.
func versionParam(c echo.Context, name string) int {
	n, _ := strconv.Atoi(c.QueryParam(name))
	return max(n, 0)
}
