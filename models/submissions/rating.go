package submissions

import "time"

// A RatingFound is one rated contest as a site shows it.
type RatingFound struct {
	Contest string    `json:"contest"` // The site's own name of it.
	Name    string    `json:"name"`
	URL     string    `json:"url"`
	Rank    int       `json:"rank"`
	Rating  int       `json:"rating"`
	At      time.Time `json:"at"`
}
