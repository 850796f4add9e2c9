package standin

import (
	"fmt"
	"maps"
	"sync"
)

// renames are the handles that people have given up, by site.
type renames struct {
	mu     sync.RWMutex
	bySite map[string]map[string]string // By the old handle as the site compares it: the new one.
}

// Rename lets somebody take a new handle on a site: the old one is not known any
// more, and what the site leads from does lead to the new one. People keep their
// first handles in People.
func (s *Server) Rename(site, from, to string) error {
	if _, err := siteNamed(site); err != nil {
		return err
	}
	p, ok := s.personOf(site, from)
	if _, taken := s.personOf(site, to); !ok || taken || to == "" {
		return fmt.Errorf("%s: nobody is %q, or somebody is %q", site, from, to)
	}
	renamed := *p
	renamed.Handles = maps.Clone(p.Handles)
	renamed.Handles[site] = to
	s.renames.mu.Lock()
	defer s.renames.mu.Unlock()
	delete(s.byName[site], fold(site, from))
	s.byName[site][fold(site, to)] = &renamed
	if s.renames.bySite == nil {
		s.renames.bySite = map[string]map[string]string{}
	}
	if s.renames.bySite[site] == nil {
		s.renames.bySite[site] = map[string]string{}
	}
	for old, now := range s.renames.bySite[site] {
		if fold(site, now) == fold(site, from) {
			s.renames.bySite[site][old] = to
		}
	}
	s.renames.bySite[site][fold(site, from)] = to
	return nil
}

// renamedFrom is the handle that somebody has who had this one.
func (s *Server) renamedFrom(site, handle string) (string, bool) {
	s.renames.mu.RLock()
	defer s.renames.mu.RUnlock()
	to, ok := s.renames.bySite[site][fold(site, handle)]
	return to, ok
}
