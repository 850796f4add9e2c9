package main

import (
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	docCode   = regexp.MustCompile("`[^`\n]*`")
	docLink   = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	docAnchor = regexp.MustCompile(`[^a-z0-9 _-]`)
)

// A link of the documentation leads to a file, and to a heading of it; a page is short enough to be read.
func TestDocs(t *testing.T) {
	pages := []string{"../README.md", "../CONTRIBUTING.md", "../CHANGELOG.md"}
	err := filepath.WalkDir("../docs", func(path string, _ fs.DirEntry, err error) error {
		if filepath.Ext(path) == ".md" {
			pages = append(pages, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		text := readPage(t, page)
		if n := strings.Count(text, "\n"); n > 150 && strings.Contains(page, "design/") {
			t.Errorf("%s has %d lines, more than 150", page, n)
		}
		for _, match := range docLink.FindAllStringSubmatch(docCode.ReplaceAllString(text, ""), -1) {
			link, err := url.Parse(match[1])
			if err != nil || link.Scheme != "" {
				continue
			}
			target := page
			if link.Path != "" {
				target = filepath.Join(filepath.Dir(page), link.Path)
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s, which is not there", page, match[1])
			} else if link.Fragment != "" && !hasHeading(readPage(t, target), link.Fragment) {
				t.Errorf("%s links to %s, which has no such heading", page, match[1])
			}
		}
	}
}

func readPage(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// hasHeading reports whether a page has a heading that GitHub gives this anchor.
func hasHeading(page, anchor string) bool {
	for line := range strings.Lines(page) {
		title, isHeading := strings.CutPrefix(strings.TrimLeft(line, "#"), " ")
		if isHeading && line[0] == '#' && strings.ReplaceAll(docAnchor.ReplaceAllString(strings.ToLower(strings.TrimSpace(title)), ""), " ", "-") == anchor {
			return true
		}
	}
	return false
}
