package members_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"laurel/handlers/handlerstest"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/notices"
)

// secretOf is a secret of a member's settings.
func secretOf(t *testing.T, s *handlerstest.Site, column string) (secret string) {
	t.Helper()
	if err := s.DB.Raw(`SELECT ` + column + ` FROM notice_settings`).Scan(&secret).Error; err != nil || secret == "" {
		t.Fatal(secret, err)
	}
	return secret
}

func TestAnAddressIsConfirmedAndForgotten(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	s.Outbox.Mail = true
	s.Restart()
	s.Member(t, "ann", members.RoleMember)
	ann, stranger := s.SignedIn(t, "ann"), s.Browser(t)
	ann.Post("/settings/address", "address", "Ann <ann@example.org>").Is(t, http.StatusUnprocessableEntity, "only the e-mail address")
	ann.Post("/settings/address", "address", "ann@example.org").LeadsTo(t, "/settings/notices?done=asked")
	ann.Get("/settings/notices").Is(t, http.StatusOK, "We sent an e-mail to ann@example.org")
	link := "/confirm-address?token=" + secretOf(t, s, "new_secret")
	stranger.Get(link).Is(t, http.StatusOK, "ann@example.org", "Confirm this address")
	if p := ann.Get("/settings/notices").Text; strings.Contains(p, "Send e-mails to ann@example.org") {
		t.Error("opening the link confirmed the address")
	}
	stranger.Post(link).Is(t, http.StatusOK, "Your address is confirmed")
	stranger.Post(link).Is(t, http.StatusNotFound)
	ann.Get("/settings/notices").Is(t, http.StatusOK, "Send e-mails to ann@example.org")
	ann.Post("/settings/notices", "page", "granted", "with_mail", "yes", "mail", "revoked", "daily", "yes").LeadsTo(t, "/settings/notices?done=saved")
	for _, want := range []string{`value="granted" checked`, `value="revoked">`, `value="revoked" checked`, `name="daily" value="yes" checked`} {
		ann.Get("/settings/notices").Is(t, http.StatusOK, want)
	}
	ann.Post("/settings/notices", "page", "gossip").Is(t, http.StatusUnprocessableEntity, "o kind of notice")

	link = "/unsubscribe?token=" + secretOf(t, s, "unsubscribe")
	stranger.Get(link).Is(t, http.StatusOK, "Unsubscribe")
	ann.Get("/settings/notices").Is(t, http.StatusOK, "Send e-mails to ann@example.org")
	stranger.Post(link, "List-Unsubscribe", "One-Click").Is(t, http.StatusOK, "no more e-mails")
	stranger.Post(link, "List-Unsubscribe", "One-Click").Is(t, http.StatusOK, "no more e-mails")
	if p := ann.Get("/settings/notices").Text; strings.Contains(p, "Send e-mails to") {
		t.Error("the one click did not end the e-mails")
	}
}

func TestAConfirmationEnds(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	s.Outbox.Mail = true
	s.Restart()
	s.Member(t, "ann", members.RoleMember)
	ann := s.SignedIn(t, "ann")
	for range 3 {
		ann.Post("/settings/address", "address", "victim@example.org").LeadsTo(t, "/settings/notices?done=asked")
	}
	ann.Post("/settings/address", "address", "victim@example.org").Is(t, http.StatusTooManyRequests, "Too many e-mails")
	link := "/confirm-address?token=" + secretOf(t, s, "new_secret")
	s.Time = s.Time.Add(3 * 24 * time.Hour)
	ann.Get(link).Is(t, http.StatusNotFound)
	ann.Post(link).Is(t, http.StatusNotFound)
	s.Browser(t).Get("/confirm-address?token=").Is(t, http.StatusNotFound)
}

func TestWithoutAServerThereIsNoEmail(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	s.Member(t, "ann", members.RoleMember)
	ann := s.SignedIn(t, "ann")
	ann.Get("/settings/notices").Is(t, http.StatusOK, "E-mail is not set up")
	ann.Post("/settings/address", "address", "ann@example.org").Is(t, http.StatusUnprocessableEntity)
}

func TestAdminsSeeWhatDidNotArrive(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	s.Member(t, "ann", members.RoleAdmin)
	ann := s.SignedIn(t, "ann")
	ann.Get("/admin/notices").Is(t, http.StatusOK, "No problems.", "LAUREL_WEBHOOK_URL is not set")
	s.Outbox.Webhook, s.Outbox.WebhookKey = "example.org", "whsec_x"
	s.Restart()
	s.EarnAward(t, "ann")
	if _, err := notices.PackCalls(t.Context(), s.DB.DB, s.Time); err != nil {
		t.Fatal(err)
	}
	claimed, err := notices.ClaimDeliveries(t.Context(), s.DB.DB, notices.Ways{Webhook: true}, pg.Lease{ID: "x", For: time.Minute}, 1, s.Time)
	if err != nil || len(claimed) != 1 {
		t.Fatal(claimed, err)
	}
	if err := notices.FinishDelivery(t.Context(), s.DB.DB, &claimed[0], notices.DeliveryOutcome{Error: "the webhook answered 410 Gone", Final: true}, 1, s.Time); err != nil {
		t.Fatal(err)
	}
	ann.Get("/admin/notices").Is(t, http.StatusOK, "The webhook answered 410 Gone.", "given up after 1 attempt", "whsec_x")
	ann.Post("/admin/notices/1/retry").LeadsTo(t, "/admin/notices?done=retried")
	ann.Post("/admin/notices/99/retry").Is(t, http.StatusNotFound)
	ann.Get("/admin/notices").Is(t, http.StatusOK, "next now")
}
