package handlerstest

import (
	"testing"
	"time"

	pg "laurel/models/db"
	"laurel/models/forums"
)

// StoreMessages stores messages in the forum news, as a harvester does.
func (s *Site) StoreMessages(t *testing.T, list ...forums.NewMessage) map[string]int64 {
	t.Helper()
	ctx, db := t.Context(), s.DB.DB
	if _, _, err := forums.Add(ctx, db, forums.New{Slug: "news", Name: "News", Kind: "pipermail",
		URL: "https://lists.example.org/pipermail/news/"}, s.ForumKinds, s.Time); err != nil {
		t.Fatal(err)
	}
	if _, err := forums.Kick(ctx, db, "news", false, false, s.Time); err != nil {
		t.Fatal(err)
	}
	lease := forums.Lease{ID: 7, Until: s.Time.Add(time.Minute)}
	h, ok, err := forums.Claim(ctx, db, "news", lease, s.Time)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	got, err := h.Store(ctx, db, forums.Batch{Messages: list, Own: s.URL}, s.Time)
	if err != nil || got.New+got.Duplicates != len(list) {
		t.Fatal(got, err)
	}
	h.Run.Outcome = pg.OutcomeOK
	if err := h.End(ctx, db, forums.End{Robots: "robots.txt allows it"}, s.Time); err != nil {
		t.Fatal(err)
	}
	serials := map[string]int64{}
	for i := range list {
		var serial int64
		if err := db.Raw(`SELECT serial FROM messages
			WHERE url = @url`, map[string]any{"url": list[i].URL}).Scan(&serial).Error; err != nil {
			t.Fatal(err)
		}
		serials[list[i].URL] = serial
	}
	return serials
}

// Message is a mail that comes some time after noon.
func (s *Site) Message(at time.Duration, id, reply, subject, body string) forums.NewMessage {
	sent := s.Time.Add(at)
	return forums.NewMessage{URL: "https://lists.example.org/pipermail/news/" + id + ".html", MessageID: id + "@example.org",
		InReplyTo: reply, Author: "Ann", Address: "ann at example.org",
		Subject: subject, SentAt: &sent, SentShown: sent.Format(time.UnixDate), Body: body}
}
