package main

import (
	"context"
	"time"
)

// A clock is the time of day that everything is given; rate 1 is the real one.
type clock struct {
	start time.Time
	rate  float64
	back  time.Duration // How far it is behind.
}

func newClock(rate float64) clock { return clock{start: time.Now(), rate: rate} }

// newClock is the clock of the settings. Processes that share a start share it.
func (s *settings) newClock() clock {
	c := newClock(s.ClockRate)
	if !s.clockStart.IsZero() {
		c.start = s.clockStart
	}
	return c
}

// now is in UTC and in whole microseconds, which is what PostgreSQL keeps: a
// time that was stored and read again equals itself.
func (c clock) now() time.Time {
	if c.rate == 1 {
		return time.Now().Add(-c.back).UTC().Truncate(time.Microsecond)
	}
	passed := time.Duration(float64(time.Since(c.start)) * c.rate)
	return c.start.Add(passed - c.back).UTC().Truncate(time.Microsecond)
}

// sleep lets d pass on this clock.
func (c clock) sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(time.Duration(float64(d) / c.rate))
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
