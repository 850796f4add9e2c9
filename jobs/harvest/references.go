package harvest

import (
	"laurel/jobs/networks"
	"laurel/jobs/sites"
	"laurel/models"
)

// refsIn are the things on judge sites and networks that links lead to.
func refsIn(links []string) (refs []models.MessageRef) {
	for _, link := range links {
		if l, ok := sites.Recognise(link); ok {
			refs = append(refs, models.MessageRef{Kind: refKinds[l.Kind], Key: l.Site + "/" + l.Key, URL: link})
		} else if ref, ok := networks.Recognise(link); ok {
			refs = append(refs, models.MessageRef{Kind: models.RefPost, Key: keyOf(ref).String(), URL: link})
		}
	}
	return refs
}

// refKinds are the kinds of references by what links lead to.
var refKinds = map[string]string{
	sites.LinkProblem: models.RefProblem, sites.LinkNumber: models.RefNumber, sites.LinkSubmission: models.RefSubmission,
	sites.LinkContest: models.RefContest, sites.LinkAccount: models.RefAccount,
}
