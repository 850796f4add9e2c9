package notices

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"laurel/jobs/mail"
	"laurel/models/notices"
)

// message is a delivery as an e-mail. It is the same at every attempt, but for
// what is not true any more.
func (o *Outbox) message(d *notices.Delivery, l *notices.Content) *mail.Message {
	m := &mail.Message{To: d.Address, ID: d.Key + "@" + o.host(), Date: d.CreatedAt}
	if d.Channel == notices.ChannelConfirm {
		m.Subject = "Confirm your e-mail address"
		m.Text = fmt.Sprintf("Hello %s,\n\nyou asked Laurel to send e-mails to this address. Open this link to confirm it:\n\n%s\n\n"+
			"The link works for three days. If this was not you, ignore this e-mail.\n", oneLine(l.Name),
			o.link("/confirm-address", l.Secret))
		return m
	}
	if d.Channel == notices.ChannelReset {
		m.Subject = "Choose a new password"
		m.Text = fmt.Sprintf("Hello %s,\n\nsomebody asked for a new password of your account. Open this link to choose one:\n\n%s\n\n"+
			"The link works once, within two hours. If this was not you, ignore this e-mail: your password stays.\n", oneLine(l.Name),
			o.URL+"/sign-up?code="+url.QueryEscape(l.Secret))
		return m
	}
	var text strings.Builder
	_, _ = fmt.Fprintf(&text, "Hello %s,\n\n", oneLine(l.Name))
	for i := len(l.Lines) - 1; i >= 0; i-- { // Oldest first.
		line := &l.Lines[i]
		_, _ = fmt.Fprintf(&text, "- %s\n", line.Sentence())
		if line.Kind == notices.NoticeSite {
			_, _ = fmt.Fprintf(&text, "  %s/sites\n", o.URL)
		}
		if line.Kind == notices.NoticeFollow {
			_, _ = fmt.Fprintf(&text, "  %s/following/requests\n", o.URL)
		}
		if line.Kind == notices.NoticeRenamed {
			_, _ = fmt.Fprintf(&text, "  %s/u/%s\n", o.URL, line.Member)
		}
		if len(line.Awards) == 1 && line.Kind != notices.NoticeRevoked {
			_, _ = fmt.Fprintf(&text, "  %s/awards/%s\n", o.URL, line.Awards[0].Slug)
		}
	}
	m.Unsubscribe = o.link("/unsubscribe", l.Secret)
	_, _ = fmt.Fprintf(&text, "\nAll notifications: %s/notices\nChoose your notifications: %s/settings/notices\nUnsubscribe: %s\n",
		o.URL, o.URL, m.Unsubscribe)
	m.Subject, m.Text = subject(l.Lines), text.String()
	return m
}

// subject is the only sentence, or what there is in all of them.
func subject(lines []notices.Line) string {
	if words := lines[0].Sentence(); len(lines) == 1 && len(words) <= 120 {
		return strings.TrimSuffix(words, ".")
	}
	earned := 0
	for _, l := range lines {
		if l.Kind == notices.NoticeGranted {
			earned++
		}
	}
	switch {
	case earned == 1:
		return "You earned an award"
	case earned > 1:
		return fmt.Sprintf("You earned %d awards", earned)
	}
	if slices.ContainsFunc(lines, func(l notices.Line) bool { return l.Kind == notices.NoticeSite }) {
		return "Judge sites need attention"
	}
	if !slices.ContainsFunc(lines, func(l notices.Line) bool { return l.Kind != notices.NoticeRenamed }) {
		return "A judge site renamed your handle"
	}
	if slices.ContainsFunc(lines, func(l notices.Line) bool { return l.Kind == notices.NoticeFollow }) {
		return "Somebody asks to follow you"
	}
	return "News about your awards"
}

func (o *Outbox) link(path, secret string) string {
	return o.URL + path + "?token=" + url.QueryEscape(secret)
}

// host is what is in a Message-ID.
func (o *Outbox) host() string {
	if u, err := url.Parse(o.URL); err == nil && u.Hostname() != "" && !strings.Contains(u.Hostname(), ":") {
		return u.Hostname()
	}
	return "laurel.invalid"
}

// oneLine keeps a name from looking like more than a name.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
