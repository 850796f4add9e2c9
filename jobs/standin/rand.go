package standin

// rnd is SplitMix64. The standard generators do not promise the same numbers
// in the next Go release, and a stand-in must not change its people's past.
type rnd uint64

// mix makes one well spread number of several, so that a question about one
// day needs none of the days before.
func mix(keys ...uint64) uint64 {
	h := uint64(0x9E3779B97F4A7C15)
	for _, k := range keys {
		r := rnd(h ^ k)
		h = r.next()
	}
	return h
}

func (r *rnd) next() uint64 {
	*r += 0x9E3779B97F4A7C15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// upTo returns 0 to n-1. The bias of the remainder does not matter for play.
func (r *rnd) upTo(n int) int { return int(r.next() % uint64(n)) }

// between returns low to high, both included.
func (r *rnd) between(low, high int) int { return low + r.upTo(high-low+1) }

// percent is true p times in a hundred.
func (r *rnd) percent(p int) bool { return r.upTo(100) < p }

// unit is more than 0 and at most 1.
func (r *rnd) unit() float64 { return float64(r.next()>>11+1) / (1 << 53) }

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
