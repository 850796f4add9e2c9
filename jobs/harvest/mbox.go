package harvest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"

	"laurel/jobs/forums"
	pg "laurel/models/db"
	forumrows "laurel/models/forums"
	"laurel/models/responses"
)

// maxMbox is how large a file of messages may be when it is unpacked.
const maxMbox = 256 << 20

// ReadMbox yields the messages of a mailbox file, plain or packed with gzip, holding
// one of them at a time. A message is known by its Message-ID, or else by what stands
// in it: mbox:SHA. One of which nothing could be read has no address, but its text. An error comes
// last, and is an InputError where the file is at fault.
func ReadMbox(file io.Reader) iter.Seq2[forumrows.NewMessage, error] {
	return func(yield func(forumrows.NewMessage, error) bool) {
		for m, err := range forums.ReadLetters(file, forumrows.KindMbox+":", maxMbox) {
			switch {
			case err == nil:
				if !yield(mboxMessage(&m), nil) {
					return
				}
				continue
			case errors.Is(err, forums.ErrTooLarge):
				err = &pg.InputError{Field: "body", Message: fmt.Sprintf("the file is larger than %d MB when unpacked; split it",
					maxMbox>>20)}
			case errors.Is(err, forums.ErrFormat):
				err = &pg.InputError{Field: "body", Message: "this mbox file is damaged or cut off: " + err.Error()}
			}
			yield(forumrows.NewMessage{}, err)
			return
		}
	}
}

func mboxMessage(m *forums.Letter) forumrows.NewMessage {
	if m.Author == "" && m.MessageID == "" && m.Subject == "" {
		return forumrows.NewMessage{Raw: m.Raw()}
	}
	key := m.MessageID
	if key == "" {
		key = m.URL
	}
	sum := sha256.Sum256([]byte(key))
	out := newMessage(&m.Mail, "", nil)
	out.URL = forumrows.KindMbox + ":" + hex.EncodeToString(sum[:16])
	if !m.SentAt.IsZero() {
		out.Period = m.SentAt.Format("2006-January")
	}
	out.Posts, out.Raw = postsIn([]forums.Mail{m.Mail}), m.Raw()
	return out
}

// rereadFile reads a part of a file again that was uploaded. While one of its messages still cannot be
// read, it is no better understood than it was.
func rereadFile(a *responses.Answer) (r forumrows.Rereading, err error) {
	r = forumrows.Rereading{Answer: a.ID, At: a.RetrievedAt, Readable: a.Readable}
	for m, err := range ReadMbox(bytes.NewReader(a.Body)) {
		switch {
		case err != nil:
			return r, err
		case m.URL == "":
			r.Readable = true
		default:
			r.Messages = append(r.Messages, m)
		}
	}
	return r, nil
}
