package notices_test

import (
	"fmt"
	"io"
	"log/slog"
	"mime/quotedprintable"
	netmail "net/mail"
	"strings"
	"testing"
	"time"

	"laurel/jobs/awards"
	"laurel/jobs/mail"
	"laurel/jobs/mail/mailtest"
	"laurel/jobs/notices"
	modelawards "laurel/models/awards"
	"laurel/models/awards/rules"
	"laurel/models/events"
	"laurel/models/members"
	"laurel/models/modelstest"
	noticebox "laurel/models/notices"
)

// A post is a runner with an outbox, whose time stands still until it is moved.
type post struct {
	*notices.Jobs
	awards *awards.Jobs
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
	db, now, log := modelstest.Open(t), func() time.Time { return p.now }, slog.New(slog.DiscardHandler)
	p.Jobs = &notices.Jobs{DB: db, Now: now, Log: log, Rate: 1, Outbox: notices.Outbox{URL: "https://laurel.example.org", Mail: server}}
	p.awards = &awards.Jobs{DB: db, Now: now, Log: log}
	return p
}

// joins makes a member whose address is confirmed by the link in the e-mail.
func (p *post) joins(name string) members.Member {
	p.Helper()
	m := modelstest.Member(p.T, p.DB.DB, name, nil, p.now)
	p.must(noticebox.RequestAddress(p.Context(), p.DB.DB, m.ID, name+"@example.org", p.now))
	p.must(p.SendMails(p.Context()))
	letters := p.letters()
	if len(letters) != 1 || letters[0].to != name+"@example.org" {
		p.Fatalf("to confirm: %+v", letters)
	}
	_, secret, _ := strings.Cut(letters[0].text, "/confirm-address?token=")
	secret, _, _ = strings.Cut(secret, "\n")
	p.must(noticebox.ConfirmAddress(p.Context(), p.DB.DB, secret, p.now))
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
		doc, mistakes := rules.Parse(fmt.Appendf(nil, `{"slug":"photos-%d","title":"%d photos","permanence":"live","objectives":[
			{"id":"o","filters":[{"name":"SourceFilter","config":{"sources":["photo"]}}],"rule":{"name":"CountRule"}}],"strategy":{"objective_id":"o","goal":%d}}`, goal, goal, goal))
		if len(mistakes) > 0 {
			p.Fatal(mistakes)
		}
		_, err := modelawards.Save(p.Context(), p.DB.DB, doc, modelawards.Edit{Author: "root", Basis: -1}, p.now)
		p.must(err)
		p.must(modelawards.Activate(p.Context(), p.DB.DB, doc.Slug, 0, p.now))
	}
	p.works()
}

// takes lets a member take photos, from number first to last.
func (p *post) takes(member string, first, last int, status string) {
	p.Helper()
	var list []rules.Event
	for i := first; i <= last; i++ {
		p.seq++
		list = append(list, rules.Event{Source: "photo", ID: fmt.Sprint(member, i, ".", p.seq), Item: fmt.Sprint(member, i), Seq: p.seq, Member: member, Type: "photo", Status: status, At: p.now})
	}
	out, err := events.Append(p.Context(), p.DB.DB, list, p.now)
	if p.must(err); len(out.Rejected) > 0 {
		p.Fatal(out.Rejected)
	}
	p.works()
}

func (p *post) works() {
	p.Helper()
	p.must(p.awards.ApplyEvents(p.Context()))
	p.must(p.awards.Recount(p.Context()))
	p.must(p.awards.Grant(p.Context()))
}

// passes lets time go by, and all jobs of notices do what is due then.
func (p *post) passes(d time.Duration) {
	p.Helper()
	p.now = p.now.Add(d)
	p.must(p.Release(p.Context()))
	p.must(p.SendMails(p.Context()))
	p.must(p.SendWebhooks(p.Context()))
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
