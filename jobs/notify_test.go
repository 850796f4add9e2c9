package jobs_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"mime/quotedprintable"
	"net/http"
	"net/http/httptest"
	netmail "net/mail"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel/jobs"
	"laurel/jobs/mail"
	"laurel/jobs/mail/mailtest"
	"laurel/jobs/polite"
	"laurel/models"
	"laurel/models/awards"
	"laurel/models/modelstest"
)

// A post is a runner with an outbox, whose time stands still until it is moved.
type post struct {
	*jobs.Runner
	*testing.T
	box *mailtest.Box
	now time.Time
	seq int64
}

func newPost(t *testing.T) *post {
	t.Helper()
	box := mailtest.New(t)
	server, err := mail.Parse("smtp://"+box.Addr, "Laurel <laurel@example.org>")
	if err != nil {
		t.Fatal(err)
	}
	p := &post{T: t, box: box, now: modelstest.Noon}
	p.Runner = newRunner(modelstest.Open(t), &clock{start: time.Now()}, "http://127.0.0.1:1")
	p.Now = func() time.Time { return p.now }
	p.Outbox = jobs.Outbox{URL: "https://laurel.example.org", Mail: server}
	return p
}

// joins makes a member whose address is confirmed by the link in the e-mail.
func (p *post) joins(name string) models.Member {
	p.Helper()
	m := modelstest.Member(p.T, p.DB.DB, name, nil, p.now)
	p.must(models.AskAddress(p.Context(), p.DB.DB, m.ID, name+"@example.org", p.now))
	p.must(p.SendMails(p.Context()))
	letters := p.letters()
	if len(letters) != 1 || letters[0].to != name+"@example.org" {
		p.Fatalf("to confirm: %+v", letters)
	}
	_, secret, _ := strings.Cut(letters[0].text, "/confirm-address?token=")
	secret, _, _ = strings.Cut(secret, "\n")
	p.must(models.ConfirmAddress(p.Context(), p.DB.DB, secret, p.now))
	return m
}

func (p *post) must(err error) {
	p.Helper()
	if err != nil {
		p.Fatal(err)
	}
}

// offers activates awards for so many photos each, long enough ago that they are announced.
func (p *post) offers(goals ...int) {
	p.Helper()
	for _, goal := range goals {
		doc, mistakes := awards.Parse(fmt.Appendf(nil, `{"slug":"photos-%d","title":"%d photos","permanence":"live","objectives":[
			{"id":"o","filters":[{"name":"SourceFilter","config":{"sources":["photo"]}}],"rule":{"name":"CountRule"}}],"strategy":{"objective_id":"o","goal":%d}}`, goal, goal, goal))
		if len(mistakes) > 0 {
			p.Fatal(mistakes)
		}
		_, err := models.SaveAward(p.Context(), p.DB.DB, doc, "root", "", -1, p.now)
		p.must(err)
		p.must(models.ActivateAward(p.Context(), p.DB.DB, doc.Slug, 0, p.now))
	}
	p.works()
}

// takes lets a member take photos, from number first to last.
func (p *post) takes(member string, first, last int, status string) {
	p.Helper()
	var events []awards.Event
	for i := first; i <= last; i++ {
		p.seq++
		events = append(events, awards.Event{Source: "photo", ID: fmt.Sprint(member, i, ".", p.seq), Item: fmt.Sprint(member, i), Seq: p.seq, Member: member, Type: "photo", Status: status, At: p.now})
	}
	out, err := models.AppendEvents(p.Context(), p.DB.DB, events, p.now)
	if p.must(err); len(out.Rejected) > 0 {
		p.Fatal(out.Rejected)
	}
	p.works()
}

func (p *post) works() {
	p.Helper()
	p.must(p.ApplyEvents(p.Context()))
	p.must(p.RecountAwards(p.Context()))
	p.must(p.GrantAwards(p.Context()))
}

// passes lets time go by, and all jobs of notices do what is due then.
func (p *post) passes(d time.Duration) {
	p.Helper()
	p.now = p.now.Add(d)
	p.must(p.SettleNotices(p.Context()))
	p.must(p.SendMails(p.Context()))
	p.must(p.CallWebhook(p.Context()))
}

// A letter is an e-mail that came.
type letter struct{ to, subject, id, text, unsubscribe string }

func (p *post) letters() (list []letter) {
	p.Helper()
	for _, e := range p.box.Take() {
		m, err := netmail.ReadMessage(strings.NewReader(e.Data))
		p.must(err)
		text, err := io.ReadAll(quotedprintable.NewReader(m.Body))
		p.must(err)
		list = append(list, letter{e.To, m.Header.Get("Subject"), m.Header.Get("Message-ID"), strings.ReplaceAll(string(text), "\r\n", "\n"), m.Header.Get("List-Unsubscribe")})
	}
	return list
}

// gets tells the subjects of the e-mails that came.
func (p *post) gets(want ...string) (list []letter) {
	p.Helper()
	list = p.letters()
	var got []string
	for _, l := range list {
		got = append(got, l.to+": "+l.subject)
	}
	if strings.Join(got, "; ") != strings.Join(want, "; ") {
		p.Errorf("at %s came %q, want %q", p.now.Format(time.DateTime), got, want)
	}
	return list
}

func TestAnAwardIsToldByEmail(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	p.joins("ada")
	p.offers(1)
	p.takes("ada", 1, 1, "active")
	p.passes(59 * time.Second)
	p.gets()
	p.passes(time.Second)
	l := p.gets("ada@example.org: You earned 1 photos")
	for _, want := range []string{"Hello ada,", "- You earned 1 photos.\n  https://laurel.example.org/awards/photos-1\n", "No more e-mails: https://laurel.example.org/unsubscribe?token="} {
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
		for range 15 {
			p.passes(time.Minute)
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
	p.must(models.EditPerson(t.Context(), p.DB.DB, m.ID, "Ada", "Asia/Kolkata", p.now))
	p.must(models.ChooseNotices(t.Context(), p.DB.DB, m.ID, []string{"granted"}, []string{"granted"}, true, p.now))
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

func TestOnlyWhatWasChosenIsTold(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	m := p.joins("ada")
	p.must(models.ChooseNotices(t.Context(), p.DB.DB, m.ID, []string{"revoked"}, []string{"granted"}, false, p.now))
	p.offers(1)
	p.takes("ada", 1, 1, "active")
	p.passes(time.Hour)
	p.gets("ada@example.org: You earned 1 photos")
	p.takes("ada", 1, 1, "blocked")
	p.passes(2 * time.Hour)
	p.gets()
	lines, _, err := models.NoticesOf(t.Context(), p.DB.DB, m.ID, models.Cursor{}, 10)
	if p.must(err); len(lines) != 1 || lines[0].Kind != "revoked" {
		t.Errorf("on the page: %+v", lines)
	}
	if err := models.ChooseNotices(t.Context(), p.DB.DB, m.ID, []string{"gossip"}, nil, false, p.now); err == nil {
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
	p.must(p.SettleNotices(t.Context())) // Packed, and not sent.
	p.must(models.Unsubscribe(t.Context(), p.DB.DB, secret, p.now))
	p.must(models.Unsubscribe(t.Context(), p.DB.DB, secret, p.now))
	p.passes(48 * time.Hour)
	p.gets()
	s, err := models.NoticeSettingsOf(t.Context(), p.DB.DB, m.ID)
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
	p.must(p.SettleNotices(t.Context()))
	claimed, err := models.ClaimDeliveries(t.Context(), p.DB.DB, models.Ways{Mail: true}, models.Lease{ID: "dead", For: 5 * time.Minute}, 10, p.now)
	if p.must(err); len(claimed) != 1 {
		t.Fatalf("claimed %+v", claimed)
	}
	p.must(jobs.Deliver(p.Runner, t.Context(), &claimed[0])) // And then it is killed.
	first := p.gets("ada@example.org: You earned 1 photos")
	p.passes(4 * time.Minute)
	p.gets()
	p.passes(time.Minute)
	if again := p.gets("ada@example.org: You earned 1 photos"); again[0] != first[0] {
		t.Errorf("sent again: %+v\nfirst %+v", again[0], first[0])
	}
	if err := models.FinishDelivery(t.Context(), p.DB.DB, &claimed[0], models.DeliveryOutcome{Error: "too late"}, 1, p.now); err == nil {
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
	s, err := models.NoticeSettingsOf(t.Context(), p.DB.DB, m.ID)
	if p.must(err); !strings.Contains(s.Trouble, "no such user") {
		t.Errorf("trouble %q", s.Trouble)
	}
}

// A hook is a webhook that checks what comes.
type hook struct {
	*httptest.Server
	mu     sync.Mutex
	status int
	ids    []string
	bodies []string
}

func newHook(t *testing.T, key []byte) *hook {
	h := &hook{status: http.StatusNoContent}
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		id, at := r.Header.Get("Webhook-Id"), r.Header.Get("Webhook-Timestamp")
		mac := hmac.New(sha256.New, key)
		_, _ = fmt.Fprintf(mac, "%s.%s.%s", id, at, body)
		if want := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)); r.Header.Get("Webhook-Signature") != want {
			t.Errorf("signature %q, want %q", r.Header.Get("Webhook-Signature"), want)
		}
		h.mu.Lock()
		defer h.mu.Unlock()
		h.ids, h.bodies = append(h.ids, id), append(h.bodies, string(body))
		w.WriteHeader(h.status)
		_, _ = io.WriteString(w, "words")
	}))
	t.Cleanup(h.Close)
	return h
}

func (h *hook) answers(status int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.status = status
}

func (h *hook) take() (ids, bodies []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	ids, bodies = h.ids, h.bodies
	h.ids, h.bodies = nil, nil
	return ids, bodies
}

func TestTheWebhookIsCalledSignedAndAgain(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	modelstest.Member(t, p.DB.DB, "ada", nil, p.now)
	modelstest.Member(t, p.DB.DB, "grace", nil, p.now)
	key := jobs.WebhookKey("a secret of this installation")
	h := newHook(t, key)
	p.Outbox.Webhook, p.Outbox.Key = h.URL+"/laurel?token=hidden", key
	p.Outbox.HTTP = polite.Guarded([]netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")})
	p.offers(1)
	p.takes("ada", 1, 1, "active")
	p.takes("grace", 1, 1, "active")
	h.answers(http.StatusBadGateway)
	p.passes(time.Minute)
	first, _ := h.take()
	h.answers(http.StatusOK)
	p.passes(time.Minute)
	again, bodies := h.take()
	if len(first) != 1 || len(again) != 1 || first[0] != again[0] {
		t.Fatalf("calls %q, then %q", first, again)
	}
	var got struct {
		Type    string
		Notices []struct {
			Kind, Member string
			Awards       []struct{ Slug string }
		}
	}
	p.must(json.Unmarshal([]byte(bodies[0]), &got))
	if s := fmt.Sprint(got); s != "{laurel.notices [{granted ada [{photos-1}]} {granted grace [{photos-1}]}]}" {
		t.Errorf("it was told %s", s)
	}
	p.passes(time.Hour)
	if ids, _ := h.take(); len(ids) > 0 {
		t.Errorf("called again: %q", ids)
	}
}

func TestAWebhookInsideIsNotCalled(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	modelstest.Member(t, p.DB.DB, "ada", nil, p.now)
	h := newHook(t, nil)
	p.Outbox.Webhook, p.Outbox.HTTP = h.URL+"/?token=hidden", polite.Guarded(nil)
	p.offers(1)
	p.takes("ada", 1, 1, "active")
	for range 12 {
		p.passes(6 * time.Hour)
	}
	if ids, _ := h.take(); len(ids) > 0 {
		t.Error("a private address was called")
	}
	failed, err := models.TroubledDeliveries(t.Context(), p.DB.DB, 10)
	if p.must(err); len(failed) != 1 || failed[0].State != "failed" || failed[0].Attempts != 8 || !strings.Contains(failed[0].Error, "not a public address") || strings.Contains(failed[0].Error, "hidden") {
		t.Errorf("failed: %+v", failed)
	}
}
