package web

import (
	"strings"

	"laurel/views/texts"
)

// Names of browsers and systems in what browsers call themselves. The first that fits is meant: most
// pretend to be others, too.
var (
	browsers = [][2]string{{"Edg", "Edge"}, {"OPR/", "Opera"}, {"SamsungBrowser/", "Samsung Internet"}, {"Firefox/", "Firefox"},
		{"Chrome/", "Chrome"}, {"Safari/", "Safari"}, {"curl/", "curl"}}
	systems = [][2]string{{"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Android", "Android"}, {"Windows", "Windows"},
		{"Mac OS X", "macOS"}, {"CrOS", "ChromeOS"}, {"Linux", "Linux"}}
)

// Device is the browser and the system of a request, for its owner to recognise: "Firefox on Linux". The
// rest of what a browser tells is not kept.
func Device(agent string) string {
	named := func(names [][2]string) string {
		for _, n := range names {
			if strings.Contains(agent, n[0]) {
				return n[1]
			}
		}
		return ""
	}
	browser, system := named(browsers), named(systems)
	switch {
	case browser != "" && system != "":
		return browser + " on " + system
	case browser+system != "":
		return browser + system
	}
	return texts.Mark("Unknown browser")
}
