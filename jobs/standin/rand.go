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
