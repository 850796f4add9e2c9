package rules

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
)

// Schema is the JSON schema of an award's document, draft 2020-12. It is made of what Parse
// reads: the fields of the structs and every registered filter and rule. It knows all names and
// types; what one part of a document means to another only Parse knows.
//
// The key x-names says what a text names, for editors that complete it: source, type, fact, site
// or objective.
func Schema() []byte {
	s := schemaOf(reflect.TypeFor[Award](), field{})
	s["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	s["title"] = "An award of Laurel"
	s["properties"].(object)["strategy"] = object{"description": s["properties"].(object)["strategy"].(object)["description"],
		"allOf": []object{{"$ref": "#/$defs/node"}, {"required": []string{"goal"}}}}
	s["$defs"] = object{
		"filter": object{"oneOf": partSchemas(filters)},
		"rule":   object{"oneOf": partSchemas(rules)},
		"node":   nodeSchema(),
	}
	doc, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		panic("awards: a schema can be written: " + err.Error())
	}
	return doc
}

type object = map[string]any

// texts are the types that are written as a text of some form.
var texts = map[reflect.Type]object{
	reflect.TypeFor[Permanence](): {"type": "string", "pattern": `^(permanent|live|confirmed_after:[0-9]+[dh])$`,
		"examples": []string{"permanent", "live", "confirmed_after:7d"}},
	reflect.TypeFor[Backfill](): {"type": "string", "pattern": `^(all|none|since:[0-9]{4}-[0-9]{2}-[0-9]{2}(T.+)?)$`,
		"examples": []string{"all", "none", "since:2026-09-01"}},
	reflect.TypeFor[span]():  {"type": "string", "pattern": `^[0-9]+[dh]$`, "examples": []string{"12h", "24h", "7d"}},
	reflect.TypeFor[zone]():  {"type": "string", "pattern": `^(member|fixed:.+)$`, "examples": []string{"member", "fixed:Europe/Berlin"}},
	reflect.TypeFor[day]():   {"type": "string", "pattern": `^[0-9]{4}-[0-9]{2}-[0-9]{2}$`},
	reflect.TypeFor[clock](): {"type": "string", "pattern": `^[0-9]{2}:[0-9]{2}$`},
}

// schemaOf describes a type; f says more of the field that has it.
func schemaOf(t reflect.Type, f field) object {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	s := plainSchema(t, f)
	if f.Help != "" {
		s["description"] = f.Help
	}
	return s
}

func plainSchema(t reflect.Type, f field) object {
	switch t {
	case reflect.TypeFor[Part[Filter]]():
		return object{"$ref": "#/$defs/filter"}
	case reflect.TypeFor[Part[Rule]]():
		return object{"$ref": "#/$defs/rule"}
	case reflect.TypeFor[Node]():
		return object{"$ref": "#/$defs/node"}
	case reflect.TypeFor[Amount]():
		return object{"type": "number"}
	case reflect.TypeFor[Decimal]():
		return object{"type": "number", "exclusiveMinimum": 0}
	}
	if s, ok := texts[t]; ok {
		return maps.Clone(s)
	}
	switch t.Kind() {
	case reflect.Slice:
		s := object{"type": "array", "items": plainSchema(t.Elem(), f)}
		if f.Required {
			s["minItems"] = 1
		}
		return s
	case reflect.Struct:
		return structSchema(t)
	case reflect.Int, reflect.Int64:
		return object{"type": "integer"}
	}
	s := object{"type": "string", "maxLength": maxText}
	switch {
	case len(f.Choices) > 0:
		s = object{"enum": f.Choices}
	case f.Required:
		s["minLength"] = 1
	}
	if f.Names != "" {
		s["x-names"] = f.Names
	}
	return s
}

func structSchema(t reflect.Type) object {
	properties, required := object{}, []string{}
	for _, f := range fieldsOf(t) {
		properties[f.Name] = schemaOf(t.FieldByIndex(f.index).Type, f)
		if f.Required {
			required = append(required, f.Name)
		}
	}
	s := object{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

// partSchemas describes each filter or each rule with its name and its keys.
func partSchemas[T any](known map[string]func() T) []object {
	var list []object
	for _, name := range slices.Sorted(maps.Keys(known)) {
		config := structSchema(reflect.TypeOf(known[name]()).Elem())
		required := []string{"name"}
		if config["required"] != nil {
			required = append(required, "config")
		}
		list = append(list, object{"type": "object", "properties": object{"name": object{"const": name}, "config": config},
			"required": required, "additionalProperties": false})
	}
	return list
}

// nodeSchema is a group or an objective, never both.
func nodeSchema() object {
	s := structSchema(reflect.TypeFor[Node]())
	s["oneOf"] = []object{
		{"required": []string{"objective_id"}, "properties": object{"operation": false, "strategy": false}},
		{"required": []string{"strategy"}, "properties": object{"objective_id": false, "strategy": object{"minItems": 1}}},
	}
	return s
}
