package rules

import "slices"

func init() { register(filters, "TagFilter", func() Filter { return new(tagFilter) }) }

// tagFilter takes what has at least one of these tags.
type tagFilter struct {
	Tags []string `json:"tags" help:"Tags of problems; one of them is enough."`
}

func (f *tagFilter) Pass(e *Event) bool {
	tags, _ := e.Facts["tags"].([]string)
	return slices.ContainsFunc(tags, func(tag string) bool { return slices.Contains(f.Tags, tag) })
}

func (f *tagFilter) Wants() Phrase { return oneOf("a tag", f.Tags) }
