package harvest

import (
	"laurel/jobs/networks"
	"laurel/jobs/sites"
	"laurel/models/forums"
)

// refsIn are the things on judge sites and networks that links lead to.
func refsIn(links []string) (refs []forums.MessageRef) {
	for _, link := range links {
		if l, ok := sites.Recognise(link); ok {
			refs = append(refs, forums.MessageRef{Kind: refKinds[l.Kind], Key: l.Site + "/" + l.Key, URL: link})
		} else if ref, ok := networks.Recognise(link); ok {
			refs = append(refs, forums.MessageRef{Kind: forums.RefPost, Key: keyOf(ref).String(), URL: link})
		}
	}
	return refs
}

// refKinds are the kinds of references by what links lead to.
var refKinds = map[string]string{
	sites.LinkProblem: forums.RefProblem, sites.LinkNumber: forums.RefNumber, sites.LinkSubmission: forums.RefSubmission,
	sites.LinkContest: forums.RefContest, sites.LinkAccount: forums.RefAccount,
}
