// Package mailtest is an SMTP server for tests, which keeps what it is given.
package mailtest

import (
	"bufio"
	"fmt"
	"net"
	"net/textproto"
	"strings"
	"sync"
	"testing"
)

// An Envelope is one e-mail that came.
type Envelope struct{ From, To, Data string }

// A Box is the server with what it got.
type Box struct {
	Addr string

	mu     sync.Mutex
	got    []Envelope
	refuse string
}

// New starts a server on this machine for the length of a test.
func New(t testing.TB) *Box {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b := &Box{Addr: l.Addr().String()}
	var wg sync.WaitGroup
	t.Cleanup(func() {
		_ = l.Close()
		wg.Wait()
	})
	wg.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() { b.serve(conn) })
		}
	})
	return b
}

// Take returns what came since the last time.
func (b *Box) Take() []Envelope {
	b.mu.Lock()
	defer b.mu.Unlock()
	got := b.got
	b.got = nil
	return got
}

// Refuse answers every recipient with this line from now on; "" is none.
func (b *Box) Refuse(reply string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.refuse = reply
}

func (b *Box) serve(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	r := textproto.NewReader(bufio.NewReader(conn))
	say := func(line string) { _, _ = fmt.Fprintf(conn, "%s\r\n", line) }
	var e Envelope
	say("220 mailtest")
	for {
		line, err := r.ReadLine()
		if err != nil {
			return
		}
		verb, rest, _ := strings.Cut(line, " ")
		switch strings.ToUpper(verb) {
		case "EHLO":
			say("250-mailtest")
			say("250 AUTH PLAIN")
		case "MAIL":
			e = Envelope{From: between(rest)}
			say("250 ok")
		case "RCPT":
			e.To = between(rest)
			b.mu.Lock()
			reply := b.refuse
			b.mu.Unlock()
			if reply == "" {
				reply = "250 ok"
			}
			say(reply)
		case "DATA":
			say("354 go on")
			data, err := r.ReadDotBytes()
			if err != nil {
				return
			}
			e.Data = string(data)
			b.mu.Lock()
			b.got = append(b.got, e)
			b.mu.Unlock()
			say("250 queued")
		case "QUIT":
			say("221 bye")
			return
		default:
			say("250 ok")
		}
	}
}

// between is an address without its brackets.
func between(s string) string {
	_, s, _ = strings.Cut(s, "<")
	s, _, _ = strings.Cut(s, ">")
	return s
}
