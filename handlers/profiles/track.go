package profiles

import (
	"net/url"

	"laurel/models/forums"
	"laurel/models/profiles"
	forumviews "laurel/views/forums"
)

// trackView is a track; all is the address of its messages.
func trackView(t forums.Track, all string) forumviews.Track {
	v := forumviews.Track{Messages: t.Messages, More: t.More, All: all}
	for _, d := range t.Discussions {
		v.Discussions = append(v.Discussions, forumviews.Discussion(d))
	}
	return v
}

// aboutAddress lists all messages about one thing.
func aboutAddress(kind, key string) string { return "/forums?about=" + url.QueryEscape(kind+":"+key) }

// memberMessagesAddress is where the messages of a profile's track are: what the
// member wrote, or else what others wrote about them.
func memberMessagesAddress(p *profiles.Profile) string {
	if p.Track.Wrote == 0 {
		return aboutAddress(forums.RefMember, p.Name)
	}
	return "/u/" + p.Name + "/messages"
}
