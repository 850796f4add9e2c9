package standin

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// control steers a stand-in that runs in another process:
//
//	/standin/fault?site=&kind=&count=&skip=&probability=&handle=&path=&retry_after=&delay=&location=&size=
//	/standin/rename?site=&handle=&to=   somebody takes a new handle
//	/standin/write?site=&handle=&text=  somebody writes into the field of their profile; "" as before
//	/standin/clear?site=        /standin/forget      empties log and numbers
//	/standin/stats[?gap=1.9s]   numbers and violations, of the sites' own gaps less a twentieth if none is given
//	/standin/log                /standin/people      /standin/submissions?site=&handle=   the truth
//	/standin/posts?network=[&id=]   polls, batches, requests over quota; of one id the truth as well
func (s *Server) control(w http.ResponseWriter, r *http.Request) {
	v, err := s.command(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v) // The client may have gone; nobody is left to report to.
}

func (s *Server) command(r *http.Request) (any, error) {
	q := r.URL.Query()
	switch r.URL.Path {
	case "/standin/fault":
		f, err := parseFault(q)
		if err != nil {
			return nil, err
		}
		return f, s.SetFault(q.Get("site"), f)
	case "/standin/rename":
		return "ok", s.Rename(q.Get("site"), q.Get("handle"), q.Get("to"))
	case "/standin/write":
		return "ok", s.Write(q.Get("site"), q.Get("handle"), q.Get("text"))
	case "/standin/clear":
		s.ClearFaults(q.Get("site"))
		return "ok", nil
	case "/standin/forget":
		s.Forget()
		return "ok", nil
	case "/standin/stats":
		return s.stats(q.Get("gap"))
	case "/standin/log":
		return s.Log(), nil
	case "/standin/people":
		return s.People(), nil
	case "/standin/submissions":
		return s.Submissions(q.Get("site"), q.Get("handle")), nil
	case "/standin/posts":
		return s.report(q.Get("network"), q.Get("id"))
	}
	return nil, fmt.Errorf("no command %s", r.URL.Path)
}

func (s *Server) stats(gap string) (any, error) {
	own := func(site string) time.Duration { return s.Gap(site) * 19 / 20 }
	if gap != "" {
		d, err := time.ParseDuration(gap)
		if err != nil {
			return nil, fmt.Errorf("gap: %w", err)
		}
		own = func(string) time.Duration { return d }
	}
	return map[string]any{"sites": s.Stats(), "violations": s.Violations(own)}, nil
}

func parseFault(q url.Values) (Fault, error) {
	f := Fault{Kind: q.Get("kind"), Handle: q.Get("handle"), Path: q.Get("path"), RetryAfter: q.Get("retry_after"),
		Location: q.Get("location")}
	for key, to := range map[string]*int{"count": &f.Count, "skip": &f.Skip, "size": &f.Size} {
		if text := q.Get(key); text != "" {
			n, err := strconv.Atoi(text)
			if err != nil || n < 0 {
				return f, fmt.Errorf("%s: %q is not a number from 0 up", key, text)
			}
			*to = n
		}
	}
	if text := q.Get("probability"); text != "" {
		p, err := strconv.ParseFloat(text, 64)
		if err != nil || p < 0 || p > 1 {
			return f, fmt.Errorf("probability: %q is not between 0 and 1", text)
		}
		f.Probability = p
	}
	if text := q.Get("delay"); text != "" {
		d, err := time.ParseDuration(text)
		if err != nil {
			return f, fmt.Errorf("delay: %w", err)
		}
		f.Delay = d
	}
	return f, nil
}
