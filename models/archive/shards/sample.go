package shards

import "time"

// Sample thins retrieval instants for display: of each window it keeps at most
// two, the middle ones go, from the oldest to the newest. {15, 20, 25, 30} with
// 12 minutes gives {15, 25, 30}. What is stored stays as it is.
func Sample(instants []time.Time, window time.Duration) []time.Time {
	if window <= 0 {
		return instants
	}
	var out []time.Time
	for _, t := range instants {
		if n := len(out); n >= 2 && t.Sub(out[n-2]) < window {
			out[n-1] = t
		} else {
			out = append(out, t)
		}
	}
	return out
}
