package events_test

const threePhotos = `{"slug":"three","title":"Three","permanence":"live","objectives":[{"id":"o","filters":[{"name":"SourceFilter","config":{"sources":["photo"]}}],"rule":{"name":"CountRule"}}],
	"strategy":{"objective_id":"o","goal":3},"levels":[{"title":"I","goal":1},{"title":"II","goal":3}]}`
