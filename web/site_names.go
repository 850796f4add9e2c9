package main

import (
	"context"
	"fmt"
	"strings"

	"laurel/jobs/sites"
	"laurel/models/members"
)

// allSites is what pages must know of all sites, those that admins declared among them.
func (b *base) allSites(ctx context.Context) ([]members.Site, error) {
	return members.AllSites(ctx, b.db.DB, modelSites(), modelKinds())
}

// reader reads the site of a name, or says which names there are.
func (b *base) reader(ctx context.Context, name string) (sites.Site, error) {
	all, err := b.runner().Retrieval.AllSites(ctx)
	if err != nil {
		return nil, err
	}
	var known []string
	for _, s := range all {
		if s.Info().Name == name {
			return s, nil
		}
		known = append(known, s.Info().Name)
	}
	return nil, fmt.Errorf("no site is named %q; known are %s", name, strings.Join(known, ", "))
}
