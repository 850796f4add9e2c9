package parts

import "laurel/views/texts"

// Moods of an account, which are also its CSS classes.
const (
	Good = "ok"   // All that the site had is here.
	Wait = "wait" // On its way, or the site is in trouble.
	Bad  = "bad"  // Somebody must do something.
)

// Shapes distinguish moods without colour.
var Shapes = map[string]string{Good: "●", Wait: "○", Bad: "▲"}

// Troubles says each failed outcome: as a state that lasts, and as it happened once.
var Troubles = map[string]struct{ Since, Once string }{
	"unreachable":  {texts.Mark("not answering"), texts.Mark("did not answer")},
	"server_error": {texts.Mark("answering with errors"), texts.Mark("answered with an error")},
	"blocked":      {texts.Mark("blocking us"), texts.Mark("blocked us")},
	"rate_limited": {texts.Mark("asking us to slow down"), texts.Mark("asked us to slow down")},
	"parse_error":  {texts.Mark("answers not understood"), texts.Mark("answer not understood")},
}
