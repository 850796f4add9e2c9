package awards

import (
	"fmt"
	"slices"
	"strings"

	"laurel/models/awards/rules"
	views "laurel/views/awards"
)

// An awardForm is a document as fields. Each knows how to write itself back, and
// nothing else of the document changes.
type awardForm struct {
	fields   []views.EditorField // Of the award itself.
	picture  []views.EditorField
	tasks    []views.TaskForm
	levels   views.LevelsForm
	window   views.WindowForm
	strategy []views.NodeForm             // The root, where there is one.
	set      map[string]func(text string) // By path.
	Now      map[string]string            // What stands there; of a list as listed makes it.
	lists    map[string]bool              // The paths of lists, for which a form has several fields.
	errs     map[string]string
}

// kindsOf are the filters or the rules there are, by name.
func kindsOf(rule bool) (names []string, keys map[string][]rules.Key) {
	keys = map[string][]rules.Key{}
	for _, k := range rules.Kinds() {
		if k.Rule == rule {
			names, keys[k.Name] = append(names, k.Name), k.Keys
		}
	}
	return names, keys
}

// formOf makes the fields of a document; of one that is no object there are none.
func formOf(s *rules.Sheet, mistakes rules.Mistakes) *awardForm {
	f := &awardForm{set: map[string]func(string){}, Now: map[string]string{}, lists: map[string]bool{}, errs: map[string]string{}}
	for _, m := range mistakes {
		f.errs[m.Path] = m.Text
	}
	if !s.IsObject() {
		return f
	}
	text := func(key, label, help string, need bool) {
		f.fields = append(f.fields, f.key(s, key, rules.Key{Name: key, Help: help, Of: "text", Required: need}, label))
	}
	text("slug", "Address", "Used in the URL: lower-case letters, digits and single hyphens, as in /awards/night-owl.", true)
	text("title", "Title", "", true)
	text("text", "Text", "One or two sentences for members.", false)
	f.fields[2].Long = true
	f.fields = append(f.fields, f.choice(s, "permanence", &permanences)...)
	f.fields = append(f.fields, f.choice(s, "backfill", &backfills)...)
	f.addPicture(s)
	for i, o := range s.Key("objectives").Items() {
		if o.IsObject() {
			f.tasks = append(f.tasks, f.task(o, i))
			f.renames(s, o, f.tasks[len(f.tasks)-1].Field.Path)
		}
	}
	f.addStrategy(s)
	f.addLevels(s)
	f.addWindow(s)
	return f
}

// renames lets a task keep its places in the strategy when it is called otherwise.
func (f *awardForm) renames(s, o *rules.Sheet, path string) {
	write, was := f.set[path], o.Key("id").Text()
	f.set[path] = func(text string) {
		write(text)
		leaves(s.Key("strategy"), func(leaf *rules.Sheet) {
			if leaf.Key("objective_id").Text() == was {
				leaf.Set("objective_id", rules.NewText(o.Key("id").Text()))
			}
		})
	}
}

// key is one key of an object as a field.
func (f *awardForm) key(s *rules.Sheet, path string, k rules.Key, label string) views.EditorField {
	value := s.Key(k.Name)
	v := views.EditorField{Path: path, Label: label, Help: k.Help, Value: value.Text(), Error: f.errs[path],
		Number: strings.HasSuffix(k.Of, "number"), Need: k.Required}
	if k.Names != "" {
		v.List = "names-" + k.Names
	}
	switch k.Of {
	case "list of texts":
		f.lists[path] = true
		v.Many, v.Value = true, listed(textsOf(value))
		v.Values = strings.FieldsFunc(v.Value, func(r rune) bool { return r == apart })
		v.Options, v.Words = withOthers(k.Choices, v.Values), choiceWords
	case "time of day":
		v.Time = v.Value == "" || clockTime.MatchString(v.Value)
	}
	f.Now[path] = v.Value
	f.set[path] = func(text string) { s.Set(k.Name, valueOf(k, text)) }
	return v
}

// valueOf makes a value of what was typed; nil takes the key away.
func valueOf(k rules.Key, text string) *rules.Sheet {
	text = strings.TrimSpace(text)
	if text == "" && !k.Required {
		return nil
	}
	switch k.Of {
	case "number", "whole number":
		return rules.NewNumber(text)
	case "list of texts":
		return rules.NewTexts(strings.FieldsFunc(text, func(r rune) bool { return r == apart }))
	}
	return rules.NewText(text)
}

func (f *awardForm) task(o *rules.Sheet, i int) views.TaskForm {
	at := fmt.Sprintf("objectives[%d]", i)
	t := views.TaskForm{Index: i, ID: o.Key("id").Text(), Error: f.wrongAt(at, at+".filters", at+".rule", at+".rule.config")}
	t.Field = f.key(o, at+".id", rules.Key{Name: "id", Of: "text", Required: true}, "Name of the task")
	rule := o.Key("rule")
	names, keys := kindsOf(true)
	name := rule.Key("name").Text()
	t.Rule = views.EditorField{Path: at + ".rule.name", Label: "Rule", Value: name, Options: names, Error: f.errs[at+".rule.name"]}
	if !slices.Contains(names, name) {
		t.Rule.Options = append([]string{name}, names...)
	}
	f.Now[t.Rule.Path] = name
	f.set[t.Rule.Path] = func(to string) { o.Set("rule", partOf(to, keys[to])) }
	t.Keys = f.keys(rule, at+".rule", name, keys[name])
	_, filterKeys := kindsOf(false)
	for j, part := range o.Key("filters").Items() {
		name, at := part.Key("name").Text(), fmt.Sprintf("%s.filters[%d]", at, j)
		t.Filters = append(t.Filters, views.PartForm{Index: j, Name: name, Error: f.wrongAt(at, at+".name", at+".config"),
			Keys: f.keys(part, at, name, filterKeys[name])})
	}
	return t
}

// keys are the fields of a filter's or a rule's configuration.
func (f *awardForm) keys(part *rules.Sheet, at, name string, keys []rules.Key) []views.EditorField {
	var list []views.EditorField
	for _, k := range keys {
		config := part.Key("config")
		if config == nil {
			config = rules.NewObject()
		}
		v := f.key(config, at+".config."+k.Name, k, name+": "+k.Name)
		write := f.set[v.Path]
		f.set[v.Path] = func(text string) {
			if write(text); part.Key("config") == nil {
				part.Set("config", config)
			}
		}
		list = append(list, v)
	}
	return list
}

// partOf is a new filter or rule, with the keys that it must have.
func partOf(name string, keys []rules.Key) *rules.Sheet {
	config := rules.NewObject()
	for _, k := range keys {
		if k.Required {
			config.Set(k.Name, map[string]*rules.Sheet{"list of texts": rules.NewTexts(nil), "number": rules.NewNumber("0"),
				"whole number": rules.NewNumber("0"), "text": rules.NewText(""), "time of day": rules.NewText("")}[k.Of])
		}
	}
	part := rules.NewObject("name", rules.NewText(name))
	if config.String() != "{}" {
		part.Set("config", config)
	}
	return part
}

// Apply writes the fields that were changed into a document. before is what they
// were made of. Where the JSON was changed at the same place, it is the truth:
// the paths of such fields are returned.
func (f *awardForm) Apply(before *awardForm, typed map[string][]string) (changed bool, passed []string) {
	for _, path := range sortedKeys(before.Now) {
		was := before.Now[path]
		values, sent := typed[path]
		if !sent {
			continue
		}
		now := values[0]
		if before.lists[path] {
			now = listed(values)
		}
		if oneLine(now) == oneLine(was) {
			continue
		}
		set, still := f.set[path]
		if !still || f.Now[path] != was {
			if f.Now[path] != normal(now) {
				passed = append(passed, path)
			}
			continue
		}
		set(normal(now))
		changed = true
	}
	return changed, passed
}

// sortedKeys puts fields before the rule's name, which replaces what they are in.
func sortedKeys(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b string) int {
		if x, y := strings.HasSuffix(a, ".rule.name"), strings.HasSuffix(b, ".rule.name"); x != y {
			return -boolOrder(x, y)
		}
		return strings.Compare(a, b)
	})
	return keys
}

// oneLine is a value as a field of one line has it: browsers take line ends out.
func oneLine(s string) string { return strings.NewReplacer("\r", "", "\n", "").Replace(s) }

// normal undoes what forms do to line ends.
func normal(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }
