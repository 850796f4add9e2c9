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

// Lookup returns the shard of a name, built in or declared; a former name is an alias.
func Lookup(ctx context.Context, db *gorm.DB, name string) (*Shard, error) {
	if s := builtIn()[name]; s != nil {
		return s, nil
	}
	var text string
	err := db.WithContext(ctx).Raw(`SELECT declaration FROM archive_shards
		WHERE name = @name OR declaration ->> 'name' = @name OR jsonb_exists(declaration -> 'formerly', @name)`,
		pg.Named("name", name)).Scan(&text).Error
	if err != nil {
		return nil, fmt.Errorf("shard %s: %w", name, err)
	}
	if text == "" {
		return nil, fmt.Errorf("%w: %q", ErrNoShard, name)
	}
	return known.shard(text)
}

// known are declared shards by their declarations, so that the statements of each are written once.
var known = knownShards{shards: map[string]*Shard{}}

type knownShards struct {
	mu     sync.Mutex
	shards map[string]*Shard
}

func (k *knownShards) shard(declaration string) (*Shard, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if s := k.shards[declaration]; s != nil {
		return s, nil
	}
	s := &Shard{}
	if err := json.Unmarshal([]byte(declaration), s); err != nil {
		return nil, fmt.Errorf("a declaration of a shard: %w", err)
	}
	if len(k.shards) > 2*maxDeclared { // Most of them are former ones.
		clear(k.shards)
	}
	k.shards[declaration] = s
	return s, nil
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
		s, err := known.shard(text)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	slices.SortFunc(all, byName)
	return all, nil
}

// ErrDeclared is wrapped where a shard of that name exists and is another one.
var ErrDeclared = &pg.Error{Code: pg.CodeConflict,
	Message: "a different shard has this name, or had it; choose another name, or change that shard."}

// Declare stores a shard and creates its table. To declare the same once more
// changes nothing; another one of the same name is refused.
func Declare(ctx context.Context, db *gorm.DB, d shards.Declaration, now time.Time) (*Shard, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	s := &Shard{Declaration: d.Given()}
	text := s.text()
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := lockAll(tx, []int64{number("", "declare")}); err != nil {
			return err
		}
		there, err := Lookup(ctx, tx, s.Name)
		if err == nil {
			if given := (&Shard{Declaration: there.Given()}); given.text() != text {
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
		if err == nil {
			err = s.keepVersion(tx, 1, &Evolution{}, now)
		}
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
