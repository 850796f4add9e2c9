package sites

import "slices"

// everySite is every site that registers itself, and one of each kind.
func everySite() []Site { return slices.Concat(All(), Specimens()) }

func siteNamed(name string) (Site, bool) {
	all := everySite()
	i := slices.IndexFunc(all, func(s Site) bool { return s.Info().Name == name })
	if i < 0 {
		return nil, false
	}
	return all[i], true
}

func hosted() (infos []Info) {
	for _, s := range Specimens() {
		infos = append(infos, s.Info())
	}
	return infos
}
