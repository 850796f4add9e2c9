package forums_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/forums"
	"laurel/models/modelstest"
)

// threadForum is a forum in which messages can be stored.
func threadForum(t testing.TB, db *gorm.DB) func(...forums.NewMessage) forums.StoredMessages {
	t.Helper()
	ctx := t.Context()
	if _, _, err := forums.Add(ctx, db, forums.New{Slug: "news", Kind: "pipermail", URL: "https://l.example.org/news/"}, []string{"pipermail"}, modelstest.Noon); err != nil {
		t.Fatal(err)
	}
	lease := forums.Lease{ID: 1, Until: modelstest.Noon.Add(time.Hour)}
	h, ok, err := forums.Claim(ctx, db, "news", lease, modelstest.Noon)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	return func(list ...forums.NewMessage) forums.StoredMessages {
		t.Helper()
		got, err := h.Store(ctx, db, forums.Batch{Messages: list}, modelstest.Noon)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
}

// letter is a message some days ago: "id<reply subject".
func letter(days float64, text string) forums.NewMessage {
	id, subject, _ := strings.Cut(text, " ")
	id, reply, _ := strings.Cut(id, "<")
	m := forums.NewMessage{URL: "https://l.example.org/news/" + id + ".html", MessageID: id, InReplyTo: reply, Author: "a" + id, Subject: subject, SentAt: ptr(modelstest.Noon.Add(-time.Duration(days * 24 * float64(time.Hour))))}
	if strings.HasPrefix(id, "-") { // Of an archive that tells no ids.
		m.MessageID = ""
	}
	return m
}

// threadsNow are the threads as "id id: subject", the first of them as its head, by
// the forum's page.
func threadsNow(t testing.TB, db *gorm.DB) (all []string) {
	t.Helper()
	f, err := forums.BySlug(t.Context(), db, "news")
	if err != nil {
		t.Fatal(err)
	}
	threads, _, err := forums.Threads(t.Context(), db, f.ID, pg.Cursor{}, 100)
	if err != nil {
		t.Fatal(err)
	}
	for _, th := range threads {
		lines, err := forums.ThreadLines(t.Context(), db, th.ID)
		if err != nil {
			t.Fatal(err)
		}
		words := ""
		for _, l := range lines {
			words += strings.Repeat(">", l.Depth) + l.Author[1:] + " "
		}
		if len(lines) != th.Messages || th.People != th.Messages {
			t.Errorf("%s: %d messages, %d people are counted", words, th.Messages, th.People)
		}
		all = append(all, strings.TrimSpace(words))
	}
	slices.Sort(all)
	return all
}

// However archives are read, the same messages are the same threads.
func TestThreads(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		letters []forums.NewMessage
		want    string
	}{
		"answers":                          {[]forums.NewMessage{letter(3, "1 A plan"), letter(2, "2<1 Re: A plan"), letter(1, "3<2 Re: A plan"), letter(.5, "4<1 Another subject")}, "1 >2 >>3 >4"},
		"answers to nobody":                {[]forums.NewMessage{letter(2, "2<1 Re: A plan"), letter(1, "3<1 Re: quite another")}, "2 3"},
		"one subject":                      {[]forums.NewMessage{letter(3, "-1 A plan"), letter(2, "-2 Re: [news] A plan"), letter(1, "-3 RE: a  plan")}, "-1 -2 -3"},
		"a subject comes back":             {[]forums.NewMessage{letter(200, "1 Weekly contest"), letter(199, "2 Re: weekly contest"), letter(8, "3 Weekly contest"), letter(7, "4 Re: Weekly contest"), letter(1, "5 Weekly contest")}, "1 2|3 4|5"},
		"answers that came by another way": {[]forums.NewMessage{letter(3, "1 A plan"), letter(2, "2<x Re: A plan"), letter(90, "3<y Re: A plan")}, "1 2|3"},
		"a ring":                           {[]forums.NewMessage{letter(3, "1<2 A"), letter(2, "2<1 A")}, "1 >2"},
		"without a subject":                {[]forums.NewMessage{letter(3, "1"), letter(2, "2"), letter(1, "3<2")}, "1|2 >3"},
		"wrong clocks":                     {[]forums.NewMessage{letter(1, "1 A plan"), letter(5, "2<1 Re: A plan")}, "1 >2"},
	} {
		for order, arrange := range map[string]func([]forums.NewMessage) [][]forums.NewMessage{
			"at once":  func(l []forums.NewMessage) [][]forums.NewMessage { return [][]forums.NewMessage{l} },
			"forwards": func(l []forums.NewMessage) [][]forums.NewMessage { return slices.Collect(slices.Chunk(l, 1)) },
			"backwards": func(l []forums.NewMessage) [][]forums.NewMessage {
				r := slices.Clone(l)
				slices.Reverse(r)
				return slices.Collect(slices.Chunk(r, 1))
			},
		} {
			t.Run(name+" "+order, func(t *testing.T) {
				t.Parallel()
				tx := modelstest.Tx(t)
				store := threadForum(t, tx)
				for range 2 { // The second time nothing changes.
					for _, part := range arrange(tt.letters) {
						store(part...)
					}
					if got := strings.Join(threadsNow(t, tx), "|"); got != tt.want {
						t.Errorf("the threads are %s, want %s", got, tt.want)
					}
				}
			})
		}
	}
}

// Pages of a forum follow each other without a thread twice or none, whatever their
// dates.
func TestForumThreadsPages(t *testing.T) {
	t.Parallel()
	ctx, tx := t.Context(), modelstest.Tx(t)
	store := threadForum(t, tx)
	var list []forums.NewMessage
	for i := range 25 {
		list = append(list, letter(float64(i/3), fmt.Sprintf("%d Subject %d", i, i)))
	}
	list[7].SentAt, list[8].SentAt = nil, nil
	store(list...)
	f, err := forums.BySlug(ctx, tx, "news")
	if err != nil {
		t.Fatal(err)
	}
	seen, after := map[int64]bool{}, pg.Cursor{}
	for range 5 {
		threads, next, err := forums.Threads(ctx, tx, f.ID, after, 6)
		if err != nil {
			t.Fatal(err)
		}
		for _, th := range threads {
			seen[th.Head] = true
		}
		if after = next; next == (pg.Cursor{}) {
			break
		}
	}
	if len(seen) != 25 || after != (pg.Cursor{}) {
		t.Errorf("%d threads are on pages, and then %v", len(seen), after)
	}
	months, err := forums.Months(ctx, tx, f.ID)
	if err != nil || len(months) != 2 || months[0].Messages != 2 || months[1].Messages != 23 {
		t.Errorf("the months are %v, %v", months, err)
	}
	if _, err := forums.ThreadBySerial(ctx, tx, f.ID+1, 1); !errors.Is(err, pg.ErrNotFound) {
		t.Errorf("a thread of another forum: %v", err)
	}
}

// A wrong clock does not make an old thread the newest one, unless the message is
// seen when it comes.
func TestMessagesOfTheFuture(t *testing.T) {
	ctx, db := t.Context(), modelstest.Tx(t)
	store := threadForum(t, db)
	store(letter(300, "b One"), letter(-3000, "c<b Re: One"))
	last := func() (at time.Time) {
		t.Helper()
		if err := db.WithContext(ctx).Raw(`SELECT last_at FROM forum_threads`).Row().Scan(&at); err != nil {
			t.Fatal(err)
		}
		return at
	}
	if want := modelstest.Noon.Add(-300 * 24 * time.Hour); !last().Equal(want) {
		t.Errorf("the thread's last message is of %s, want %s", last(), want)
	}
	f, err := forums.BySlug(ctx, db, "news")
	if err != nil {
		t.Fatal(err)
	}
	f.CoveredAt = &modelstest.Noon
	h := forums.Harvest{Forum: f, Lease: forums.Lease{ID: 1}}
	d := letter(-3000, "d<b Re: One")
	if _, err := h.Store(ctx, db, forums.Batch{Messages: []forums.NewMessage{d}}, modelstest.Noon); err != nil {
		t.Fatal(err)
	}
	if !last().Equal(modelstest.Noon) {
		t.Errorf("the thread's last message is of %s, want now", last())
	}
}
