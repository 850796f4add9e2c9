package standin

import (
	"fmt"
	"sync"
)

// writings are what people wrote into the field of their profiles that they may fill as they like: the organisation,
// or the name or the description where a site has none. By site and name.
type writings struct {
	mu sync.RWMutex
	by map[string]string
}

// Write lets somebody write into the field of their profile on a site; with "" it is again as it was.
func (s *Server) Write(site, handle, text string) error {
	if _, err := siteNamed(site); err != nil {
		return err
	}
	p, ok := s.personOf(site, handle)
	if !ok {
		return fmt.Errorf("%s: nobody is %q", site, handle)
	}
	s.writings.mu.Lock()
	defer s.writings.mu.Unlock()
	if s.writings.by == nil {
		s.writings.by = map[string]string{}
	}
	s.writings.by[site+" "+p.Name] = text
	return nil
}

// written is what somebody wrote there, or false.
func (s *Server) written(p *person, site string) (string, bool) {
	s.writings.mu.RLock()
	defer s.writings.mu.RUnlock()
	text := s.writings.by[site+" "+p.Name]
	return text, text != ""
}

// calledOn is nameOf on a site whose field is the name.
func (s *Server) calledOn(p *person, site string, now int64) string {
	if text, ok := s.written(p, site); ok {
		return text
	}
	return s.nameOf(p, now)
}
