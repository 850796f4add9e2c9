package archive

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"gorm.io/gorm"

	"laurel/models/archive/shards"
	pg "laurel/models/db"
)

// maxDeclared bounds the tables that admins can make.
const maxDeclared = 500

// Lookup returns the shard of a name, built in or declared.
func Lookup(ctx context.Context, db *gorm.DB, name string) (*Shard, error) {
	if s := builtIn()[name]; s != nil {
		return s, nil
	}
	if s := known.of(db, name); s != nil {
		return s, nil
	}
	var text string
	err := db.WithContext(ctx).Raw(`SELECT declaration FROM archive_shards WHERE name = @name`, pg.Named("name", name)).Scan(&text).Error
	if err != nil {
		return nil, fmt.Errorf("shard %s: %w", name, err)
	}
	if text == "" {
		return nil, fmt.Errorf("%w: %q", ErrNoShard, name)
	}
	s := &Shard{}
	if err := json.Unmarshal([]byte(text), s); err != nil {
		return nil, fmt.Errorf("shard %s: %w", name, err)
	}
	known.keep(db, s)
	return s, nil
}

// known are declared shards: what is declared never changes, so one database's
// are read once, and their statements are written once.
var known knownShards

// knownShards are those of one pool of connections, the last that was asked.
type knownShards struct {
	mu     sync.Mutex
	pool   gorm.ConnPool
	shards map[string]*Shard
}

func (k *knownShards) of(db *gorm.DB, name string) *Shard {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.pool != db.ConnPool {
		return nil
	}
	return k.shards[name]
}

// keep notes a shard, unless it was read in a transaction, which may have
// declared it and may be undone.
func (k *knownShards) keep(db *gorm.DB, s *Shard) {
	if inTransaction(db) {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.pool != db.ConnPool {
		k.pool, k.shards = db.ConnPool, map[string]*Shard{}
	}
	k.shards[s.Name] = s
}

// inTransaction says whether db is an open transaction.
func inTransaction(db *gorm.DB) bool {
	_, ok := db.Statement.ConnPool.(gorm.TxCommitter)
	return ok
}

// Shards returns all shards by name, built in and declared.
func Shards(ctx context.Context, db *gorm.DB) ([]*Shard, error) {
	var texts []string
	err := db.WithContext(ctx).Raw(`SELECT declaration FROM archive_shards`).Scan(&texts).Error
	if err != nil {
		return nil, fmt.Errorf("shards: %w", err)
	}
	all := BuiltIn()
	for _, text := range texts {
		s := &Shard{}
		if err := json.Unmarshal([]byte(text), s); err != nil {
			return nil, fmt.Errorf("shards: %w", err)
		}
		all = append(all, s)
	}
	slices.SortFunc(all, byName)
	return all, nil
}

// ErrDeclared is wrapped where a shard of that name exists and is another one.
var ErrDeclared = &pg.Error{Code: pg.CodeConflict,
	Message: "a different shard has this name; choose another."}

// Declare stores a shard and creates its table. To declare the same once more
// changes nothing; another one of the same name is refused.
func Declare(ctx context.Context, db *gorm.DB, d shards.Declaration, now time.Time) (*Shard, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	s := &Shard{Declaration: d}
	text := s.text()
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := lockAll(tx, []int64{number("", "declare")}); err != nil {
			return err
		}
		there, err := Lookup(ctx, tx, s.Name)
		if err == nil {
			if there.text() != text {
				return fmt.Errorf("shard %s: %w", s.Name, ErrDeclared)
			}
			return nil
		}
		if !errors.Is(err, ErrNoShard) {
			return err
		}
		var n int
		if err := tx.Raw(`SELECT count(*) FROM archive_shards`).Scan(&n).Error; err != nil {
			return err
		}
		if n >= maxDeclared {
			return &shards.InputError{Row: -1, Field: "name", Message: fmt.Sprintf("there are already %d declared shards, the limit", n)}
		}
		err = tx.Exec(`INSERT INTO archive_shards (name, declaration, created_at) VALUES (@name, CAST(@text AS jsonb), @now)`,
			pg.Named("name", s.Name, "text", text, "now", shards.Instant(now))).Error
		for _, ddl := range s.DDL() {
			if err == nil {
				err = tx.Exec(ddl).Error
			}
		}
		if err != nil {
			return fmt.Errorf("declare shard %s: %w", s.Name, err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// text is the declaration as it is stored and compared.
func (s *Shard) text() string {
	c := s.Declaration
	if c.Data == nil {
		c.Data = []shards.Field{}
	}
	if c.Unique == nil {
		c.Unique = [][]string{}
	}
	if c.Scope == nil {
		c.Scope = []string{}
	}
	text, err := json.Marshal(&c)
	if err != nil {
		panic(err) // Names are JSON.
	}
	return string(text)
}
