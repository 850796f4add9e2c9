package sites

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"laurel/jobs/standin"
)

// profileOf reads a page and returns the profile as text, a group or field that
// is not there as null, with the addresses that were asked for.
func profileOf(t *testing.T, s Profiler, a Account, serve server) (string, []string, error) {
	t.Helper()
	get := &fake{t: t, serve: serve}
	p, err := s.Profile(t.Context(), get, a)
	wantSoundProfile(t, p, err)
	text, marshalErr := json.Marshal(p)
	if marshalErr != nil {
		t.Fatal(marshalErr)
	}
	return string(text), get.asked, err
}

// wantSoundProfile fails unless a profile can be stored, and is none with an error.
func wantSoundProfile(t *testing.T, p Profile, err error) {
	t.Helper()
	if err != nil && p != (Profile{}) {
		t.Errorf("a profile %+v with the error %v", p, err)
	}
	var texts []*string
	if p.Name != nil {
		texts = append(texts, p.Name.Name)
	}
	if p.Place != nil {
		texts = append(texts, p.Place.Country, p.Place.Organisation)
	}
	if p.Title != nil {
		texts = append(texts, p.Title.Title)
	}
	for _, text := range texts {
		if text != nil && (*text == "" || !utf8.ValidString(*text) || strings.Contains(*text, "\x00")) {
			t.Errorf("%q is empty, or Postgres refuses it", *text)
		}
	}
	if p.Rank != nil && p.Rank.Rank != nil && *p.Rank.Rank < 1 {
		t.Errorf("rank %d", *p.Rank.Rank)
	}
}

// A world is a Follower: the invented sites, without a network between.
type world struct {
	*standin.Server
	led string
}

func (w *world) Get(ctx context.Context, address string) (Page, error) {
	u, err := url.Parse(address)
	if err != nil {
		return Page{}, err
	}
	answer, request := httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, http.MethodGet, u.RequestURI(), nil)
	request.Host = u.Host
	w.ServeHTTP(answer, request)
	if to := answer.Header().Get("Location"); to != "" {
		return w.Get(ctx, u.Scheme+"://"+u.Host+to)
	}
	w.led = address
	return Page{answer.Code, answer.Body.Bytes()}, nil
}

func (w *world) PageAddress() string { return w.led }

func (w *world) Ask(ctx context.Context, r Request) (Page, Header, error) {
	u, err := url.Parse(r.Address)
	if err != nil {
		return Page{}, nil, err
	}
	method := http.MethodGet
	if r.Body != "" {
		method = http.MethodPost
	}
	answer, asked := httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, method, u.RequestURI(), strings.NewReader(r.Body))
	for key, value := range r.Header {
		asked.Header.Set(key, value)
	}
	asked.Host, w.led = u.Host, r.Address
	w.ServeHTTP(answer, asked)
	return Page{answer.Code, answer.Body.Bytes()}, Header(answer.Header()), nil
}

// Every site that shows profiles shows one of everybody it knows, and proves the absence of everybody else.
func TestProfilesOfTheStandIn(t *testing.T) {
	now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	w := &world{Server: standin.New(standin.Options{Now: func() time.Time { return now }})}
	for _, s := range everySite() {
		profiler, ok := s.(Profiler)
		if !ok {
			continue
		}
		t.Run(s.Info().Name, func(t *testing.T) {
			told := 0
			for _, person := range w.People() {
				a := Account{Handle: person.Handles[s.Info().Name]}
				if a.Handle == "" {
					continue
				}
				p, err := profiler.Profile(t.Context(), w, a)
				if wantSoundProfile(t, p, err); err != nil {
					t.Errorf("%s: %v", a.Handle, err)
				}
				if p.Rank != nil && p.Rank.Rank != nil || p.Rating != nil && p.Rating.Rating != nil || p.Counts != nil {
					told++
				}
			}
			if told < 10 {
				t.Errorf("%d people have a rank, a rating or counts, want most", told)
			}
			nobody := "nobody_here"
			if !s.Info().Handle.MatchString(nobody) {
				nobody = "999999999"
			}
			if _, err := profiler.Profile(t.Context(), w, Account{Handle: nobody}); !errors.Is(err, ErrNoHandle) {
				t.Errorf("nobody: error %v, want %v", err, ErrNoHandle)
			}
		})
	}
}

// Half a page must never look like somebody who has lost a title or a country.
func TestNoSiteTakesHalfAPageForAProfile(t *testing.T) {
	w := standin.New(standin.Options{Now: func() time.Time { return time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC) }})
	for _, kind := range []string{"cutjson", "html", "empty", "cloudflare"} {
		if err := w.SetFault("", standin.Fault{Kind: kind}); err != nil {
			t.Fatal(err)
		}
		for _, s := range everySite() {
			profiler, ok := s.(Profiler)
			if !ok {
				continue
			}
			a := Account{Handle: w.People()[0].Handles[s.Info().Name], Key: "900001"}
			if p, err := profiler.Profile(t.Context(), &world{Server: w}, a); err == nil || errors.Is(err, ErrNoHandle) {
				t.Errorf("%s, %s: profile %+v, error %v", s.Info().Name, kind, p, err)
			}
		}
		w.ClearFaults("")
	}
}
