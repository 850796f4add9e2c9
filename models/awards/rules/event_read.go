package rules

import (
	"bytes"
	"errors"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// errUnusual ends a quick reading: of what is no plain fact.
var errUnusual = errors.New("not a plain fact")

// quickEvent reads an event as ParseEvent does, if it has no mistake, which nearly all
// have not: without a tree of values and their places. What is unusual is read again by
// those who can tell what is wrong with it.
func quickEvent(line []byte, source string) (e Event, ok bool) {
	e.Source = source
	if len(line) > maxDocument || bytes.Contains(line, []byte(`\u0000`)) || bytes.Contains(line, []byte("null")) {
		return Event{}, false
	}
	if json.Unmarshal(line, &e, json.RejectUnknownMembers(true)) != nil {
		return Event{}, false
	}
	var m Mistakes
	e.check(&m)
	return e, len(m) == 0
}

// UnmarshalJSONFrom reads what facts may be, as fill does.
func (f *Facts) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if d.PeekKind() != '{' {
		return errUnusual
	}
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	*f = Facts{}
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil {
			return err
		}
		key := name.String() // Before it is overwritten.
		if (*f)[key], err = quickFact(d); err != nil {
			return err
		}
	}
	_, err := d.ReadToken()
	return err
}

// quickFact reads what factOf does, but for null.
func quickFact(d *jsontext.Decoder) (any, error) {
	token, err := d.ReadToken()
	if err != nil {
		return nil, err
	}
	switch kind := token.Kind(); kind {
	case '"':
		return token.String(), nil
	case '0':
		a, _, err := amountOf(token.String())
		return a, err
	case 't', 'f':
		return kind == 't', nil
	case '[':
		list := []string{}
		for d.PeekKind() == '"' {
			item, err := d.ReadToken()
			if err != nil {
				return nil, err
			}
			list = append(list, item.String())
		}
		if end, err := d.ReadToken(); err != nil || end.Kind() != ']' {
			return nil, errUnusual
		}
		return list, nil
	}
	return nil, errUnusual
}
