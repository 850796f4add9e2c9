package archive

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"laurel/models/archive/shards"
	pg "laurel/models/db"
)

// A Conflict is that a response contradicts another one of the same page and instant.
type Conflict struct {
	Response int64 // The other one.
	Shard    string
	Given    int // Which of the responses given, from 0, and which of its rows.
	Row      int
	Says     string // What the other one says.

	fact shards.Fact
	of   *Shard
}

func conflict(s *Shard, mine, other *shards.Observation) error {
	says := encodeFact(s.statements(), shards.Fact{Values: other.Fact.Values[:len(s.Fields())]})
	return &Conflict{Response: other.Line, Shard: s.Name, Says: says, fact: mine.Fact, of: s}
}

// place is where the contradicting row is in a response.
func (c *Conflict) place(r *Response) int {
	rows := r.Shards[c.Shard]
	for _, name := range c.of.Formerly {
		if given, ok := r.Shards[name]; ok {
			rows = given
		}
	}
	return slices.IndexFunc(rows, func(row shards.Row) bool {
		f, err := c.of.statements().Fact(row, 0)
		return err == nil && f.ID == c.fact.ID
	})
}

func (c *Conflict) Error() string {
	return fmt.Sprintf("shard %s: row %d contradicts response %d of the same address and instant, which says %s; to correct it, "+
		`send "supersedes": %d with all that the address showed`, c.Shard, c.Row, c.Response, c.Says, c.Response)
}

// Coded implements pg.CodedError.
func (c *Conflict) Coded() *pg.Error {
	return &pg.Error{Code: pg.CodeConflict, Message: c.Error(), Field: "supersedes"}
}

// logged is a response of the log as corrections need it.
type logged struct {
	ID, Base, PageID          int64
	SupersededBy, WithdrawnBy int64
	Source, Address, Viewer   string
	At                        time.Time
	Outcome                   string
	Hash                      []byte
	Facts                     int
	Altered                   bool
	WithdrawnAt               *time.Time
	Locks                     *string
	locks                     []int64
}

// response reads a response of the log.
func response(db *gorm.DB, id int64) (*logged, error) {
	var x logged
	err := db.Raw(queries.Must("logged_response"), pg.Named("id", id)).Scan(&x).Error
	if err == nil && x.ID == 0 {
		err = &pg.Error{Code: pg.CodeNotFound, Message: fmt.Sprintf("there is no response %d in the log of retrievals", id)}
	}
	if err == nil {
		x.locks, err = ints(x.Locks)
	}
	x.At = x.At.UTC()
	return &x, err
}

// ownSource is Laurel itself, as models/history names it.
const ownSource = "laurel"

// correctable says why a response cannot be corrected.
func (x *logged) correctable() error {
	if x.Outcome != OutcomeOK {
		return wrongResponse("response %d ended as %s: it shows nothing that could be corrected", x.ID, x.Outcome)
	}
	if x.Source == ownSource {
		return wrongResponse("response %d is of Laurel's own figures, which are counted, not read", x.ID)
	}
	return nil
}

func wrongResponse(format string, args ...any) error {
	return &shards.InputError{Row: -1, Field: "response", Message: fmt.Sprintf(format, args...)}
}

// superseded finds the response that another one supersedes: it must be one of the same page.
func superseded(db *gorm.DB, r *Response) (*logged, error) {
	x, err := response(db, r.Supersedes)
	if err == nil {
		err = x.correctable()
	}
	if err == nil && (x.Source != r.Source || x.Address != r.Address || x.Viewer != r.Viewer) {
		err = wrongResponse("response %d is of another address (%s %s, viewer %q)", x.ID, x.Source, x.Address, x.Viewer)
	}
	if input, ok := errors.AsType[*shards.InputError](err); ok {
		input.Field = "supersedes"
	}
	return x, err
}

// Shown are the responses of a page and instant that are believed.
func Shown(ctx context.Context, db *gorm.DB, r *Response) (ids []int64, err error) {
	err = db.WithContext(ctx).Raw(`
		SELECT r.id FROM archive_pages p JOIN archive_retrievals r ON r.page_id = p.id
		WHERE p.source = @source AND p.address = @address AND p.viewer = @viewer AND r.at = @at AND r.outcome = @ok
			AND r.withdrawn_at IS NULL
		ORDER BY r.id`,
		pg.Named("source", r.Source, "address", r.Address, "viewer", r.Viewer, "at", shards.Instant(r.At), "ok", OutcomeOK)).
		Scan(&ids).Error
	if err != nil {
		return nil, fmt.Errorf("responses of %s %s: %w", r.Source, r.Address, err)
	}
	return ids, nil
}

// PageOf is the page of a response of the log.
func PageOf(ctx context.Context, db *gorm.DB, id int64) (Response, error) {
	x, err := response(db.WithContext(ctx), id)
	if err != nil {
		return Response{}, fmt.Errorf("response %d: %w", id, err)
	}
	return Response{Source: x.Source, Address: x.Address, Viewer: x.Viewer, At: x.At}, nil
}

// supersede logs the response, withdraws the one that it supersedes, and goes on. Sent again, it
// changes nothing.
func (w *writer) supersede(log func() error, then func() (Result, error)) (Result, error) {
	x, err := superseded(w.tx, &w.Response)
	if err != nil {
		return Result{}, err
	}
	same := func(r *logged) bool {
		return w.Outcome == r.Outcome || w.Outcome == "" && r.At.Equal(w.At) && slices.Equal(r.Hash, w.hash)
	}
	if x.WithdrawnAt == nil && same(x) {
		return w.replayOf(x.ID)
	}
	if x.SupersededBy != 0 {
		by, err := response(w.tx, x.SupersededBy)
		if err != nil {
			return Result{}, err
		}
		if same(by) {
			return w.replayOf(by.ID)
		}
		return Result{}, &pg.Error{Code: pg.CodeConflict, Field: "supersedes",
			Message: fmt.Sprintf("response %d was superseded by response %d: supersede that one", x.ID, by.ID)}
	}
	if err := log(); err != nil {
		return Result{}, err
	}
	gone, err := withdraw(w, x, withdrawal{supersededBy: &w.id, stays: w.says})
	if err != nil {
		return Result{}, err
	}
	for i := range gone {
		if !w.says(&gone[i]) {
			w.res.SetAside = append(w.res.SetAside, gone[i].shard.setAside(&gone[i].fact, x.ID, x.At, Superseded))
			w.res.SetAside[len(w.res.SetAside)-1].SupersededBy = w.id
		}
	}
	res, err := then()
	res.settle()
	return res, err
}

// says says whether the response shows a fact.
func (w *writer) says(f *shardFact) bool {
	return slices.ContainsFunc(w.parts, func(q *part) bool {
		return q.shard.Name == f.shard.Name && slices.ContainsFunc(q.facts, func(g shards.Fact) bool { return g.ID == f.fact.ID })
	})
}

// replay answers a response that was stored before. What was withdrawn stays so.
func (w *writer) replay(given int) (Result, error) {
	res, err := w.replayOf(w.Known)
	res.Confirmed = given
	return res, err
}

func (w *writer) replayOf(id int64) (Result, error) {
	res := Result{Retrieval: id, Replayed: true}
	x, err := response(w.tx, id)
	if err != nil || x.WithdrawnAt == nil {
		return res, err
	}
	why := Superseded
	if x.WithdrawnBy != 0 {
		why = Retracted
	}
	for _, q := range w.parts {
		for i := range q.facts {
			a := q.shard.setAside(&q.facts[i], id, x.At, why)
			a.SupersededBy, a.Since = x.SupersededBy, x.WithdrawnAt
			res.SetAside = append(res.SetAside, a)
		}
	}
	return res, nil
}

// A Retraction says what is not believed any more: a response, or what was seen of a
// key at an instant, which is then read as if it had not been shown.
type Retraction struct {
	Response int64
	Shard    string
	Key      shards.Row
	At       time.Time
	Note     string
	By       int64 // A member.
}

// Retract withdraws what a retraction names. It returns the responses that were withdrawn, and
// what was set aside.
func Retract(ctx context.Context, db *gorm.DB, r Retraction, now time.Time) (responses []int64, gone []SetAside, err error) {
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := holdDeclarations(tx, nil); err != nil {
			return err
		}
		key, err := r.keyFact(ctx, tx)
		if err != nil {
			return err
		}
		first, err := r.find(ctx, tx, key)
		if err != nil {
			return err
		}
		var locks []int64
		for _, x := range first {
			locks = append(locks, x.locks...)
		}
		if locks, err = widened(ctx, tx, locks); err != nil {
			return err
		}
		if err := lockAll(tx, locks); err != nil {
			return err
		}
		list, err := r.find(ctx, tx, key) // Nobody changes it from here on.
		if err != nil {
			return err
		}
		responses, gone, err = retract(tx, &r, key, first, list, shards.Instant(now))
		return err
	})
	if err != nil {
		return nil, nil, fmt.Errorf("retract: %w", err)
	}
	return responses, gone, nil
}

// retract withdraws the responses of a list. first are those whose locks are taken.
func retract(tx *gorm.DB, r *Retraction, key *shardFact, first, list []*logged, now time.Time) (
	responses []int64, gone []SetAside, err error) {
	pages := newMarks()
	for _, x := range list {
		if !slices.ContainsFunc(first, func(y *logged) bool { return y.ID == x.ID }) {
			return nil, nil, &pg.Error{Code: pg.CodeConflict, Message: "this key was seen again meanwhile; send it again"}
		}
		w := &writer{tx: tx, now: now, pages: pages}
		stays := func(f *shardFact) bool {
			return key != nil && (f.shard.Name != key.shard.Name || f.fact.Key != key.fact.Key)
		}
		how := withdrawal{member: &r.By, note: &r.Note, stays: stays, instead: key != nil}
		facts, err := withdraw(w, x, how)
		if err != nil {
			return nil, nil, err
		}
		responses = append(responses, x.ID)
		for i := range facts {
			if !stays(&facts[i]) {
				gone = append(gone, facts[i].shard.setAside(&facts[i].fact, x.ID, x.At, Retracted))
			}
		}
	}
	if err := withListsIn(tx, gone, asideData); err != nil {
		return nil, nil, err
	}
	return responses, gone, pages.save(tx)
}

// keyFact is the key that the retraction names; nil where it names a response.
func (r *Retraction) keyFact(ctx context.Context, db *gorm.DB) (*shardFact, error) {
	if r.Response != 0 {
		return nil, nil
	}
	s, err := Lookup(ctx, db, r.Shard)
	if err != nil {
		return nil, err
	}
	for _, f := range s.Key {
		if _, ok := r.Key[f.Name]; !ok {
			return nil, &shards.InputError{Shard: s.Name, Row: -1, Field: f.Name, Message: "is missing: the whole key is needed"}
		}
	}
	facts, at, err := Wanted{Shard: s, Keys: []shards.Row{r.Key}}.keys()
	if err != nil {
		return nil, err
	}
	if len(at) != len(r.Key) {
		return nil, &shards.InputError{Shard: s.Name, Row: -1, Field: "key", Message: "has fields that are not of the key"}
	}
	s.statements().Name(facts)
	return &shardFact{s, facts[0]}, nil
}

// find finds the responses that are meant, in the order in which pages are locked.
func (r *Retraction) find(ctx context.Context, tx *gorm.DB, key *shardFact) (list []*logged, err error) {
	ids := []int64{r.Response}
	if key != nil {
		if ids, err = key.shownBy(ctx, tx, r.At); err != nil {
			return nil, err
		}
		if len(ids) == 0 {
			return nil, &pg.Error{Code: pg.CodeNotFound, Field: "at",
				Message: "no response showed this key at this instant, or it was withdrawn before"}
		}
	}
	for _, id := range ids {
		x, err := response(tx, id)
		if err == nil {
			err = x.correctable()
		}
		if err == nil && x.WithdrawnAt != nil {
			err = &pg.Error{Code: pg.CodeConflict, Field: "response", Message: fmt.Sprintf("response %d was withdrawn before", id)}
		}
		if err != nil {
			return nil, err
		}
		list = append(list, x)
	}
	slices.SortFunc(list, func(a, b *logged) int {
		return cmp.Or(strings.Compare(a.Source, b.Source), strings.Compare(a.Address, b.Address), strings.Compare(a.Viewer, b.Viewer),
			cmp.Compare(a.ID, b.ID))
	})
	return list, nil
}

// shownBy are the responses that showed a key at an instant.
func (f *shardFact) shownBy(ctx context.Context, tx *gorm.DB, at time.Time) (ids []int64, err error) {
	at = shards.Instant(at)
	w := Wanted{Shard: f.shard, Keys: []shards.Row{{}}}
	for i, field := range f.shard.Key {
		w.Keys[0][field.Name] = f.fact.Values[i]
	}
	rows, err := w.read(tx.WithContext(ctx), at, at.Add(time.Microsecond))
	if err == nil {
		err = addAside(tx, rows)
	}
	if err == nil {
		err = addEvidence(tx, rows)
	}
	for _, r := range rows {
		for _, s := range r.sightings {
			if s.at.Equal(at) {
				ids = append(ids, s.line)
			}
		}
	}
	if err != nil {
		return nil, err
	}
	aside, err := f.shard.asideFacts(tx, "x._at = @at AND NOT x._withdrawn", pg.Named("at", at, "limit", maxRows))
	for i := range aside {
		if aside[i].Fact.Key == f.fact.Key {
			ids = append(ids, aside[i].Line)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), err
}
