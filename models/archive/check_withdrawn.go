package archive

import (
	"bytes"

	"gorm.io/gorm"

	"laurel/models/archive/shards"
	pg "laurel/models/db"
)

// A withdrawnLine is a withdrawn response, put together again from what was set aside with it.
type withdrawnLine struct {
	ID, Base, PageID int64
	Hash             []byte
	Facts            int
	Altered          bool
	sum              shards.Sum
	n                int
}

// withdrawn compares withdrawn responses with what was set aside with them, and with those that superseded them.
func (k *checker) withdrawn(tx *gorm.DB) error {
	args := pg.Named("since", k.Since, "max", maxFindings)
	ours := k.slice("r.id") + " AND (r.id > @since OR r.superseded_by > @since)"
	if k.Since == 0 {
		ours = k.slice("r.id") + " AND @since = 0"
	}
	err := k.foundWith(tx, "", `
		SELECT 'log' AS _kind, 'response ' || r.id || ' was superseded by response ' || r.superseded_by
			|| ', which is not in the log of its page' AS _message
		FROM archive_retrievals r LEFT JOIN archive_retrievals b ON b.id = r.superseded_by AND b.page_id = r.page_id
		WHERE r.superseded_by IS NOT NULL AND b.id IS NULL AND `+ours+`
		UNION ALL
		SELECT 'log', 'a fact is set aside with response ' || r.retrieval_id || ', which was not withdrawn'
		FROM archive_yielded r WHERE r.withdrawn AND `+k.slice("r.retrieval_id")+`
			AND NOT EXISTS (SELECT FROM archive_retrievals l WHERE l.id = r.retrieval_id AND l.withdrawn_at IS NOT NULL)`, args)
	if err != nil {
		return err
	}
	var lines []*withdrawnLine
	err = tx.Raw(`SELECT r.id, coalesce(r.same_as, r.id) AS base, r.page_id, r.hash, r.facts, r.altered FROM archive_retrievals r
		WHERE r.withdrawn_at IS NOT NULL AND `+ours, args).Scan(&lines).Error
	if err != nil || len(lines) == 0 {
		return err
	}
	if err := k.setAside(tx, lines); err != nil {
		return err
	}
	pages := make([]int64, len(lines))
	for i, l := range lines {
		pages[i] = l.PageID
	}
	names, err := pageNames(tx, pages)
	for _, l := range lines {
		switch {
		case l.n != l.Facts:
			k.found("", KindLost, "withdrawn response %d of %s gave %d facts, and %d are set aside", l.ID, names[l.PageID], l.Facts, l.n)
		case !l.Altered && !bytes.Equal(l.sum.Bytes(), l.Hash):
			k.found("", KindContent, "withdrawn response %d of %s gave other facts than were set aside", l.ID, names[l.PageID])
		}
	}
	return err
}

// setAside adds up what is kept of withdrawn responses.
func (k *checker) setAside(tx *gorm.DB, lines []*withdrawnLine) error {
	byID, byBase := map[int64]*withdrawnLine{}, map[int64][]*withdrawnLine{}
	ids, bases := make([]int64, len(lines)), make([]int64, len(lines))
	for i, l := range lines {
		byID[l.ID], byBase[l.Base] = l, append(byBase[l.Base], l)
		ids[i], bases[i] = l.ID, l.Base
	}
	byName := map[string]*Shard{}
	for _, s := range k.shards {
		byName[s.Stored()] = s
	}
	var facts []struct {
		RetrievalID int64
		Shard, Fact string
	}
	err := tx.Raw(`SELECT retrieval_id, shard, fact FROM archive_yielded WHERE withdrawn AND retrieval_id = ANY(CAST(@ids AS bigint[]))`,
		pg.Named("ids", &ids)).Scan(&facts).Error
	if err != nil {
		return err
	}
	for _, f := range facts {
		l, s := byID[f.RetrievalID], byName[f.Shard]
		l.n++
		if s == nil {
			continue // Its tables are not as declared; that is said elsewhere.
		}
		fact, err := decodeFact(s.statements(), []byte(f.Fact))
		if err != nil {
			k.found(f.Shard, KindContent, "a fact that is set aside with response %d is none: %v", l.ID, err)
			continue
		}
		one, _ := shards.SumOfFact(nil, f.Shard, fact.ID)
		l.sum.Add(one)
	}
	var ends []struct {
		RetrievalID, Scope int64
		Shard, Reason      string
	}
	err = tx.Raw(`SELECT retrieval_id, shard, scope, reason FROM archive_endings WHERE retrieval_id = ANY(CAST(@bases AS bigint[]))`,
		pg.Named("bases", &bases)).Scan(&ends).Error
	for _, e := range ends {
		for _, l := range byBase[e.RetrievalID] {
			l.sum.Add(shards.SumOfScope(e.Shard, e.Scope, e.Reason))
		}
	}
	return err
}
