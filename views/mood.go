package views

// Moods of an account, which are also its CSS classes.
const (
	good = "ok"   // All that the site had is here.
	wait = "wait" // On its way, or the site is in trouble.
	bad  = "bad"  // Somebody must do something.
)

// shapes tell moods apart without colour.
var shapes = map[string]string{good: "●", wait: "○", bad: "▲"}

// troubles says each failed outcome: as a state that lasts, and as it happened once.
var troubles = map[string]struct{ since, once string }{
	"unreachable":  {"not answering", "did not answer"},
	"server_error": {"answering with errors", "answered with an error"},
	"blocked":      {"blocking us", "blocked us"},
	"rate_limited": {"asking us to slow down", "asked us to slow down"},
	"parse_error":  {"answers not understood", "answer not understood"},
}
