package handlers

import (
	"net/http"
	"strings"
	"testing"
	"time"

	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/notices"
)

// secretOf is a secret of a member's settings.
func secretOf(t *testing.T, s *site, column string) (secret string) {
	t.Helper()
	if err := s.DB.Raw(`SELECT ` + column + ` FROM notice_settings`).Scan(&secret).Error; err != nil || secret == "" {
		t.Fatal(secret, err)
	}
	return secret
}

func TestAnAddressIsConfirmedAndForgotten(t *testing.T) {
	t.Parallel()
	s := newSite(t, "http://laurel.test")
	s.Outbox.Mail = true
	s.restart()
	s.member(t, "ann", members.RoleMember)
	ann, stranger := s.signedIn(t, "ann"), s.browser(t)
	ann.post("/settings/address", "address", "Ann <ann@example.org>").is(t, http.StatusUnprocessableEntity, "Write the e-mail address alone")
	ann.post("/settings/address", "address", "ann@example.org").leads(t, "/settings?done=asked#notices")
	ann.get("/settings").is(t, http.StatusOK, "We sent an e-mail to ann@example.org")
	link := "/confirm-address?token=" + secretOf(t, s, "asked_secret")
	stranger.get(link).is(t, http.StatusOK, "ann@example.org", "Confirm this address")
	if p := ann.get("/settings").body; strings.Contains(p, "Send e-mails to ann@example.org") {
		t.Error("opening the link confirmed the address")
	}
	stranger.post(link).is(t, http.StatusOK, "Your address is confirmed")
	stranger.post(link).is(t, http.StatusNotFound)
	ann.get("/settings").is(t, http.StatusOK, "Send e-mails to ann@example.org")
	ann.post("/settings/notices", "page", "granted", "with_mail", "yes", "mail", "revoked", "daily", "yes").leads(t, "/settings?done=saved#notices")
	for _, want := range []string{`value="granted" checked`, `value="revoked">`, `value="revoked" checked`, `name="daily" value="yes" checked`} {
		ann.get("/settings").is(t, http.StatusOK, want)
	}
	ann.post("/settings/notices", "page", "gossip").is(t, http.StatusUnprocessableEntity, "no notices called")

	link = "/unsubscribe?token=" + secretOf(t, s, "unsubscribe")
	stranger.get(link).is(t, http.StatusOK, "Unsubscribe")
	ann.get("/settings").is(t, http.StatusOK, "Send e-mails to ann@example.org")
	stranger.post(link, "List-Unsubscribe", "One-Click").is(t, http.StatusOK, "no more e-mails")
	stranger.post(link, "List-Unsubscribe", "One-Click").is(t, http.StatusOK, "no more e-mails")
	if p := ann.get("/settings").body; strings.Contains(p, "Send e-mails to") {
		t.Error("the one click did not end the e-mails")
	}
}

func TestAConfirmationEnds(t *testing.T) {
	t.Parallel()
	s := newSite(t, "http://laurel.test")
	s.Outbox.Mail = true
	s.restart()
	s.member(t, "ann", members.RoleMember)
	ann := s.signedIn(t, "ann")
	for range 3 {
		ann.post("/settings/address", "address", "victim@example.org").leads(t, "/settings?done=asked#notices")
	}
	ann.post("/settings/address", "address", "victim@example.org").is(t, http.StatusTooManyRequests, "Too many e-mails")
	link := "/confirm-address?token=" + secretOf(t, s, "asked_secret")
	s.now = s.now.Add(3 * 24 * time.Hour)
	ann.get(link).is(t, http.StatusNotFound)
	ann.post(link).is(t, http.StatusNotFound)
	s.browser(t).get("/confirm-address?token=").is(t, http.StatusNotFound)
}

func TestWithoutAServerThereIsNoEmail(t *testing.T) {
	t.Parallel()
	s := newSite(t, "http://laurel.test")
	s.member(t, "ann", members.RoleMember)
	ann := s.signedIn(t, "ann")
	ann.get("/settings").is(t, http.StatusOK, "E-mail is not set up")
	ann.post("/settings/address", "address", "ann@example.org").is(t, http.StatusUnprocessableEntity)
}

func TestAdminsSeeWhatDidNotArrive(t *testing.T) {
	t.Parallel()
	s := newSite(t, "http://laurel.test")
	s.member(t, "ann", members.RoleAdmin)
	ann := s.signedIn(t, "ann")
	ann.get("/admin/notices").is(t, http.StatusOK, "No problems.", "LAUREL_WEBHOOK_URL is not set")
	s.Outbox.Webhook, s.Outbox.WebhookKey = "example.org", "whsec_x"
	s.restart()
	s.tell(t, "ann")
	if _, err := notices.PackCalls(t.Context(), s.DB.DB, s.now); err != nil {
		t.Fatal(err)
	}
	claimed, err := notices.ClaimDeliveries(t.Context(), s.DB.DB, notices.Ways{Webhook: true}, pg.Lease{ID: "x", For: time.Minute}, 1, s.now)
	if err != nil || len(claimed) != 1 {
		t.Fatal(claimed, err)
	}
	if err := notices.FinishDelivery(t.Context(), s.DB.DB, &claimed[0], notices.DeliveryOutcome{Error: "the webhook answered 410 Gone", Final: true}, 1, s.now); err != nil {
		t.Fatal(err)
	}
	ann.get("/admin/notices").is(t, http.StatusOK, "The webhook answered 410 Gone.", "given up after 1 attempt", "whsec_x")
	ann.post("/admin/notices/1/retry").leads(t, "/admin/notices?done=retried")
	ann.post("/admin/notices/99/retry").is(t, http.StatusNotFound)
	ann.get("/admin/notices").is(t, http.StatusOK, "next now")
}
