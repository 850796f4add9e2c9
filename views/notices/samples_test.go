package notices

import (
	"context"
	"io"
	"testing"
	"time"

	"github.com/a-h/templ"

	"laurel/views/parts"
	"laurel/views/viewstest"
)

// noticePages are the pages of notices in every state.
func noticePages() map[string]templ.Component {
	told := Index{Frame: viewstest.Frame("Notices", "/notices", "ada"), Now: viewstest.Now, Unread: 2, Until: "2026-11-21T12:05:00Z", Older: "/notices?after=x", Lines: []Line{
		{viewstest.Now.Add(-time.Minute), "You earned Explorer, Gold.", "/awards/explorer", true},
		{viewstest.Now.Add(-time.Hour), "3 older awards were found: First blood, Polyglot and Night owl.", "/u/ada/awards", true},
		{viewstest.Now.AddDate(0, 0, -1), "Marathon (from 2026-11-01) was taken back: progress fell to 14 of 15.", "/u/ada/awards", false},
		{viewstest.Now.AddDate(0, 0, -9), "You are one step away from <Explorer>.", "/awards/explorer", false},
	}}
	none := Index{Frame: viewstest.Frame("Notices", "/notices", "ada"), Now: viewstest.Now, Newest: "/notices"}
	way := Admin{Frame: viewstest.Frame("Outgoing notices", "/admin/notices", "ada"), Now: viewstest.Now, Mail: true, Webhook: "example.org", WebhookKey: "whsec_x",
		Channels: []Outgoing{{"mail", 3, 1200, 1}, {"webhook", 1, 12, 0}},
		Troubled: []Delivery{{2, "webhook", "", viewstest.Now.Add(-time.Hour), 3, "The webhook answered 502 Bad Gateway.", viewstest.Now.Add(time.Hour)}, {1, "mail", "ada@example.org", viewstest.Now.AddDate(0, 0, -2), 8, "The mail server said: 550 no such user.", time.Time{}}}}
	return map[string]templ.Component{
		"notices":             IndexPage(told),
		"notices-none":        IndexPage(none),
		"notices-admin":       AdminPage(way),
		"notices-admin-off":   AdminPage(Admin{Frame: way.Frame, Now: viewstest.Now}),
		"notices-confirm":     MailLinkPage(MailLink{Frame: viewstest.Frame("Confirm your address", "/confirm-address", ""), Words: "Laurel shall write to ada@example.org.", Button: "Confirm this address", To: "/confirm-address?token=x"}),
		"notices-ended":       MailLinkPage(MailLink{Frame: viewstest.Frame("Unsubscribe", "/unsubscribe", ""), Words: "Done."}),
		"notices-settings":    settingsPart(noticeSample(Settings{Mail: true, Address: "ada@example.org", NewAddress: "ada@example.com", Trouble: "550 no such user."})),
		"notices-no-address":  settingsPart(noticeSample(Settings{Mail: true})),
		"notices-not-by-mail": settingsPart(noticeSample(Settings{})),
	}
}

func noticeSample(n Settings) Settings {
	for _, kind := range []string{"granted", "revoked", "near", "new"} {
		n.Kinds = append(n.Kinds, Kind{kind, true, kind != "near"})
	}
	return n
}

func TestNoticePages(t *testing.T) { viewstest.CheckPages(t, noticePages()) }

// settingsPart is the card on a page of its own.
func settingsPart(n Settings) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		return parts.Layout(viewstest.Frame("Settings", "/settings", "ada")).Render(templ.WithChildren(ctx, templ.Join(templ.Raw("<h1>Settings</h1>"), SettingsCard(n))), w)
	})
}
