// Package mail hands e-mails to an SMTP server.
//
// It writes plain text and nothing else, and leaves queueing to others: a call
// is one attempt, and its error says whether another one could end otherwise.
package mail

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/mail"
	"net/smtp"
	"net/textproto"
	"net/url"
	"time"
)

// A Server is where e-mails are handed over.
type Server struct {
	Host, Port string
	Auth       smtp.Auth // Nil where none is needed.
	Implicit   bool      // TLS from the first byte; else STARTTLS where it is offered.
	Plain      bool      // No TLS even where it is offered.
	From       mail.Address
}

// Parse reads a server's address such as smtp://user:password@mail.example.org:587
// (smtps:// for TLS from the first byte, ?tls=off for none), and whom e-mails
// are from.
func Parse(address, from string) (*Server, error) {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || u.Scheme != "smtp" && u.Scheme != "smtps" {
		// Not the address: it has a password.
		return nil, errors.New("this is not an address such as smtp://user:password@mail.example.org:587")
	}
	s := &Server{Host: u.Hostname(), Port: u.Port(), Implicit: u.Scheme == "smtps", Plain: u.Query().Get("tls") == "off"}
	if s.Port == "" {
		s.Port = map[bool]string{true: "465", false: "587"}[s.Implicit]
	}
	if u.User != nil {
		password, _ := u.User.Password()
		s.Auth = smtp.PlainAuth("", u.User.Username(), password, s.Host) // It refuses to send the password in the clear.
	}
	a, err := mail.ParseAddress(from)
	if err != nil {
		return nil, fmt.Errorf("%q is not an address such as Laurel <laurel@example.org>", from)
	}
	s.From = *a
	return s, nil
}

// A RefusedError is an answer that another attempt will not change: nobody has
// this address.
type RefusedError struct{ Err error }

func (e *RefusedError) Error() string { return e.Err.Error() }
func (e *RefusedError) Unwrap() error { return e.Err }

// wait is how long a server may take for all of it.
const wait = time.Minute

// Send makes one attempt to hand an e-mail over. Once it returns nil, the
// server has it.
func (s *Server) Send(ctx context.Context, m *Message) error {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	conn, err := (&net.Dialer{Timeout: 15 * time.Second}).DialContext(ctx, "tcp", net.JoinHostPort(s.Host, s.Port))
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })() // net/smtp knows no contexts.
	if s.Implicit {
		conn = tls.Client(conn, s.tls())
	}
	c, err := smtp.NewClient(conn, s.Host)
	if err != nil {
		return fmt.Errorf("%s does not speak SMTP: %w", s.Host, err)
	}
	if err := s.prepare(c); err != nil {
		return err
	}
	if err := c.Rcpt(m.To); err != nil {
		return refused(err)
	}
	w, err := c.Data()
	if err != nil {
		return err
	}
	if _, err := w.Write(m.bytes(&s.From)); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	_ = c.Quit() // It has the e-mail, whatever it says now.
	return nil
}

// prepare comes as far as the recipient.
func (s *Server) prepare(c *smtp.Client) error {
	if ok, _ := c.Extension("STARTTLS"); ok && !s.Implicit && !s.Plain {
		if err := c.StartTLS(s.tls()); err != nil {
			return fmt.Errorf("TLS with %s: %w", s.Host, err)
		}
	}
	if s.Auth != nil {
		if err := c.Auth(s.Auth); err != nil {
			return fmt.Errorf("sign in to %s: %w", s.Host, err)
		}
	}
	return c.Mail(s.From.Address)
}

func (s *Server) tls() *tls.Config {
	return &tls.Config{ServerName: s.Host, MinVersion: tls.VersionTLS12}
}

// refused distinguishes an unknown address from a busy one.
func refused(err error) error {
	if e, ok := errors.AsType[*textproto.Error](err); ok && e.Code >= 500 {
		return &RefusedError{err}
	}
	return err
}
