package main

import (
	"context"
	"os"
	"testing"

	"laurel/static"
)

// TestBrowser uses the whole program through a real browser: what a person sees,
// presses and types, and what the browser says about it.
func TestBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("a browser takes its time")
	}
	browser := openBrowser(t)
	for name, test := range map[string]func(*testing.T, context.Context){
		"a newcomer":                 withScripts,
		"a newcomer without scripts": withoutScripts,
		"with all politeness":        measured,
		"every page":                 everyPage,
		"an award":                   awardsWithScripts,
		"an award without scripts":   awardsWithoutScripts,
		"posts":                      postsWithScripts,
		"posts without scripts":      postsWithoutScripts,
		"bring":                      bringWithScripts,
		"bring without scripts":      bringWithoutScripts,
		"a host":                     hostWithScripts,
		"a host without scripts":     hostWithoutScripts,
		"a proof":                    proofWithScripts,
		"a proof without scripts":    proofWithoutScripts,
		"forums":                     forumsWithScripts,
		"forums without scripts":     forumsWithoutScripts,
		"first load":                 firstLoad,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, browser)
		})
	}
}

// needScripts skips a test where npm has not brought what pages use: they work
// plainly then, which is tested all the same.
func needScripts(t *testing.T) {
	t.Helper()
	if _, err := os.Stat(axeFile); err != nil {
		t.Skip("axe-core and the other packages of static/package.json are not installed: run `make assets` where npm is")
	}
	if static.Assets().Script == "" {
		t.Fatal("static/dist is not built: run `make assets`")
	}
}
