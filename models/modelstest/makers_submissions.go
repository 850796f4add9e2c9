package modelstest

import "laurel/models"

type Seen struct {
	models.Found
	Site  string
	Order int // Of arrival: ties in time go by it.
}
