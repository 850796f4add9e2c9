package awards

import (
	"context"

	"laurel/models/awards/rules"
	"laurel/views/texts"
)

// phraseTexts are the texts of all phrases that filters, rules and explanations have.
var phraseTexts = []string{
	texts.Mark("%s is %s"), texts.Mark("%s is one of %s"), texts.Mark("%s or %s"),
	texts.Mark("%s is at most %s"), texts.Mark("%s is at least %s"), texts.Mark("%s is from %s to %s"),
	texts.Mark("the contest"), texts.Mark("the participation"), texts.Mark("it was in a contest"),
	texts.Mark("the difficulty"), texts.Mark("this is true: %s"), texts.Mark("the member had not solved the problem before"),
	texts.Mark("the language"), texts.Mark("the number of characters"), texts.Mark("the %s"), texts.Mark("the object"),
	texts.Mark("the rating"), texts.Mark("the text has more than %s characters"), texts.Mark("the site"), texts.Mark("the source"),
	texts.Mark("the status"), texts.Mark("a tag"), texts.Mark("the type"), texts.Mark("the member's day"),
	texts.Mark("the %s contains %s and not %s"), texts.Mark("the %s contains %s"), texts.Mark("the member's time is from %s until %s"),
	texts.Mark("every item"), texts.Mark("the longest run of days with an item on each"), texts.Mark("the largest %s"),
	texts.Mark("different objects, each once"), texts.Mark("the sum of %s"), texts.Mark("the sum of %s, at most %s a day"),
	texts.Mark("the event cannot be read: %s"), texts.Mark("%s does not pass; it passes if %s"), texts.Mark("it counts only if %s"),
	texts.Mark("the award does not count now"), texts.Mark("it happened before the award counts"),
	texts.Mark("it happened outside the window"),
	texts.Mark("it arrived after its period had closed"), texts.Mark("the rule adds nothing for it"),
	texts.Mark("it counts as it was when it arrived; a recount may change that"), texts.Mark("it counts as %s, which does not count"),
	texts.Mark("it counts"),
}

// phrase is a phrase in the language of the request.
func phrase(ctx context.Context, p rules.Phrase) string {
	args := make([]any, len(p.Args))
	for i, a := range p.Args {
		args[i] = a
		if inner, ok := a.(rules.Phrase); ok {
			args[i] = phrase(ctx, inner)
		}
	}
	return texts.Say(ctx, p.Text, args...)
}
