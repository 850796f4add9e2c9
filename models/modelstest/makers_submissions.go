package modelstest

import "laurel/models/retrieval"

type Seen struct {
	retrieval.Found
	Site  string
	Order int // Of arrival: ties in time go by it.
}
