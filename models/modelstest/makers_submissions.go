package modelstest

import "laurel/models/retrieval"

// Seen is a submission as a site shows it.
type Seen struct {
	retrieval.Found
	Site  string
	Order int // Of arrival: ties in time go by it.
}
