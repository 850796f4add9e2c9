package parts

import (
	"slices"
	"strings"

	"github.com/a-h/templ"
)

// An adminPlace is a page of the admins' menu, with the pages beside it.
type adminPlace struct {
	href, text string
	support    bool // Support has it, too.
	tabs       []adminPlace
	below      string // What an address begins with that belongs here; "" for the place's own alone.
}

// adminPlaces are the admins' menu. Whatever is below /admin is shown in it.
var adminPlaces = []adminPlace{
	{href: "/admin", text: "Overview"},
	{href: "/admin/members", text: "Members", below: "/admin/members/", tabs: []adminPlace{
		{href: "/admin/members", text: "Members", below: "/admin/members/"},
		{href: "/admin/invitations", text: "Invitations"},
		{href: "/admin/import", text: "Import"},
		{href: "/admin/reports", text: "Reports"},
	}},
	{href: "/sites", text: "Sites", tabs: []adminPlace{
		{href: "/sites", text: "Status"},
		{href: "/admin/sites", text: "Added sites", below: "/admin/sites/"},
	}},
	{href: "/admin/awards", text: "Awards", below: "/admin/awards/", tabs: []adminPlace{
		{href: "/admin/awards", text: "Awards", below: "/admin/awards/"},
		{href: "/admin/support", text: "By member", support: true},
	}},
	{href: "/admin/forums", text: "Forums", below: "/admin/forums/", tabs: []adminPlace{
		{href: "/admin/forums", text: "Forums", below: "/admin/forums/"},
		{href: "/admin/authors", text: "Authors"},
	}},
	{href: "/admin/posts", text: "Posts"},
	{href: "/admin/events", text: "Events", support: true},
	{href: "/admin/archive", text: "Archive", tabs: []adminPlace{
		{href: "/admin/archive", text: "Check"},
		{href: "/archive/declare", text: "Declare a shard"},
	}},
	{href: "/admin/community", text: "Settings", tabs: []adminPlace{
		{href: "/admin/community", text: "Community"},
		{href: "/admin/access", text: "Access"},
		{href: "/admin/notices", text: "Outgoing notices"},
	}},
}

// supportPlaces is what of the menu support has.
var supportPlaces = func() (all []adminPlace) {
	for _, p := range adminPlaces {
		for _, t := range append([]adminPlace{p}, p.tabs...) {
			if t.support {
				all = append(all, adminPlace{href: t.href, text: t.text, below: p.below})
			}
		}
	}
	return all
}()

// has says whether an address belongs to the place.
func (p adminPlace) has(path string) bool {
	return path == p.href || p.below != "" && strings.HasPrefix(path, p.below) ||
		slices.ContainsFunc(p.tabs, func(t adminPlace) bool { return t.has(path) })
}

// adminMenu is the menu of who looks, and the place that is shown; nil on pages that are not the admins'.
func (f Frame) adminMenu() (menu []adminPlace, here adminPlace) {
	switch {
	case f.Viewer.Admin:
		menu = adminPlaces
	case f.Viewer.Support:
		menu = supportPlaces
	}
	i := slices.IndexFunc(menu, func(p adminPlace) bool { return p.has(f.Path) })
	if i < 0 {
		return nil, adminPlace{}
	}
	return menu, menu[i]
}

// current is "page" for a link to what is shown.
func current(is bool) templ.Attributes {
	if is {
		return templ.Attributes{"aria-current": "page"}
	}
	return nil
}
