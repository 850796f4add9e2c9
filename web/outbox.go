package main

import (
	"errors"
	"fmt"
	"net/url"

	noticepages "laurel/handlers/notices"
	"laurel/jobs/mail"
	"laurel/jobs/notices"
	"laurel/jobs/polite"
)

// readOutbox reads how notices go further than the page.
func (s *settings) readOutbox() error {
	if s.SMTP != "" {
		from := s.MailFrom
		if u, err := url.Parse(s.URL); from == "" && err == nil {
			from = "Laurel <laurel@" + u.Hostname() + ">"
		}
		server, err := mail.Parse(s.SMTP, from)
		if err != nil {
			return fmt.Errorf("LAUREL_SMTP_URL and LAUREL_MAIL_FROM: %w", err)
		}
		s.mail = server
	}
	if s.Webhook == "" {
		return nil
	}
	if u, err := url.Parse(s.Webhook); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		// Not the address: it may hold a secret.
		return errors.New("LAUREL_WEBHOOK_URL: this is not an address such as https://example.org/laurel")
	}
	if len(s.SecretKey) < 16 {
		return errors.New("LAUREL_WEBHOOK_URL needs LAUREL_SECRET_KEY, a random text of at least 16 letters, which signs the calls")
	}
	return nil
}

// shownOutbox is what pages tell of it.
func (b *base) shownOutbox() noticepages.Outbox {
	o := noticepages.Outbox{Mail: b.mail != nil}
	if u, err := url.Parse(b.Webhook); err == nil && b.Webhook != "" {
		o.Webhook, o.WebhookKey = u.Host, notices.ShowKey(notices.WebhookKey(b.SecretKey))
	}
	return o
}

// outbox puts together what sends notices.
func (b *base) outbox() notices.Outbox {
	o := notices.Outbox{URL: b.URL, Mail: b.mail, Webhook: b.Webhook}
	if b.Webhook != "" {
		o.Key, o.HTTP = notices.WebhookKey(b.SecretKey), polite.Guarded(b.allowNets)
	}
	return o
}
