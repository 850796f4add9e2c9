package admin

import (
	"testing"
	"time"

	"github.com/a-h/templ"

	"laurel/views/parts"
	"laurel/views/viewstest"
)

func TestAdminPages(t *testing.T) {
	f := func(title, path string) parts.Frame { return viewstest.Frame(title, path, "ada") }
	steps := []Step{{Done: true, Text: "Name the community", Href: "/admin/community"}, {Text: "Add your handles", Href: "/settings", Why: "So"}}
	bob := Member{ID: 2, Name: "bob", DisplayName: "Bob <b>", Role: "support", Suspended: true, Banned: true, Joined: viewstest.Then}
	wrong := func(field string) parts.Form {
		return parts.Form{Values: map[string]string{field: "x"}, Errors: map[string]string{field: "No <b>."}}
	}
	viewstest.CheckPages(t, map[string]templ.Component{
		"admin": OverviewPage(Overview{Frame: f("Admin", "/admin"), Now: viewstest.Now, Steps: steps, Build: "0.1", Bytes: 1 << 30, DiskFree: 1 << 29, DiskSize: 1 << 40,
			Alarms: 2, Findings: 1, ArchiveChecked: viewstest.Now.Add(-time.Hour), Silent: []string{"UVa"}, Oldest: viewstest.Now,
			Queues: []Queue{{"Accounts to check", "/sites", 1000, false}, {"Failed", "/admin/notices", 3, true}}}),
		"admin-done":    OverviewPage(Overview{Frame: f("Admin", "/admin"), Now: viewstest.Now, Steps: steps[:1], Queues: []Queue{{"Accounts to check", "/sites", 0, false}}}),
		"admin-members": MembersPage(Members{Frame: f("Members", "/admin/members"), Now: viewstest.Now, Search: "bo", Members: []Member{bob}, More: "?after=bob"}),
		"admin-nobody":  MembersPage(Members{Frame: f("Members", "/admin/members"), Now: viewstest.Now}),
		"admin-member": OneMemberPage(MemberPage{Frame: f("Bob", "/admin/members/bob"), Now: viewstest.Now, Member: bob, Sessions: 2, Link: parts.NewLink{Address: "https://x.example", For: "bob", Password: true},
			Suspensions: []Suspension{{At: viewstest.Now, Suspended: true, Author: "ada", Note: "<b>"}}, Failed: "person", Form: wrong("time_zone"), Handles: []Handle{{"uva", "UVa", "bob"}}}),
		"admin-member-custom": OneMemberPage(MemberPage{Frame: f("Bob", "/admin/members/bob"), Now: viewstest.Now, Member: bob, Custom: true, Failed: "delete", Form: wrong("confirm")}),
		"admin-member-self":   OneMemberPage(MemberPage{Frame: f("Bob", "/admin/members/bob"), Now: viewstest.Now, Member: bob, Self: true, Failed: "role", Form: wrong("role")}),
		"admin-invitations": InvitationsPage(Invitations{Frame: f("Invitations", "/admin/invitations"), Now: viewstest.Now, Closed: true, Link: parts.NewLink{Address: "https://x.example"}, Form: wrong("guest"),
			Lines: []Invitation{{ID: "1", For: "<b>", By: "ada", Made: viewstest.Now, Expires: viewstest.Now.Add(time.Hour)}, {ID: "2", For: "bob", By: "ada", Made: viewstest.Then, Expires: viewstest.Then},
				{ID: "3", For: "cy", By: "ada", Made: viewstest.Then, Used: viewstest.Then, UsedBy: "cy"}, {ID: "4", For: "d", By: "ada", Made: viewstest.Then, Used: viewstest.Then}}}),
		"admin-reports": ReportsPage(Reports{Frame: f("Reports", "/admin/reports"), Now: viewstest.Now, Wrong: "No.", Older: "/admin/reports?before=1",
			Waiting:  []Report{{ID: 1, About: "bob", Path: "/u/bob", Text: "<b>", By: "ada", At: viewstest.Then}, {ID: 2, About: "Hi", Path: "/messages/1", Text: "spam", At: viewstest.Then}},
			Resolved: []Report{{ID: 3, About: "bob", Path: "/u/bob", Text: "x", By: "ada", At: viewstest.Then, Resolved: viewstest.Now, ResolvedBy: "ada", Note: "<i>"}}}),
		"admin-reports-none": ReportsPage(Reports{Frame: f("Reports", "/admin/reports"), Now: viewstest.Now}),
		"admin-access":       AccessPage(Access{Frame: f("Access", "/admin/access"), Wrong: "No.", SignUp: "open"}),
		"admin-import":       ImportPage(Import{Frame: f("Import", "/admin/import"), Sites: []string{"uva"}, Done: "1 member added.", Links: []string{"bob,https://x.example"}, Mistakes: []ImportMistake{{2, "uva", "No."}, {3, "", "No."}}}),
		"admin-archive": ArchivePage(ArchiveCheck{Frame: f("Archive check", "/admin/archive"), Now: viewstest.Now, At: viewstest.Then, Part: "everything", Total: 2000, Refused: 1, Before: "?", After: "?",
			Findings: []Finding{{"x", "lost", "<b>"}}}),
		"admin-archive-empty": ArchivePage(ArchiveCheck{Frame: f("Archive check", "/admin/archive"), Now: viewstest.Now}),
	})
}
