package views

import (
	"context"
	"io"
	"testing"
	"time"

	"github.com/a-h/templ"
)

// noticePages are the pages of notices in every state.
func noticePages() map[string]templ.Component {
	told := Notices{Frame: frame("Notices", "/notices", "ada"), Now: now, Unread: 2, Until: "2026-11-21T12:05:00Z", Older: "/notices?after=x", Lines: []NoticeLine{
		{now.Add(-time.Minute), "You earned Explorer, Gold.", "/awards/explorer", true},
		{now.Add(-time.Hour), "3 older awards were found: First blood, Polyglot and Night owl.", "/u/ada/awards", true},
		{now.AddDate(0, 0, -1), "Marathon (from 2026-11-01) was taken back: progress fell to 14 of 15.", "/u/ada/awards", false},
		{now.AddDate(0, 0, -9), "You are one step away from <Explorer>.", "/awards/explorer", false},
	}}
	none := Notices{Frame: frame("Notices", "/notices", "ada"), Now: now, Newest: "/notices"}
	way := AdminNotices{Frame: frame("Outgoing notices", "/admin/notices", "ada"), Now: now, Mail: true, Webhook: "example.org", WebhookKey: "whsec_x",
		Channels: []Outgoing{{"mail", 3, 1200, 1}, {"webhook", 1, 12, 0}},
		Troubled: []Delivery{{2, "webhook", "", now.Add(-time.Hour), 3, "The webhook answered 502 Bad Gateway.", now.Add(time.Hour)}, {1, "mail", "ada@example.org", now.AddDate(0, 0, -2), 8, "The mail server said: 550 no such user.", time.Time{}}}}
	return map[string]templ.Component{
		"notices":             NoticesPage(told),
		"notices-none":        NoticesPage(none),
		"notices-admin":       AdminNoticesPage(way),
		"notices-admin-off":   AdminNoticesPage(AdminNotices{Frame: way.Frame, Now: now}),
		"notices-confirm":     MailLinkPage(MailLink{Frame: frame("Confirm your address", "/confirm-address", ""), Words: "Laurel shall write to ada@example.org.", Button: "Confirm this address", To: "/confirm-address?token=x"}),
		"notices-ended":       MailLinkPage(MailLink{Frame: frame("Unsubscribe", "/unsubscribe", ""), Words: "Done."}),
		"notices-settings":    settingsPart(noticeSample(NoticeSettings{Mail: true, Address: "ada@example.org", Asked: "ada@example.com", Trouble: "550 no such user."})),
		"notices-no-address":  settingsPart(noticeSample(NoticeSettings{Mail: true})),
		"notices-not-by-mail": settingsPart(noticeSample(NoticeSettings{})),
	}
}

func noticeSample(n NoticeSettings) NoticeSettings {
	for _, kind := range []string{"granted", "revoked", "near", "new"} {
		n.Kinds = append(n.Kinds, NoticeKind{kind, true, kind != "near"})
	}
	return n
}

func TestNoticePages(t *testing.T) { checkPages(t, noticePages()) }

// settingsPart is the card on a page of its own.
func settingsPart(n NoticeSettings) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		return Layout(frame("Settings", "/settings", "ada")).Render(templ.WithChildren(ctx, templ.Join(templ.Raw("<h1>Settings</h1>"), NoticesCard(n))), w)
	})
}
