package forums

import (
	"time"

	pg "laurel/models/db"
)

// texts are one text of each message, as an array for a statement.
func texts(messages []NewMessage, of func(*NewMessage) string) *[]string {
	return pg.Column(messages, func(m *NewMessage) string { return pg.CleanText(of(m)) })
}

func urlOf(m *NewMessage) string        { return m.URL }
func idOf(m *NewMessage) string         { return m.MessageID }
func subjectOf(m *NewMessage) string    { return m.Subject }
func bodyOf(m *NewMessage) string       { return m.Body }
func versionOf(m *NewMessage) int       { return m.Version }
func editedOf(m *NewMessage) *time.Time { return m.EditedAt }

// newColumns are messages as the arrays of a statement.
type newColumns struct {
	urls, ids, replies, threads, periods, authors, addresses, subjects, shown, bodies *[]string
	numbers                                                                           *[]int64
	sent, edited                                                                      *[]*time.Time
	approximate                                                                       *[]bool
	versions                                                                          *[]int
}

func columnsOf(list []NewMessage) newColumns {
	return newColumns{
		urls:        pg.Column(list, urlOf),
		ids:         texts(list, idOf),
		replies:     texts(list, func(m *NewMessage) string { return m.InReplyTo }),
		threads:     texts(list, func(m *NewMessage) string { return m.Thread }),
		periods:     pg.Column(list, func(m *NewMessage) string { return m.Period }),
		numbers:     pg.Column(list, func(m *NewMessage) int64 { return m.Number }),
		authors:     texts(list, func(m *NewMessage) string { return m.Author }),
		addresses:   texts(list, func(m *NewMessage) string { return m.Address }),
		subjects:    texts(list, subjectOf),
		sent:        pg.Column(list, func(m *NewMessage) *time.Time { return m.SentAt }),
		shown:       texts(list, func(m *NewMessage) string { return m.SentShown }),
		approximate: pg.Column(list, func(m *NewMessage) bool { return m.Approximate }),
		bodies:      texts(list, bodyOf),
		versions:    pg.Column(list, versionOf),
		edited:      pg.Column(list, editedOf),
	}
}
