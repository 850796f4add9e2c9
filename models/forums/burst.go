// Package forums holds mailing lists and forums: their messages, threads and
// authors, and how far each was harvested.
package forums

import "time"

// BurstAgain is when another burst may begin; zero for at once.
func (f *Forum) BurstAgain(now time.Time) time.Time {
	if f.BurstAt == nil || !f.BurstAt.Add(burstEvery).After(now) {
		return time.Time{}
	}
	return f.BurstAt.Add(burstEvery)
}
