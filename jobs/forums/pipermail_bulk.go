package forums

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// readMonth reads the file of a period against the period's index, which alone
// has the addresses. What cannot be matched with certainty is fetched
// page by page.
func readMonth(s Step, file []byte) (Found, error) {
	var all []entry
	for e, err := range entries(bufio.NewReader(bytes.NewReader(file)), MaxUnpacked) {
		if err != nil {
			return Found{}, err
		}
		if all = append(all, e); len(all) > maxListed {
			return Found{}, fmt.Errorf("%w: more than %d messages", ErrTooLarge, maxListed)
		}
	}
	if len(all) == 0 {
		return Found{}, fmt.Errorf("%w: no message in the file of a period", ErrFormat)
	}
	if len(s.Listed) == 0 {
		return unlisted(s, all), nil
	}
	listed := slices.Clone(s.Listed)
	slices.SortFunc(listed, func(a, b Listed) int { return cmp.Compare(a.Number, b.Number) })
	mails, places := match(all, listed)
	f := Found{}
	left := map[int]bool{}
	for i := range listed {
		left[i] = true
	}
	for i, place := range places {
		if place >= 0 && !lossy(mails[i].Body) {
			delete(left, place)
			f.Messages = append(f.Messages, mails[i].placed(s, listed[place]))
		}
	}
	slices.Reverse(f.Messages) // Newest first.
	for i, l := range slices.Backward(listed) {
		if left[i] {
			f.Steps = append(f.Steps, Step{Address: l.Address, What: Message, Base: s.Base, Period: s.Period, Static: true})
		}
	}
	f.Complete = len(f.Steps) == 0
	return f, nil
}

// unlisted is for archives that offer files and no pages: there a message's place
// is in the file.
func unlisted(s Step, all []entry) Found {
	f := Found{Complete: true}
	for _, e := range slices.Backward(all) {
		m := e.mail(false).at(s.Address, e)
		m.Period = s.Period
		f.Messages = append(f.Messages, m)
	}
	return f
}

// match finds the place in the index of each message of a file, -1 for none.
func match(all []entry, listed []Listed) ([]Mail, []int) {
	mails := make([]Mail, len(all))
	for i, e := range all {
		mails[i] = e.mail(false) // The page shows >From as it is, too.
	}
	if places := byOrder(mails, listed); places != nil {
		return mails, places
	}
	mails = joined(once(all, mails, listed))
	if places := byOrder(mails, listed); places != nil {
		return mails, places
	}
	return mails, byLikeness(mails, listed)
}

// once drops what a file holds for the second time, as one does to which a whole
// archive was added again (337 messages, 674 in the file). Of two it keeps the one
// with fewer letters lost.
func once(all []entry, mails []Mail, listed []Listed) ([]entry, []Mail, []Listed) {
	seen := map[string]int{}
	var es []entry
	var ms []Mail
	for i, m := range mails {
		if at, again := seen[m.MessageID]; again && m.MessageID != "" {
			if strings.Count(m.Body, "?") < strings.Count(ms[at].Body, "?") {
				es[at], ms[at] = all[i], m
			}
			continue
		}
		seen[m.MessageID] = len(ms)
		es, ms = append(es, all[i]), append(ms, m)
	}
	return es, ms, listed
}

// lossy reports whether a text is one of those in which the file has a question
// mark for every letter that the list's charset does not know. The page has them.
func lossy(text string) bool {
	n := strings.Count(text, "?")
	return n > 20 && n > len(letters(text))/30
}

// placed completes a message of a file by what the index says of it, which is
// what the page would say.
func (m Mail) placed(s Step, l Listed) Mail {
	m.URL, m.Number, m.Period = l.URL, l.Number, s.Period
	if l.Subject != "" && !strings.ContainsRune(l.Subject, '\ufffd') {
		m.Subject = l.Subject
	}
	if l.Author != "" && !strings.ContainsRune(l.Author, '\ufffd') {
		m.Author = l.Author
	}
	return m
}

// byOrder matches the n-th message of a file with the n-th smallest number, which
// is right wherever there are as many of the one as of the other (274 months of
// 274). Still, hardly any may differ in subject and author, and few in one of
// them; else it is nil. It may have fewer, for the file is packed at night and the
// index is of now: then none may differ.
func byOrder(mails []Mail, listed []Listed) []int {
	if len(mails) > len(listed) {
		return nil
	}
	places, unlike, other := make([]int, len(mails)), 0, 0
	for i, m := range mails {
		places[i] = i
		if l := listed[i]; l.Subject != "" || l.Author != "" { // Else the index was not understood there.
			subject, author := letters(m.Subject) != letters(l.Subject), letters(m.Author) != letters(l.Author)
			if subject || author {
				unlike++
			}
			if subject && author {
				other++
			}
			if author { // It may be another's: the page shows it.
				places[i] = -1
			}
		}
	}
	if n := len(mails); n < len(listed) && unlike > 0 || unlike > max(1, n/10) || other > n/20 {
		return nil
	}
	return places
}

// joined undoes what a line that begins with From and looks like the beginning of
// a message did to the message it is in: where nothing like it is listed, it
// is part of the one before. At the end it may also be one that came after the
// index was read.
func joined(all []entry, mails []Mail, listed []Listed) []Mail {
	known, last := map[string]bool{}, 0
	for _, l := range listed {
		if l.Subject == "" && l.Author == "" { // What is not in the index cannot be known.
			return mails
		}
		known[likeness(l.Subject, l.Author)] = true
	}
	for i, m := range mails {
		if known[likeness(m.Subject, m.Author)] {
			last = i
		}
	}
	var es []entry
	var ms []Mail
	longer := map[int]bool{}
	for i, e := range all {
		if n := len(es) - 1; n >= 0 && i < last && !known[likeness(mails[i].Subject, mails[i].Author)] &&
			len(es[n].raw)+len(e.raw) < maxLetter {
			es[n].raw = append(append(append(es[n].raw, e.from...), '\n'), e.raw...)
			longer[n] = true
			continue
		}
		es, ms = append(es, e), append(ms, mails[i])
	}
	for i := range longer {
		ms[i] = es[i].mail(false)
	}
	return ms
}

// byLikeness matches messages by subject and author, in their order, and only
// where the file and the index have as many of them.
func byLikeness(mails []Mail, listed []Listed) []int {
	inFile, inIndex := map[string]int{}, map[string][]int{}
	for _, m := range mails {
		inFile[likeness(m.Subject, m.Author)]++
	}
	for i, l := range listed {
		key := likeness(l.Subject, l.Author)
		inIndex[key] = append(inIndex[key], i)
	}
	places := make([]int, len(mails))
	for i, m := range mails {
		key := likeness(m.Subject, m.Author)
		places[i] = -1
		if there := inIndex[key]; len(there) > 0 && inFile[key] == len(there) {
			places[i] = there[0]
		} else if i > 0 { // Perhaps the message before goes on in this one.
			places[i-1] = -1
		}
		if there := inIndex[key]; len(there) > 0 && inFile[key] == len(there) {
			inIndex[key], inFile[key] = there[1:], inFile[key]-1
		}
	}
	return places
}

func likeness(subject, author string) string { return letters(subject) + "\x00" + letters(author) }

// letters is what of a text survives all that archives do to it: the letters and
// digits of ASCII, without the "at" of a disguised address.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return unicode.ToLower(r)
		}
		return -1
	}, strings.ReplaceAll(s, " at ", ""))
}
