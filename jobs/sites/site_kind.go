package sites

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"laurel/jobs/registry"
)

// A Kind is software that many hosts run. One reader reads them all, wherever an admin says that
// they are.
type Kind struct {
	Name  string // In forms and in the database: dmoj.
	Title string // On pages: DMOJ.
	Home  string // Of its best known host.
	At    func(Host) Hosted
}

// A Host is one of a kind.
type Host struct {
	Name, Title string // The site's.
	Base        string // Its address, without a slash at the end.
	Token       string // What it is asked with; "" for asking as anybody.
}

// A Hosted is a site on a host of a kind.
type Hosted interface {
	Site
	// Check asks once whether the host answers as its kind does.
	Check(ctx context.Context, get Getter) error
}

var kinds = registry.New("kind of sites", func(k Kind) string { return k.Name })

func registerKind(k Kind) { kinds.Add(k) }

// Kinds returns every kind by name.
func Kinds() []Kind { return kinds.All() }

// KindNamed returns a kind, or false.
func KindNamed(name string) (Kind, bool) { return kinds.ByName(name) }

// Specimens are the best known hosts of all kinds, each named after its kind, for the demo and for tests.
func Specimens() []Site {
	var all []Site
	for _, k := range Kinds() {
		all = append(all, k.At(Host{Name: k.Name, Title: k.Title, Base: k.Home}))
	}
	return all
}

// within is the path of an address below the home of the site; false where it is not below it.
func (i Info) within(host string, path []string) ([]string, bool) {
	home, err := url.Parse(i.Home)
	if err != nil || !strings.EqualFold(strings.TrimPrefix(home.Host, "www."), strings.TrimPrefix(host, "www.")) {
		return nil, false
	}
	above := pathParts(home.Path)
	if len(path) < len(above) || !slices.Equal(path[:len(above)], above) {
		return nil, false
	}
	return path[len(above):], true
}
