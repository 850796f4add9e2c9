package posts_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"laurel/models/modelstest"
	"laurel/models/posts"
)

func tiers(t testing.TB) posts.Tiers {
	t.Helper()
	all, err := posts.ParseTiers(posts.DefaultTiers)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestTiersAreHalfOpen(t *testing.T) {
	for age, want := range map[time.Duration]string{
		-time.Hour: "18m", 0: "18m", 18*time.Minute - 1: "18m", 18 * time.Minute: "60m", time.Hour: "1d", 24*time.Hour - 1: "1d", 24 * time.Hour: "7d",
		7 * 24 * time.Hour: "30d", 30*24*time.Hour - 1: "30d", 30 * 24 * time.Hour: "", 1000 * 24 * time.Hour: "",
	} {
		tier, ok := tiers(t).Of(age)
		if tier.Name != want || ok != (want != "") {
			t.Errorf("a post of %s is in tier %q (%v), want %q", age, tier.Name, ok, want)
		}
	}
}

func TestTiersThatAreRefused(t *testing.T) {
	for _, text := range []string{"", "18m", "18m=", "=3m", "18m=3x", "60m=10m,18m=3m", "18m=3m,18m=3m", "18m=20m", "0m=1m", "18m=0s", "-1d=1h", "1.5d=1h", "99999999d=1h", "18m=3m,60m=50m"} {
		if got, err := posts.ParseTiers(text); err == nil {
			t.Errorf("%q was taken for %v", text, got)
		}
	}
	if got, err := posts.ParseTiers(" 18m:3m , 2d=1h"); err != nil || len(got) != 2 || got.Life() != 48*time.Hour {
		t.Errorf("tiers are %v, %v", got, err)
	}
}

// A post has about 80 looks in its life, the last one when it is as old as the
// last tier says.
func TestAPostsLife(t *testing.T) {
	created := modelstest.Noon
	at, looks := created, 0
	for {
		looks++
		next, ok := tiers(t).Next(created, at, posts.Pace{Slowdown: 1}, 0)
		if !ok {
			break
		}
		at = next
	}
	if looks < 75 || looks > 85 || !at.Equal(created.Add(30*24*time.Hour)) {
		t.Errorf("%d looks, the last one %s after it was written", looks, at.Sub(created))
	}
}

func TestTheNextFetchIsWithinTheTier(t *testing.T) {
	all := tiers(t)
	rapid.Check(t, func(t *rapid.T) {
		created := modelstest.Noon
		age := time.Duration(rapid.Int64Range(-int64(time.Hour), int64(40*24*time.Hour)).Draw(t, "age"))
		pace := posts.Pace{Slowdown: rapid.Float64Range(0, 5).Draw(t, "slowdown"), EveryDays: rapid.Float64Range(0, 5).Draw(t, "days")}
		now := created.Add(age)
		next, ok := all.Next(created, now, pace, rapid.Float64Range(0, 1).Draw(t, "part"))
		tier, alive := all.Of(age)
		if ok != alive {
			t.Fatalf("a post of %s: %v", age, ok)
		}
		if !ok {
			return
		}
		longest := time.Duration(float64(tier.Every) * max(pace.Slowdown, 1))
		if age >= 24*time.Hour {
			longest = max(longest, time.Duration(pace.EveryDays*float64(24*time.Hour)))
		}
		end := created.Add(all.Life())
		if next.After(end) || next.After(now.Add(longest)) || next.Before(now.Add(longest*89/100)) && !next.Equal(end) || !next.After(now) {
			t.Fatalf("a post of %s is due %s later, its interval is %s", age, next.Sub(now), longest)
		}
	})
}
