package firehose

import "slices"

// Fields of a line by rank: those of the event proper come first. A name that
// stands on two ranks means what it does on the first.
type ranks [][]field

// What objects are called that hold more than a value.
var (
	eventNames   = []string{"event", "payload", "data"}
	detailNames  = []string{"properties", "props", "params", "parameters", "attributes"}
	contextNames = []string{"meta", "metadata", "context", "header", "envelope"}
	whoNames     = []string{"user", "member"}
	whatNames    = []string{"object", "target"}
)

// saysEvent reports whether an object is the event and no envelope of one: its
// payload or data are details then. A mere type may be the envelope's.
func saysEvent(object value) bool {
	return slices.ContainsFunc(object.fields, func(f field) bool {
		return f.value.kind == '"' && string(f.name) != "type" && isOne(f.name, typeNames)
	})
}

// ranked spreads an object: the event inside an envelope, then a list of keys
// and values, then its own fields, then details, then the context. An object
// that says what event it is comes before its list. Facts are those of an
// object of that name, which are nothing else.
func ranked(object value, depth int) (r ranks, facts []field) {
	var events, pairs, own, details, context []field
	named := saysEvent(object)
	for _, f := range object.fields {
		is := func(names []string) bool { return isOne(f.name, names) }
		switch {
		case f.value.kind == '[' && isPairs(f.value):
			pairs = append(pairs, pairsOf(f.value)...)
		case f.value.kind != '{':
			own = append(own, f)
		case string(f.name) == "facts":
			facts = append(facts, f.value.fields...)
		case is(whoNames):
			own = append(own, inside("user", f.value, "id", "user_id", "userId", "uid")...)
		case is(whatNames):
			own = append(own, inside("object", f.value, "id", "object_id", "objectId")...)
		case is(eventNames) && depth < 3 && (!named || string(f.name) == "event" || saysEvent(f.value)):
			events = append(events, f)
		case is(eventNames) || is(detailNames):
			details = append(details, f.value.fields...)
		case is(contextNames):
			context = append(context, f.value.fields...)
		}
	}
	for _, f := range events {
		inner, more := ranked(f.value, depth+1)
		r, facts = append(r, inner...), append(facts, more...)
	}
	if named {
		return append(r, own, pairs, details, context), facts
	}
	return append(r, pairs, own, details, context), facts
}

// inside gives one of the fields of an object under another name.
func inside(name string, object value, names ...string) []field {
	for _, one := range names {
		for _, f := range object.fields {
			if string(f.name) == one {
				return []field{{[]byte(name), f.value}}
			}
		}
	}
	return nil
}

var (
	keyNames   = []string{"key", "k", "name"}
	valueNames = []string{"value", "v"}
)

// isPairs reports whether a list is one of keys with their values.
func isPairs(list value) bool {
	return len(list.fields) > 0 && len(inside("", list.fields[0].value, keyNames...)) > 0 && len(inside("", list.fields[0].value, valueNames...)) > 0
}

// pairsOf reads such a list. Some name the value by its kind, inside an object:
// {"key": "metres", "value": {"int_value": "120"}}.
func pairsOf(list value) []field {
	var pairs []field
	for _, item := range list.fields {
		key, val := inside("", item.value, keyNames...), inside("", item.value, valueNames...)
		if len(key) == 0 || len(val) == 0 || key[0].value.kind != '"' {
			continue
		}
		v := val[0].value
		if i := slices.IndexFunc(v.fields, func(f field) bool { return f.value.kind != 'n' }); i >= 0 {
			v = v.fields[i].value
		}
		pairs = append(pairs, field{unquoted(key[0].value.raw), v})
	}
	return last(pairs)
}

func isOne(name []byte, names []string) bool {
	for _, one := range names {
		if string(name) == one { // Compared without being copied.
			return true
		}
	}
	return false
}
