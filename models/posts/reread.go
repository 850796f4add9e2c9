package posts

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/events"
	"laurel/models/responses"
)

// A Rereading is what today's reader finds in a raw answer of a network.
type Rereading struct {
	Answer   int64
	At       time.Time // When it came.
	Readable bool      // It was understood before.
	Pool     Pool
	Found    []SeenPost
}

// A SeenPost is what an answer shows of a post.
type SeenPost struct {
	ID string // The network's own.
	Seen
}

// Reread says what reading again changed of a network.
type Reread struct{ Posts, Answers int }

var errDryRun = errors.New("dry run")

// RereadPosts stores what today's reader finds in the raw answers of a network, oldest first, as if it
// had been read then: numbers that a newer answer showed stay. The archive is left alone. Each answer is a
// transaction of its own; a dry run is one, and is undone.
func RereadPosts(ctx context.Context, db *gorm.DB, read iter.Seq2[Rereading, error], dry bool, now time.Time) (c Reread, err error) {
	all := func(tx *gorm.DB) error {
		for r, err := range read {
			if err == nil {
				err = tx.Transaction(func(tx *gorm.DB) error { return rereadAnswer(ctx, tx, &r, &c, now) })
			}
			if err != nil {
				return fmt.Errorf("read posts again: %w", err)
			}
		}
		return nil
	}
	if !dry {
		return c, all(db.WithContext(ctx))
	}
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := all(tx); err != nil {
			return err
		}
		return errDryRun
	})
	if errors.Is(err, errDryRun) {
		err = nil
	}
	return c, err
}

func rereadAnswer(ctx context.Context, tx *gorm.DB, r *Rereading, c *Reread, now time.Time) error {
	if !r.Readable {
		c.Answers++
		if err := responses.MarkRead(ctx, tx, []int64{r.Answer}); err != nil {
			return err
		}
	}
	number := func(i int) *[]*int64 {
		return pg.Column(r.Found, func(f *SeenPost) *int64 { return f.all()[i] })
	}
	text := func(of func(*SeenPost) string) *[]string {
		return pg.Column(r.Found, func(f *SeenPost) string { return pg.CleanText(of(f)) })
	}
	var changed []int64
	err := tx.WithContext(ctx).Raw(queries.Must("reread"), pg.Named("network", r.Pool.Network, "host", r.Pool.Host, "at", r.At, "now", now,
		"ids", text(func(f *SeenPost) string { return f.ID }),
		"likes", number(0), "reposts", number(1), "replies", number(2), "quotes", number(3), "bookmarks", number(4), "views", number(5),
		"authors", text(func(f *SeenPost) string { return f.Author }),
		"texts", text(func(f *SeenPost) string { return f.Text }),
		"urls", text(func(f *SeenPost) string { return f.URL }),
		"originals", text(func(f *SeenPost) string { return f.RepostOf }))).Scan(&changed).Error
	if err != nil || len(changed) == 0 {
		return err
	}
	c.Posts += len(changed)
	return events.Emit(ctx, tx, "posts", queries.Must("changed"), pg.Named("ids", &changed, "at", r.At), now)
}
