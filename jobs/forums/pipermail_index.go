package forums

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	rowStart = regexp.MustCompile(`(?i)<tr[^>]*>`)
	href     = regexp.MustCompile(`(?is)<a\s[^>]*?href\s*=\s*"?([^"\s>]+)"?[^>]*>(.*?)</a>`)
	viewRef  = regexp.MustCompile(`^(?:.*/)?([^/]+?)/?(?:date|thread|subject|author)\.html$`)
	textRef  = regexp.MustCompile(`^(?:.*/)?([^/]+?)\.txt(?:\.gz)?$`)
	sizes    = regexp.MustCompile(`(?i)(\d{1,12})\s*(bytes?|[kmg]i?b)`)
)

// readRoot reads the list of periods.
func readRoot(s Step, page string) (Found, error) {
	f, known := Found{Complete: true}, map[string]bool{}
	for _, row := range rowStart.Split(page, maxListed)[1:] {
		if p, ok := readRow(s, row[:min(len(row), maxItem)]); ok && !known[p.Name] {
			f.Spans, known[p.Name] = append(f.Spans, p), true
		}
	}
	if len(f.Spans) == 0 && !emptyRoot(page) {
		return Found{}, fmt.Errorf("%w: no period and no table of them", ErrFormat)
	}
	slices.SortStableFunc(f.Spans, func(a, b Span) int { return b.Start.Compare(a.Start) }) // As they are written, mostly.
	for _, p := range f.Spans {
		f.Steps = append(f.Steps, p.Index)
	}
	return f, nil
}

// emptyRoot reports whether a page is the root of a list to which nobody wrote.
func emptyRoot(page string) bool {
	return strings.Contains(page, "Downloadable version") && strings.Contains(page, "View by:") ||
		strings.Contains(page, "Currently, there are no archives")
}

// readRow reads a period's links. Which of them is right is not sure: a .txt is
// labelled Gzip'd, a slash is missing. So the period is what most of them say,
// and its index is where it always is.
func readRow(s Step, row string) (Span, bool) {
	names, p, text := map[string]int{}, Span{}, ""
	for _, m := range href.FindAllStringSubmatch(row, 20) {
		ref := m[1]
		if _, ours := under(s.Base, ref); !ours {
			continue
		}
		if v := viewRef.FindStringSubmatch(ref); v != nil {
			names[v[1]]++
		} else if v := textRef.FindStringSubmatch(ref); v != nil && text == "" {
			names[v[1]]++
			text, p.Size = ref, strings.Trim(line(plainText(m[2])), "[] ")
		}
	}
	p.Name = mostNamed(names)
	if strings.ContainsAny(p.Name, "?#:%\\") || strings.HasPrefix(p.Name, ".") || len(p.Name) > 60 {
		return Span{}, false
	}
	index, ok := under(s.Base, p.Name+"/date.html")
	if p.Name == "" || !ok {
		return Span{}, false
	}
	p.Start, _ = periodStart(p.Name)
	p.Bytes = labelBytes(p.Size)
	p.Index = Step{Address: index, What: Period, Base: s.Base, Period: p.Name}
	if text != "" {
		if address, ok := under(s.Base, path.Base(text)); ok {
			p.Index.Bulk = address
		}
	}
	return p, true
}

// mostNamed is the name that came most often, of several the first by the alphabet.
func mostNamed(names map[string]int) (most string) {
	for name, n := range names {
		if n > names[most] || n == names[most] && name < most {
			most = name
		}
	}
	return most
}

// labelBytes reads a size label: [ Gzip'd Text 14 KB ].
func labelBytes(label string) int64 {
	m := sizes.FindStringSubmatch(label)
	if m == nil {
		return 0
	}
	n, _ := strconv.ParseInt(m[1], 10, 64)
	switch m[2][0] | 0x20 {
	case 'k':
		n <<= 10
	case 'm':
		n <<= 20
	case 'g':
		n <<= 30
	}
	return max(n, 0)
}

var (
	begin   = regexp.MustCompile(`(?i)<li>\s*<a\s+href\s*=\s*"?(\d{1,9})\.html"?>`)
	item    = regexp.MustCompile(`(?is)^(.*?)</a>.*?<i>(.*?)</i>`)
	counted = regexp.MustCompile(`(?i)</i><br>\s*<b>[^<]*</b>\s*(\d{1,9})\s*<p>`) // In the language of the list.
	endMark = regexp.MustCompile(`(?i)<a\s+name="?end"?>`)
)

const maxItem = 16 << 10 // Of the page, for one message.

// readPeriod reads date.html, or any other index of a period: each lists all its
// messages. Steps go from the bottom to the top.
func readPeriod(s Step, page string) (Found, error) {
	count := counted.FindStringSubmatch(page)
	if count == nil {
		return Found{}, fmt.Errorf("%w: no list of messages", ErrFormat)
	}
	counted, _ := strconv.Atoi(count[1])
	base := s.Address[:strings.LastIndexByte(s.Address, '/')+1]
	f, known := Found{}, map[int]bool{}
	list := func(digits, subject, author string) {
		n, _ := strconv.Atoi(digits)
		if known[n] {
			return
		}
		known[n] = true
		address := base + digits + ".html"
		f.Listed = append(f.Listed, Listed{URL: address, Address: address, Number: n, Subject: line(plainText(subject)),
			Author: line(plainText(author))})
	}
	starts := begin.FindAllStringSubmatchIndex(page, maxListed+1)
	for i, at := range starts {
		rest := page[at[1]:]
		if i+1 < len(starts) {
			rest = page[at[1]:starts[i+1][0]]
		} else if end := endMark.FindStringIndex(rest); end != nil {
			rest = rest[:end[0]]
		}
		subject, author := "", "" // What is not understood is listed all the same.
		if m := item.FindStringSubmatch(rest[:min(len(rest), maxItem)]); m != nil {
			subject, author = m[1], m[2]
		}
		list(page[at[2]:at[3]], subject, author)
	}
	if len(f.Listed) > maxListed {
		return Found{}, fmt.Errorf("%w: more than %d messages", ErrTooLarge, maxListed)
	}
	f.Complete = len(f.Listed) == counted
	if !f.Complete && !endMark.MatchString(page) { // Cut off on the way.
		return Found{}, fmt.Errorf("%w: %d of %d messages and no end", ErrFormat, len(f.Listed), counted)
	}
	for _, l := range slices.Backward(f.Listed) {
		f.Steps = append(f.Steps, Step{Address: l.Address, What: Message, Base: s.Base, Period: s.Period, Static: true})
	}
	if s.Bulk != "" && len(f.Listed) > 0 {
		f.Bulk = &Step{Address: s.Bulk, What: Bulk, Base: s.Base, Period: s.Period, Listed: f.Listed}
	}
	return f, nil
}
