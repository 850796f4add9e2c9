package standin

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// A Fault is what a site does wrong, and when.
type Fault struct {
	Kind        string        `json:"kind"`                  // One of Kinds.
	Count       int           `json:"count,omitempty"`       // So many times; 0 means until it is cleared.
	Skip        int           `json:"skip,omitempty"`        // So many matching requests are answered well first.
	Probability float64       `json:"probability,omitempty"` // Of each matching request; 0 means always.
	Handle      string        `json:"handle,omitempty"`      // Only requests about this handle; "" means all.
	Path        string        `json:"path,omitempty"`        // Only addresses that contain this; "" means all.
	RetryAfter  string        `json:"retry_after,omitempty"` // Of 429 and 503: seconds, or an HTTP date; "" means no header.
	Delay       time.Duration `json:"delay,omitempty"`       // Of slow: how long; 0 means 2 s.
	Location    string        `json:"location,omitempty"`    // Of redirect: where; "" is another host, "loop" the same address.
	Size        int           `json:"size,omitempty"`        // Of huge: how many bytes; 0 means 64 MiB.
}

// Kinds returns the names of all faults.
func Kinds() []string { return slices.Sorted(maps.Keys(faultKinds)) }

type faults struct {
	mu     sync.Mutex
	seed   uint64
	drawn  uint64
	bySite map[string][]*Fault
}

// SetFault lets a site ("" for every site) misbehave. Faults add up: the first
// that fits a request is played. No fault of the kind is known: an error.
func (s *Server) SetFault(site string, f Fault) error {
	if site != "" {
		if _, err := siteNamed(site); err != nil {
			return err
		}
	}
	if _, ok := faultKinds[f.Kind]; !ok {
		return fmt.Errorf("no fault is named %q (known: %v)", f.Kind, Kinds())
	}
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	if s.faults.bySite == nil {
		s.faults.bySite = map[string][]*Fault{}
	}
	if f.Count == 0 {
		f.Count = -1
	}
	s.faults.bySite[site] = append(s.faults.bySite[site], &f)
	return nil
}

// ClearFaults lets a site behave again; "" clears every fault of every site.
func (s *Server) ClearFaults(site string) {
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	if site == "" {
		s.faults.bySite = nil
	}
	delete(s.faults.bySite, site)
}

// next uses up one time of the first fault that fits.
func (f *faults) next(site string, q question) (Fault, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, x := range slices.Concat(f.bySite[site], f.bySite[""]) {
		if x.Count == 0 || !x.fits(site, q) {
			continue
		}
		if x.Skip > 0 {
			x.Skip--
			continue
		}
		if x.Probability > 0 {
			f.drawn++
			if float64(mix(f.seed, f.drawn)>>11)/(1<<53) >= x.Probability {
				continue
			}
		}
		if x.Count > 0 {
			x.Count--
		}
		return *x, true
	}
	return Fault{}, false
}

func (f *Fault) fits(site string, q question) bool {
	if f.Path != "" && !strings.Contains(q.r.URL.RequestURI(), f.Path) {
		return false
	}
	if f.Handle == "" {
		return true
	}
	for handle := range strings.SplitSeq(q.handle, ";") {
		if fold(site, handle) == fold(site, f.Handle) {
			return true
		}
	}
	return false
}
