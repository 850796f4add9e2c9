package bench_test

import (
	"context"
	"sync"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"laurel/jobs/networks"
	"laurel/models/posts"
)

// A rowLook is what was seen at one check, in the plain table of the slow way.
type rowLook struct {
	PostID                                            int64     `gorm:"primaryKey;autoIncrement:false"`
	At                                                time.Time `gorm:"primaryKey"`
	Likes, Reposts, Replies, Quotes, Bookmarks, Views *int64
}

// rowByRow looks at posts as one writes it first, and as the document has it that
// they were designed after: take a post that is due from the queue until there are
// a hundred, ask, and save each, with what was seen, in a transaction of its own.
func (w *postBench) rowByRow(workers int) effort {
	w.b.Helper()
	ok(w.b, w.db.AutoMigrate(&rowLook{}))
	w.due(rowPosts)
	clock, start := newCoreClock(w.b, w.db.DB), time.Now()
	var wg sync.WaitGroup
	for worker := range workers {
		wg.Go(func() {
			for {
				n, err := w.rowBatch(int64(worker))
				if err != nil {
					w.b.Error(err)
				}
				if n == 0 || err != nil {
					return
				}
			}
		})
	}
	wg.Wait()
	took := effort{wall: time.Since(start)}
	took.core = time.Duration(clock.lap() * float64(time.Second))
	return took
}

// leasedPost is a post with whose it is, which models keeps to itself.
type leasedPost struct {
	posts.Post
	LeaseID *int64
}

func (leasedPost) TableName() string { return "posts" }

// takeRow takes one post from the queue; found is false where none is due.
func (w *postBench) takeRow(worker int64, now time.Time) (p leasedPost, found bool, err error) {
	err = w.db.Transaction(func(tx *gorm.DB) error {
		res := tx.Clauses(clause.Locking{Strength: "UPDATE", Options: "SKIP LOCKED"}).
			Where("network = ? AND host = ? AND next_update_at <= ? AND (leased_until IS NULL OR leased_until <= ?)", "instant", "", now, now).Order("next_update_at").Limit(1).Find(&p)
		if found = res.RowsAffected > 0; !found {
			return res.Error
		}
		until := now.Add(2 * time.Minute)
		p.LeasedUntil, p.LeaseID = &until, &worker
		return tx.Model(&p).Select("LeasedUntil", "LeaseID").Updates(&p).Error
	})
	return p, found, err
}

func (w *postBench) rowBatch(worker int64) (int, error) {
	var posts []leasedPost
	now := w.now()
	for len(posts) < 100 {
		p, found, err := w.takeRow(worker, now)
		if err != nil {
			return 0, err
		}
		if !found {
			break
		}
		posts = append(posts, p)
	}
	if len(posts) == 0 {
		return 0, nil
	}
	ids := make([]string, len(posts))
	for i := range posts {
		ids[i] = posts[i].ExternalID
	}
	got, err := w.net.Fetch(context.Background(), nil, networks.Credential{}, ids)
	if err != nil {
		return 0, err
	}
	for i := range posts {
		if err := w.saveRow(&posts[i], got.Posts[posts[i].ExternalID], now); err != nil {
			return 0, err
		}
	}
	return len(posts), nil
}

func (w *postBench) saveRow(p *leasedPost, seen networks.Post, now time.Time) error {
	p.Numbers = posts.Numbers{Likes: seen.Likes, Reposts: seen.Reposts, Replies: seen.Replies, Quotes: seen.Quotes, Bookmarks: seen.Bookmarks, Views: seen.Views}
	p.Author, p.Text, p.URL, p.MetricsAt, p.FetchedAt, p.Fetches = seen.Author, seen.Text, seen.URL, &now, &now, p.Fetches+1
	p.State, p.NextUpdateAt, p.LeasedUntil, p.LeaseID = posts.PostFinished, nil, nil, nil
	if next, more := w.tiers.Next(seen.CreatedAt, now, posts.Pace{Slowdown: 1}, 0.5); more {
		p.State, p.NextUpdateAt = posts.PostActive, &next
	}
	return w.db.Transaction(func(tx *gorm.DB) error {
		if err := tx.Save(p).Error; err != nil {
			return err
		}
		return tx.Create(&rowLook{PostID: p.ID, At: now, Likes: p.Likes, Reposts: p.Reposts, Replies: p.Replies, Quotes: p.Quotes, Bookmarks: p.Bookmarks, Views: p.Views}).Error
	})
}
