package parts

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
	"unreachable":  {"not answering", "did not answer"},
	"server_error": {"answering with errors", "answered with an error"},
	"blocked":      {"blocking us", "blocked us"},
	"rate_limited": {"asking us to slow down", "asked us to slow down"},
	"parse_error":  {"answers not understood", "answer not understood"},
}
