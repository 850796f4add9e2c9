package awards

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"laurel/views/parts"
)

// An Editor is the page on which an admin writes an award.
type Editor struct {
	Frame    parts.Frame
	Now      time.Time
	Slug     string // "" for a new one.
	Fresh    bool   // Nothing was written yet.
	Title    string
	State    string
	Version  int // The one that runs; 0 before the first.
	Latest   int
	Shown    int // The version in the editor.
	Basis    int // The newest version that the writer has seen.
	About    string
	Document string
	Before   string // What the fields were made of.
	Note     string
	Wrong    string // Why it was not saved.
	Done     string // What was done, or could not be done with the fields.
	Picture  string // How the award looks, as SVG.
	Fields   []EditorField
	Look     []EditorField       // Of the picture.
	Names    map[string][]string // What fields suggest, by what is named.
	Tasks    []TaskForm
	Levels   LevelsForm
	Window   WindowForm
	Filters  []string // Names to choose from.
	Mistakes []Mistake
	Warnings []Mistake  // What nobody sends; it hinders nothing.
	Strategy []NodeForm // Its root; none where it cannot be read.
	Tree     []TreeNode // None where the strategy cannot be read.
	Words    []ObjectiveWords
	Try      TryForm
	DryRun   *DryRun
	Conflict *Conflict
	Versions []Version
	Moves    []string // The states that may follow.
	Secret   bool
	Delete   bool // May be deleted.
	Holders  int
}

// An EditorField is one key of the document as a field of the form.
type EditorField struct {
	Path    string // Of the key, and the field's name.
	Label   string
	Help    string
	Value   string
	Error   string
	Options []string          // Of a list to choose from.
	Words   map[string]string // What they say, where it is not the value.
	Drawn   map[string]string // How the options look, as SVG: they are shown side by side then.
	Many    bool              // A list: one field a value, or a tick a choice.
	Values  []string          // Of a list.
	List    string            // The id of the names it suggests.
	Long    bool
	Date    bool
	Time    bool
	Number  bool
	Need    bool
}

func (f EditorField) id() string { return fieldID(f.Path) }

func (f EditorField) attributes() templ.Attributes {
	a := templ.Attributes{"data-field": true}
	about := ""
	if f.Help != "" {
		about = f.id() + "-hint"
	}
	if f.Error != "" {
		a["aria-invalid"] = "true"
		about = parts.Glue(f.id()+"-error", " ", about)
	}
	if about != "" {
		a["aria-describedby"] = about
	}
	if f.Number {
		a["inputmode"] = "decimal"
	}
	if f.Date {
		a["type"] = "date"
	}
	if f.Time {
		a["type"] = "time"
	}
	if f.List != "" {
		a["list"] = f.List
	}
	return a
}

// ticked says whether a choice of a list is taken.
func (f EditorField) ticked(option string) bool { return slices.Contains(f.Values, option) }

// nth is the id of the nth field of a list, or of the nth option.
func (f EditorField) nth(i int) string {
	if i == 0 {
		return f.id()
	}
	return f.id() + "-" + strconv.Itoa(i+1)
}

// another is what the empty field of a list says, where there is more than that.
func (f EditorField) another() string {
	if len(f.Values) == 0 {
		return ""
	}
	return "another one"
}

// naming says which value of a list a field is; the first has the label in sight.
func (f EditorField) naming(i int) templ.Attributes {
	a := f.attributes()
	if i > 0 {
		a["aria-label"] = f.Label + ", " + strconv.Itoa(i+1)
	}
	return a
}

func (f EditorField) option(value string) string {
	if words, ok := f.Words[value]; ok {
		return words
	}
	return value
}

// fieldID makes an id of a path.
func fieldID(path string) string {
	return "at-" + strings.Trim(strings.Map(func(r rune) rune {
		if r == '[' || r == ']' || r == '.' {
			return '-'
		}
		return r
	}, strings.ReplaceAll(path, "].", ".")), "-")
}

// A TaskForm is one objective.
type TaskForm struct {
	Index   int
	ID      string
	Field   EditorField
	Filters []PartForm
	Rule    EditorField
	Keys    []EditorField // Of the rule.
	Error   string
	Wants   string
}

// A PartForm is a filter with its keys.
type PartForm struct {
	Index       int
	Name, Wants string
	Keys        []EditorField
	Error       string
}

func (t TaskForm) act(what string, more ...int) string {
	words := what + " " + strconv.Itoa(t.Index)
	for _, n := range more {
		words += " " + strconv.Itoa(n)
	}
	return words
}

func (t TaskForm) anchor() string { return "task-" + strconv.Itoa(t.Index) }

// A Mistake is one thing that is wrong, and where.
type Mistake struct {
	Path, Text string
	Field      string // The path of the field of the form that stands for it, if any.
	Line       int
	From, To   int // In the document, as browsers count.
}

func (m Mistake) place() string {
	if m.Path == "" {
		return "The document"
	}
	return m.Path
}

// FieldID is the id of its field in the form, or "".
func (m Mistake) FieldID() string {
	if m.Field == "" {
		return ""
	}
	return fieldID(m.Field)
}

func (m Mistake) words() string {
	if m.Line > 0 && !strings.Contains(m.Text, "line ") {
		return ": " + m.Text + " (line " + strconv.Itoa(m.Line) + ")"
	}
	return ": " + m.Text
}

// A Version is a line in the list of versions.
type Version struct {
	Number       int
	Author, Note string
	At           time.Time
	Runs         bool
}

// saveWords is on the button.
func (p Editor) saveWords() string {
	if p.Slug == "" {
		return "Save as a draft"
	}
	return "Save as version " + strconv.Itoa(p.Latest+1)
}

// activates reports whether the newest version can be activated.
func (p Editor) activates() bool {
	return p.Slug != "" && p.Latest > 0 && (p.Version != p.Latest || p.State != "active")
}

func (p Editor) action() string {
	if p.Slug == "" {
		return "/admin/awards/new"
	}
	return editorPath(p.Slug)
}

// tagClass colours the state only where the version that is shown is in it.
func (p Editor) tagClass() string {
	if p.Shown == p.Version {
		return p.State
	}
	return ""
}

// tag is the state in short.
func (p Editor) tag() string {
	switch {
	case p.Slug == "":
		return "new"
	case p.Shown == p.Version:
		return p.State + ", version " + strconv.Itoa(p.Shown)
	case p.Shown == p.Latest:
		return "draft, version " + strconv.Itoa(p.Shown)
	}
	return "old, version " + strconv.Itoa(p.Shown)
}

// About is the line below the title: what runs, who has it, who wrote last.
func About(p Editor, activated *time.Time) string {
	words := "Never activated."
	if p.Version > 0 && activated != nil {
		words = "Version " + strconv.Itoa(p.Version) + " is active. First activated " + parts.Day(*activated, p.Now) + "; " +
			parts.Plural(p.Holders, "member") + " "
		words += map[bool]string{true: "has", false: "have"}[p.Holders == 1] + " it."
	}
	if len(p.Versions) > 0 {
		words += " Last edited by " + p.Versions[0].Author + " " + parts.Ago(p.Versions[0].At, p.Now) + "."
	}
	return words
}
