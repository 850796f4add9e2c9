package standin

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// A fault in play: what it needs to answer badly.
type play struct {
	s     *Server
	w     http.ResponseWriter
	r     *http.Request
	x     site
	q     question
	f     Fault
	reply func() answer // What the site would have said.
}

// faultKinds are what can go wrong. The number is the status that goes into the
// log; 0 where no answer is given or the right status is sent.
var faultKinds = map[string]struct {
	status int
	play   func(play)
}{
	"429":        {429, func(p play) { p.refuse(429, "Too Many Requests") }},
	"503":        {503, func(p play) { p.refuse(503, "Service Temporarily Unavailable") }},
	"500":        {500, func(p play) { p.refuse(500, "Internal Server Error") }},
	"limit":      {0, func(p play) { p.send(p.x.hurried(p.q)) }}, // In the site's own words.
	"notfound":   {0, func(p play) { p.send(p.x.unknown(p.q)) }},
	"timeout":    {0, play.timeout},
	"slow":       {0, play.slow},
	"cut":        {200, play.cut},
	"cutjson":    {200, play.cutJSON},
	"cloudflare": {403, play.cloudflare},
	"html":       {200, play.login},
	"markup":     {200, func(p play) { p.send(reshape(p.reply())) }},
	"emptied":    {200, func(p play) { p.send(hollow(p.reply())) }},
	"empty":      {200, func(p play) { p.send(answer{status: 200}) }},
	"huge":       {200, play.huge},
	"redirect":   {302, play.redirect},
}

// status is what the log says of a fault.
func (f Fault) status(x site, q question) int {
	switch f.Kind {
	case "limit":
		return x.hurried(q).status
	case "notfound":
		return x.unknown(q).status
	}
	return faultKinds[f.Kind].status
}

func (s *Server) misbehave(w http.ResponseWriter, r *http.Request, x site, q question, f Fault, reply func() answer) {
	faultKinds[f.Kind].play(play{s, w, r, x, q, f, reply})
}

func (p play) send(a answer) { send(p.w, p.r, a) }

func (p play) refuse(status int, words string) {
	if p.f.RetryAfter != "" {
		p.w.Header().Set("Retry-After", p.f.RetryAfter)
	}
	p.send(answer{status: status, typ: "text/html", body: []byte("<html><head><title>" + words + "</title></head><body><h1>" + words +
		"</h1></body></html>\n")})
}

// timeout says nothing until the client goes away.
func (p play) timeout() {
	select {
	case <-p.r.Context().Done():
	case <-p.s.closing:
	}
	panic(http.ErrAbortHandler) // Not even an empty answer.
}

func (p play) slow() {
	delay := p.f.Delay
	if delay == 0 {
		delay = 2 * time.Second
	}
	t := time.NewTimer(delay)
	defer t.Stop()
	select {
	case <-t.C:
		p.send(p.reply())
	case <-p.r.Context().Done():
	case <-p.s.closing:
	}
}

// cut promises the whole body and closes the connection after half of it.
func (p play) cut() {
	a := p.reply()
	p.w.Header().Set("Content-Type", "application/json")
	p.w.Header().Set("Content-Length", strconv.Itoa(len(a.body)+64))
	p.w.WriteHeader(a.status)
	_, _ = p.w.Write(a.body[:len(a.body)/2])
	_ = http.NewResponseController(p.w).Flush()
	panic(http.ErrAbortHandler)
}

// cutJSON is a whole answer with half a document: only a parser can see that.
func (p play) cutJSON() {
	a := p.reply()
	a.body, a.etag = a.body[:len(a.body)/2], ""
	p.send(a)
}

// cloudflare is a page in the style of the one that asks a browser to prove itself.
func (p play) cloudflare() {
	p.w.Header().Set("Server", "cloudflare")
	p.w.Header().Set("Cf-Mitigated", "challenge")
	p.send(answer{status: http.StatusForbidden, typ: "text/html; charset=UTF-8",
		body: []byte(`<!DOCTYPE html><html lang="en-US"><head><title>Just a moment...</title>
<meta name="robots" content="noindex,nofollow"></head>
<body><noscript>This sample page wants JavaScript and cookies before it lets you on.</noscript>
<script>window._cf_chl_opt={cvId:"3",cType:"managed",cRay:"sample"};</script>
<script src="/cdn-cgi/challenge-platform/h/g/orchestrate/chl_page/v1?ray=sample"></script></body></html>
`)})
}

// login is a page where JSON was asked for, with a good status.
func (p play) login() {
	p.send(answer{status: http.StatusOK, typ: "text/html; charset=utf-8",
		body: []byte(`<!DOCTYPE html><html><head><title>Sign in</title></head><body>
<form method="post" action="/enter"><input name="handle"><input name="password" type="password"></form></body></html>
`)})
}

// huge goes on and on; it stops when the client has had enough.
func (p play) huge() {
	left := p.f.Size
	if left == 0 {
		left = 64 << 20
	}
	p.w.Header().Set("Content-Type", "application/json")
	chunk := []byte(strings.Repeat(" ", 1<<16))
	for ; left > 0; left -= len(chunk) {
		if _, err := p.w.Write(chunk[:min(left, len(chunk))]); err != nil {
			return
		}
	}
}

func (p play) redirect() {
	to := p.f.Location
	switch to {
	case "":
		to = "http://elsewhere.invalid/"
	case "loop":
		to = p.r.URL.RequestURI()
	}
	p.w.Header().Set("Location", to)
	p.send(answer{status: http.StatusFound, typ: "text/plain", body: fmt.Appendln(nil, "Found:", to)})
}
