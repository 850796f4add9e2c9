package standin

// The words that names are made of. Adding one changes everybody's name.
var (
	adjectives = []string{
		"amber", "brisk", "calm", "dusty", "eager", "fuzzy", "gentle", "hazel", "ivory", "jolly",
		"keen", "lunar", "misty", "noble", "olive", "plain", "quiet", "rusty", "solar", "tidy",
		"umber", "vivid", "warm", "young", "zesty", "agile", "bold", "crisp", "deft", "early",
	}
	animals = []string{
		"fox", "owl", "elk", "hare", "lynx", "mole", "newt", "crow", "toad", "wren",
		"seal", "moth", "ibis", "gull", "deer", "colt", "carp", "dove", "finch", "goat",
		"heron", "ibex", "jay", "kite", "lark", "mink", "otter", "puma", "quail", "raven",
	}
	things = []string{
		"Harbour", "Orchard", "Lantern", "Staircase", "Ferry", "Archive", "Garden", "Compass", "Mirror", "Bridge",
		"Workshop", "Meadow", "Parcel", "Tower", "Choir", "Quarry", "Ledger", "Market", "Signal", "Window",
		"Carpet", "Kettle", "Pond", "Railway", "Sundial", "Puzzle", "Ribbon", "Chimney", "Cellar", "Voyage",
	}
	topics = []string{"implementation", "math", "greedy", "dp", "graphs", "strings", "two pointers", "binary search", "data structures",
		"sortings"}
)

// title is the name of a problem: the same for everybody who tries it.
func title(keys ...uint64) string {
	r := rnd(mix(append(keys, 't')...))
	adjective := adjectives[r.upTo(len(adjectives))]
	return string(adjective[0]-'a'+'A') + adjective[1:] + " " + things[r.upTo(len(things))]
}
