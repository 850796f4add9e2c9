package sites

import (
	"net/url"
	"strings"
)

// HandleIn returns the handle that an address of the site leads to, as it is
// written there: people paste the address of their profile. Any other text comes
// back as it is.
func HandleIn(i Info, text string) string {
	address := strings.TrimSpace(text)
	if !strings.Contains(address, "://") {
		address = "https://" + address
	}
	host, path, _, ok := readAddress(address)
	if !ok || len(path) == 0 {
		return text
	}
	link, known := Recognise(address)
	if !known && len(path) == 1 && linkers[strings.TrimPrefix(host, "www.")].site == i.Name &&
		i.Handle.MatchString(strings.TrimPrefix(path[0], "@")) {
		return strings.TrimPrefix(path[0], "@") // Many sites have short addresses of profiles.
	}
	if link.Site != i.Name || link.Kind != LinkAccount {
		return text
	}
	u, err := url.Parse(address)
	if err != nil {
		return text
	}
	written := pathParts(u.Path)
	for _, values := range u.Query() {
		written = append(written, values...)
	}
	for _, part := range written {
		if part = strings.TrimPrefix(part, "@"); strings.EqualFold(part, link.Key) {
			return part
		}
	}
	return text
}
