package rules

import "reflect"

// A Naming is a place of a document that names something outside it: a source, a type, a fact
// or a site.
type Naming struct {
	Path  string
	Names string   // source, type, fact or site.
	Text  string   // What stands there.
	Reach []string // The sources that the objective takes; nil for any.
}

// Namings are all such places, in the order of the document.
func (a *Award) Namings() []Naming {
	var list []Naming
	for i := range a.Objectives {
		o := &a.Objectives[i]
		at, reach := element("objectives", i), o.Reach().Sources
		for j, f := range o.Filters {
			list = append(list, namingsOf(f.Config, join(element(join(at, "filters"), j), "config"), reach)...)
		}
		if o.Rule.Config != nil {
			list = append(list, namingsOf(o.Rule.Config, join(join(at, "rule"), "config"), reach)...)
		}
	}
	return list
}

func namingsOf(config any, at string, reach []string) (list []Naming) {
	v := reflect.ValueOf(config).Elem()
	for _, f := range fieldsOf(v.Type()) {
		if f.Names == "" {
			continue
		}
		path := join(at, f.Name)
		switch value := v.FieldByIndex(f.index).Interface().(type) {
		case string:
			list = append(list, Naming{path, f.Names, value, reach})
		case []string:
			for i, text := range value {
				list = append(list, Naming{element(path, i), f.Names, text, reach})
			}
		}
	}
	return list
}
