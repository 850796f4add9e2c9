package notices_test

import (
	"strings"
	"testing"
	"time"

	"laurel/jobs/notices"
	"laurel/models/accounts"
	pg "laurel/models/db"
	noticebox "laurel/models/notices"
)

func TestAnAwardIsMailed(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	p.joins("ada")
	p.offers(1)
	p.takes("ada", 1, 1, "active")
	p.passes(59 * time.Second)
	p.gets()
	p.passes(time.Second)
	l := p.gets("ada@example.org: You earned 1 photos")
	for _, want := range []string{"Hello ada,", "- You earned 1 photos.\n  https://laurel.example.org/awards/photos-1\n", "Unsubscribe: https://laurel.example.org/unsubscribe?token="} {
		if !strings.Contains(l[0].text, want) {
			t.Errorf("%q is not in\n%s", want, l[0].text)
		}
	}
	p.passes(48 * time.Hour)
	p.gets()
}

func TestEmailsComeOnceAnHourAndTenADay(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	p.joins("ada")
	var goals []int
	for i := range 60 {
		goals = append(goals, 3*(i+1))
	}
	p.offers(goals...)
	p.passes(time.Hour)
	came, lines := 0, 0
	for i := range 60 { // An award every quarter of an hour, for 15 hours.
		p.takes("ada", 3*i+1, 3*i+3, "active")
		for range 3 {
			p.passes(5 * time.Minute)
		}
		for _, l := range p.letters() {
			came++
			lines += strings.Count(l.text, "You earned")
		}
	}
	if came != 10 {
		t.Errorf("%d e-mails in 15 hours, want 10", came)
	}
	for range 20 {
		p.passes(time.Hour)
		for _, l := range p.letters() {
			came++
			lines += strings.Count(l.text, "You earned")
		}
	}
	if lines != 60 || came != 11 {
		t.Errorf("%d e-mails about %d awards, want 11 about 60", came, lines)
	}
}

func TestADailyDigestComesInTheMorning(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	m := p.joins("ada")
	p.must(accounts.EditPerson(t.Context(), p.DB.DB, m.ID, "Ada", "Asia/Kolkata", p.now))
	p.must(noticebox.Choose(t.Context(), p.DB.DB, m.ID, noticebox.Settings{PageKinds: []string{"granted"}, MailKinds: []string{"granted"}, Daily: true}, p.now))
	p.offers(1, 2)
	p.takes("ada", 1, 1, "active")
	p.passes(time.Hour)
	p.takes("ada", 2, 2, "active")
	p.passes(13*time.Hour + 29*time.Minute) // 07:59 there.
	p.gets()
	p.passes(time.Minute)
	l := p.gets("ada@example.org: You earned 2 awards")
	if n := strings.Count(l[0].text, "\n- "); n != 2 {
		t.Errorf("%d lines in\n%s", n, l[0].text)
	}
	p.passes(24 * time.Hour)
	p.gets()
}

func TestOnlyWhatWasChosenIsNotified(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	m := p.joins("ada")
	p.must(noticebox.Choose(t.Context(), p.DB.DB, m.ID, noticebox.Settings{PageKinds: []string{"revoked"}, MailKinds: []string{"granted"}}, p.now))
	p.offers(1)
	p.takes("ada", 1, 1, "active")
	p.passes(time.Hour)
	p.gets("ada@example.org: You earned 1 photos")
	p.takes("ada", 1, 1, "blocked")
	p.passes(2 * time.Hour)
	p.gets()
	lines, _, err := noticebox.Of(t.Context(), p.DB.DB, m.ID, pg.Cursor{}, 10)
	if p.must(err); len(lines) != 1 || lines[0].Kind != "revoked" {
		t.Errorf("on the page: %+v", lines)
	}
	if err := noticebox.Choose(t.Context(), p.DB.DB, m.ID, noticebox.Settings{PageKinds: []string{"gossip"}}, p.now); err == nil {
		t.Error("a kind that does not exist was chosen")
	}
}

func TestUnsubscribingEndsWhatIsOnItsWay(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	m := p.joins("ada")
	p.offers(1, 2)
	p.takes("ada", 1, 1, "active")
	p.passes(time.Hour)
	_, secret, _ := strings.Cut(strings.Trim(p.gets("ada@example.org: You earned 1 photos")[0].unsubscribe, "<>"), "token=")
	p.takes("ada", 2, 2, "active")
	p.now = p.now.Add(time.Hour)
	p.must(p.Release(t.Context())) // Packed, and not sent.
	p.must(noticebox.Unsubscribe(t.Context(), p.DB.DB, secret, p.now))
	p.must(noticebox.Unsubscribe(t.Context(), p.DB.DB, secret, p.now))
	p.passes(48 * time.Hour)
	p.gets()
	s, err := noticebox.SettingsOf(t.Context(), p.DB.DB, m.ID)
	if p.must(err); s.Address != "" {
		t.Errorf("the address is still %q", s.Address)
	}
}

// Who dies between sending and storing sends again, and the e-mail is known for
// the same.
func TestADeliveryThatDiedIsRepeatedAsTheSame(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	p.joins("ada")
	p.offers(1)
	p.takes("ada", 1, 1, "active")
	p.now = p.now.Add(time.Hour)
	p.must(p.Release(t.Context()))
	claimed, err := noticebox.ClaimDeliveries(t.Context(), p.DB.DB, noticebox.Ways{Mail: true}, pg.Lease{ID: "dead", For: 5 * time.Minute}, 10, p.now)
	if p.must(err); len(claimed) != 1 {
		t.Fatalf("claimed %+v", claimed)
	}
	p.must(notices.Deliver(t.Context(), p.Jobs, &claimed[0])) // And then it is killed.
	first := p.gets("ada@example.org: You earned 1 photos")
	p.passes(4 * time.Minute)
	p.gets()
	p.passes(time.Minute)
	if again := p.gets("ada@example.org: You earned 1 photos"); again[0] != first[0] {
		t.Errorf("sent again: %+v\nfirst %+v", again[0], first[0])
	}
	if err := noticebox.FinishDelivery(t.Context(), p.DB.DB, &claimed[0], noticebox.DeliveryOutcome{Error: "too late"}, 1, p.now); err == nil {
		t.Error("the dead worker's outcome was stored")
	}
	p.passes(time.Hour)
	p.gets()
}

func TestAnEmailIsTriedAgainAndGivenUp(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	m := p.joins("ada")
	p.offers(1, 2)
	p.box.Refuse("450 busy")
	p.takes("ada", 1, 1, "active")
	p.passes(time.Minute)
	p.passes(59 * time.Second)
	p.box.Refuse("")
	p.passes(0)
	p.gets()
	p.passes(time.Second)
	p.gets("ada@example.org: You earned 1 photos")
	p.box.Refuse("550 5.1.1 no such user")
	p.takes("ada", 2, 2, "active")
	p.passes(2 * time.Hour)
	p.box.Refuse("")
	p.passes(48 * time.Hour)
	p.gets()
	s, err := noticebox.SettingsOf(t.Context(), p.DB.DB, m.ID)
	if p.must(err); !strings.Contains(s.Trouble, "no such user") {
		t.Errorf("trouble %q", s.Trouble)
	}
}
