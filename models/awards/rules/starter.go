package rules

import (
	_ "embed" // For the starter set.
	"encoding/json"
)

//go:embed starter.json
var starter []byte

// Starter is a set of awards that suits competitive programmers, to begin with.
// It is data: what an admin could have written.
func Starter() []Award {
	var docs []json.RawMessage
	if err := json.Unmarshal(starter, &docs); err != nil {
		panic("awards: starter.json: " + err.Error()) // A test reads it.
	}
	list := make([]Award, len(docs))
	for i, doc := range docs {
		a, mistakes := Parse(doc)
		if len(mistakes) > 0 {
			panic("awards: starter.json: " + mistakes.Error())
		}
		list[i] = a
	}
	return list
}
