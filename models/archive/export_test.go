package archive

import (
	"context"
	"time"

	"gorm.io/gorm"

	"laurel/models/archive/shards"
)

// Observations are what a response says, for Fold.
func Observations(ctx context.Context, db *gorm.DB, r Response, now time.Time) (seen []shards.Observation, endings []shards.Ending, err error) {
	p, err := parse(ctx, db, r, now, map[string]*Shard{})
	if err != nil || p.contradiction != "" {
		return nil, nil, err
	}
	for _, q := range p.parts {
		for _, f := range q.facts {
			seen = append(seen, shards.Observation{At: p.At, Fact: f, Order: string(p.hash)})
		}
		for _, f := range q.scopes {
			endings = append(endings, shards.Ending{At: p.At, Scope: f.Scope, Reason: q.reason})
		}
	}
	return seen, endings, nil
}

// Chunk is how many responses a row names itself.
const Chunk = chunk

// CheckShard checks one shard and what was seen of it: of all of them the queries alone take long.
func CheckShard(tx *gorm.DB, s *Shard) ([]Finding, error) {
	k := &checker{db: tx, shards: []*Shard{s}}
	err := k.check(Part{})
	return k.Findings, err
}
