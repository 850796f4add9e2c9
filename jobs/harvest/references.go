package harvest

import (
	"context"

	"laurel/jobs/networks"
	"laurel/jobs/sites"
	"laurel/models/forums"
	"laurel/models/members"
)

// hosted are the declared sites that links may lead to.
func (j *Jobs) hosted(ctx context.Context) (list []sites.Info, err error) {
	declared, err := members.SitesOfKinds(ctx, j.DB.DB)
	for _, s := range declared {
		if kind, ok := sites.KindNamed(s.Kind); ok {
			list = append(list, kind.At(sites.Host{Name: s.Name, Title: s.Title, Base: s.Home}).Info())
		}
	}
	return list, err
}

// refsIn are the things on judge sites and networks that links lead to.
func refsIn(links []string, hosted []sites.Info) (refs []forums.MessageRef) {
	for _, link := range links {
		if l, ok := sites.Recognise(link, hosted...); ok {
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
