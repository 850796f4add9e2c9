package main

import (
	"cmp"
	"fmt"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/caarlos0/env/v11"

	"laurel/jobs/networks"
	"laurel/jobs/posts"
	modelposts "laurel/models/posts"
)

// modelNetworks is what pages must know of the networks that can be read.
func modelNetworks() []modelposts.Network {
	var all []modelposts.Network
	for _, n := range networks.All() {
		i := n.Info()
		dated, _ := n.(networks.Dater)
		all = append(all, modelposts.Network{
			Name: i.Name, Title: i.Title, Home: i.Home, Hosts: i.HomeServer != "", HomeServer: i.HomeServer,
			NeedsToken: i.NeedsToken, TokenHint: i.TokenHint, OldAPI: i.OldAPI, FieldsParameter: i.FieldsParameter,
			Price: i.Price, Batch: i.Batch, Requests: i.Requests, Window: i.Window,
			Parse: func(text string) (modelposts.Key, *time.Time, bool) {
				ref, ok := n.Parse(text)
				if !ok {
					return modelposts.Key{}, nil, false
				}
				ref.Host = cmp.Or(ref.Host, i.HomeServer)
				key := modelposts.Key{Network: i.Name, Host: ref.Host, ExternalID: ref.ID}
				if dated == nil {
					return key, nil, true
				}
				if created, known := dated.MadeAt(ref.ID); known {
					return key, &created, true
				}
				return key, nil, true
			},
		})
	}
	return all
}

func (b *base) postSettings() posts.Settings {
	return posts.Settings{Tiers: b.tiers, BufferTTL: b.BufferTTL, Originals: b.PostOriginals}
}

// readPosts reads what is about posts.
func (s *settings) readPosts() (err error) {
	if s.tiers, err = modelposts.ParseTiers(s.PostTiers); err != nil {
		return fmt.Errorf("LAUREL_POST_TIERS: %w", err)
	}
	if s.BufferTTL < 0 || s.BufferTTL > time.Hour {
		return fmt.Errorf("LAUREL_BUFFER_TTL: %s is not between 0 and an hour", s.BufferTTL)
	}
	return nil
}

// mirrorsOf reads the settings that replace scheme and host of what is known by
// these names: LAUREL_SITE_<SITE>_URL with the prefix LAUREL_SITE_.
func mirrorsOf(prefix string, known map[string]bool, into map[string]*url.URL, unknown func(setting string)) error {
	for name, value := range env.ToMap(os.Environ()) {
		what, ok := strings.CutPrefix(name, prefix)
		if !ok || !strings.HasSuffix(what, "_URL") || value == "" {
			continue
		}
		what = strings.ToLower(strings.TrimSuffix(what, "_URL"))
		u, err := url.Parse(value)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || strings.Trim(u.Path, "/") != "" {
			return fmt.Errorf("%s: %q is not scheme and host alone, such as http://127.0.0.1:9000", name, value)
		}
		if !known[what] {
			unknown(name)
			continue
		}
		into[what] = u
	}
	return nil
}

func networkNames() map[string]bool {
	names := map[string]bool{}
	for _, n := range networks.All() {
		names[n.Info().Name] = true
	}
	return names
}
