package main

import (
	"context"
	"testing"
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
		"first load":                 firstLoad,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, browser)
		})
	}
}
