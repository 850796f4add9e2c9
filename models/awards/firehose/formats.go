package firehose

import (
	"iter"
	"slices"
)

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

// spread adds the ranks of an object: the event inside an envelope, then a list
// of keys and values, then its own fields, then details, then the context. An
// object that says what event it is comes before its list. Facts are those of
// an object of that name, which are nothing else.
//
// A rank may have fields that are objects: nothing is searched for in them, and
// they are no facts.
func (l *leveller) spread(object value, depth int) {
	named := saysEvent(object)
	isEvent := func(f field) bool {
		return isOne(f.name, eventNames) && depth < 3 && (!named || string(f.name) == "event" || saysEvent(f.value))
	}
	for f := range objectsIn(object) {
		if isEvent(f) {
			l.spread(f.value, depth+1)
		}
	}
	if !named {
		l.pairs(object)
	}
	l.ranks = append(l.ranks, object.fields)
	l.parties(object)
	if named {
		l.pairs(object)
	}
	for f := range objectsIn(object) {
		if isOne(f.name, detailNames) || isOne(f.name, eventNames) && !isEvent(f) {
			l.ranks = append(l.ranks, f.value.fields)
		}
	}
	l.surroundings(object)
}

// parties adds the ids of the objects that say who did something to what.
func (l *leveller) parties(object value) {
	for f := range objectsIn(object) {
		if isOne(f.name, whoNames) {
			l.ranks = append(l.ranks, inside("user", f.value, "id", "user_id", "userId", "uid"))
		} else if isOne(f.name, whatNames) {
			l.ranks = append(l.ranks, inside("object", f.value, "id", "object_id", "objectId"))
		}
	}
}

// surroundings adds the context, and notes facts.
func (l *leveller) surroundings(object value) {
	for f := range objectsIn(object) {
		if isOne(f.name, contextNames) {
			l.ranks = append(l.ranks, f.value.fields)
		} else if string(f.name) == "facts" {
			l.named = append(l.named, f.value.fields)
		}
	}
}

// objectsIn yields the fields of an object that are objects themselves.
func objectsIn(object value) iter.Seq[field] {
	return func(yield func(field) bool) {
		for _, f := range object.fields {
			if f.value.kind == '{' && !yield(f) {
				return
			}
		}
	}
}

func (l *leveller) pairs(object value) {
	for _, f := range object.fields {
		if f.value.kind == '[' && isPairs(f.value) {
			l.ranks = append(l.ranks, pairsOf(f.value))
		}
	}
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
	return len(list.fields) > 0 && len(inside("", list.fields[0].value, keyNames...)) > 0 &&
		len(inside("", list.fields[0].value, valueNames...)) > 0
}

// pairsOf reads such a list. Some name the value by its kind, inside an object:
// {"key": "metres", "value": {"int_value": "120"}}.
func pairsOf(list value) []field {
	pairs := make([]field, 0, len(list.fields))
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
