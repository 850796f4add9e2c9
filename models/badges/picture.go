package badges

import (
	"laurel/models/awards/rules"
	"laurel/models/badges/openbadge"
)

// Picture is what an award looks like by its document.
func Picture(slug string, doc *rules.Award) openbadge.Picture {
	p := openbadge.Picture{Slug: slug}
	if doc.Picture != nil {
		p.Icon, p.Emoji = string(doc.Picture.Icon), doc.Picture.Emoji
		if hue := doc.Picture.Hue; hue != nil {
			p.Tint = int(*hue) + 1
		}
	}
	return p
}
