package web

import "laurel/views/texts"

// Of models, which know no languages: what they say of mistakes of members, as sentences of pages.
var _ = []string{
	texts.Mark("This is the same member; choose another one to compare with."),
}
