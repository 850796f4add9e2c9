package retrieval

import (
	"context"

	"laurel/models/submissions"
)

// TellFacts tells again of submissions whose problems' difficulty or tags changed, or whose
// contests' times became known.
func (r *Jobs) TellFacts(ctx context.Context) error {
	for ctx.Err() == nil {
		more, err := submissions.EmitChangedFacts(ctx, r.DB.DB, r.Now())
		if err != nil || !more {
			return err
		}
	}
	return ctx.Err()
}
