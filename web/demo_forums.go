package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"time"

	"laurel/jobs/standin"
	"laurel/models/forums"
	"laurel/models/members"
)

// listsSince is when the sample people began to write.
var listsSince = time.Date(2025, time.March, 3, 0, 0, 0, 0, time.UTC)

// sampleHost is where the sample lists would be, if they were anywhere.
const sampleHost = "https://lists.sample.invalid"

// sampleTopics are what the sample people write about: a subject, how it begins, and
// what is answered. A %s is a problem.
var sampleTopics = []struct {
	subject, text string
	answers       []string
}{
	{"Time limit on %s", "My solution passes the samples and then runs out of time. It is O(n^2), but n is only 5000?\n\nThe problem: %s",
		[]string{"5000 squared is 25 million, so it is not the square. Do you read with cin?", "That was it, thank you: accepted in 78 ms.",
			"Worth a line in our notes."}},
	{"How to count inversions?", "All pairs is too slow. Is there a way in n log n?",
		[]string{"Merge sort, and count while you merge.",
			"Or a Fenwick tree: walk from the right and ask how many smaller ones there were:\n\n    for i := n - 1; i >= 0; i-- {\n   " +
				"     sum += tree.Before(a[i])\n        tree.Add(a[i])\n    }", "Both are n log n. The tree is shorter."}},
	{"Practice on Thursday", "Room 204, six o'clock, two hours of graphs. Bring a laptop.",
		[]string{"I come later, at seven.", "Count me in."}},
	{"Editorial of %s", "I wrote down how I solved it, with a proof that the greedy way is right.\n\n%s",
		[]string{"Step 3 needs the numbers to be distinct, does it not?", "Right, I have mended it."}},
	{"Which book on dynamic programming?", "I know the usual examples, and still do not see the states by myself.",
		[]string{"No book: do twenty easy ones in a row, and write the state down in words each time.",
			"The chapter in the free handbook is short and good.", "What helped me was asking what the last step can be.", "Seconded."}},
	{"Wrong answer on test 7", "Here is what I have for %s. Any idea what test 7 may be?", []string{"n = 1, I guess.", "It was n = 1."}},
}

var sampleProblems = []struct{ name, url string }{
	{"4A", "https://codeforces.com/problemset/problem/4/A"}, {"158A", "https://codeforces.com/problemset/problem/158/A"},
	{"71A", "https://codeforces.com/problemset/problem/71/A"}, {"ABC081 B", "https://atcoder.jp/contests/abc081/tasks/abc081_b"},
}

// newSampleList writes an invented mailing list, the same at every start. own is the
// address of this Laurel, to which some mails link.
func newSampleList(name string, people []standin.Person, own string, now func() time.Time) *sampleList {
	l := &sampleList{name: name, now: now}
	for day := listsSince; day.Before(now().AddDate(0, 0, 2)); day = day.AddDate(0, 0, 1) {
		r := rand.New(rand.NewPCG(uint64(day.Unix()), uint64(len(name))))
		if r.IntN(6) == 0 {
			l.discuss(r, day.Add(time.Duration(8+r.IntN(12))*time.Hour+time.Duration(r.IntN(60))*time.Minute), people, own)
		}
	}
	l.awkward(people[0])
	slices.SortStableFunc(l.mails, func(a, b sampleMail) int { return a.at.Compare(b.at) })
	for i := range l.mails {
		l.mails[i].number = i + 1
	}
	return l
}

// discuss writes a discussion that begins at an instant.
func (l *sampleList) discuss(r *rand.Rand, at time.Time, people []standin.Person, own string) {
	topic, problem := sampleTopics[r.IntN(len(sampleTopics))], sampleProblems[r.IntN(len(sampleProblems))]
	subject, text := topic.subject, topic.text
	if strings.Contains(subject, "%s") {
		subject = fmt.Sprintf(subject, problem.name)
	}
	if strings.Contains(text, "%s") {
		text = fmt.Sprintf(text, problem.url)
	}
	first := l.add(people[r.IntN(len(people))], at, "", "["+l.name+"] "+subject, text)
	last := first
	for i := range r.IntN(len(topic.answers) + 3) {
		answer := "+1"
		if i < len(topic.answers) {
			answer = topic.answers[i]
		}
		author := people[r.IntN(len(people))]
		if r.IntN(8) == 0 {
			answer += "\n\nI have mine on " + own + "/u/" + author.Name
		}
		at = at.Add(time.Duration(10+r.IntN(900)) * time.Minute)
		to := last
		if r.IntN(3) == 0 {
			to = first
		}
		last = l.add(author, at, to.id, "Re: ["+l.name+"] "+subject,
			to.name+" wrote:\n> "+strings.ReplaceAll(to.body, "\n", "\n> ")+"\n\n"+answer)
	}
}

func (l *sampleList) add(p standin.Person, at time.Time, reply, subject, body string) sampleMail {
	m := sampleMail{at: at, dated: at, name: p.DisplayName, address: p.Name + "@sample.invalid",
		id: fmt.Sprintf("%d.%s.%s@sample.invalid", at.Unix(), p.Name, l.name), reply: reply, subject: subject, body: body}
	l.mails = append(l.mails, m)
	return m
}

// awkward adds what real lists have, too.
func (l *sampleList) awkward(p standin.Person) {
	at := listsSince.Add(33 * time.Hour)
	l.add(p, at, "", "["+l.name+"] <script>alert('no')</script> & other text",
		"A mail is text: <script>alert(1)</script> <img src=x onerror=alert(2)>\n\n> quoted <b>too</b>\n\njavascript:alert(3) is no "+
			"link, https://example.org/?a=1&b=2 is one.")
	l.add(p, at.Add(time.Hour), "", "A_subject_without_any_space_"+strings.Repeat("that_goes_on_and_on_", 8),
		strings.Repeat("A line that no sender has ever broken goes on and on. ", 40)+strings.Repeat("withoutaspace", 30))
	l.add(p, at.Add(2*time.Hour), "", "", "My clock is wrong, and I forgot the subject.")
	l.mails[len(l.mails)-1].dated = time.Date(1970, 1, 1, 0, 30, 0, 0, time.UTC)
}

// sampleLists are the mailing lists of the demo.
func (b *base) sampleLists(people []standin.Person) []*sampleList {
	return []*sampleList{newSampleList("club", people[:min(8, len(people))], b.URL, b.clock.now),
		newSampleList("training", people[min(4, len(people)-1):], b.URL, b.clock.now)}
}

// settleForums follows the sample lists, and says who of the sample people writes
// under which address.
func (b *base) settleForums(ctx context.Context, lists []*sampleList, people []standin.Person) error {
	for _, l := range lists {
		_, _, err := forums.Add(ctx, b.db.DB, forums.New{Slug: l.name, Name: strings.ToUpper(l.name[:1]) + l.name[1:] + " list (sample)",
			Kind: "pipermail", URL: sampleHost + "/pipermail/" + l.name + "/", AddedBy: "demo"}, forumKinds(), b.clock.now())
		if err != nil {
			return err
		}
	}
	for _, p := range people {
		m, err := members.ByName(ctx, b.db.DB, p.Name)
		if err != nil {
			return err
		}
		if _, err := forums.AssignAuthor(ctx, b.db.DB, forums.MessageAuthor{MemberID: m.ID, Address: p.Name + "@sample.invalid",
			AddedBy: "demo"}, b.clock.now()); err != nil {
			return err
		}
	}
	return nil
}

// withLists serves the sample lists beside a world.
func withLists(world http.Handler, lists []*sampleList) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, l := range lists {
			if strings.HasPrefix(r.URL.Path, "/pipermail/"+l.name+"/") {
				l.ServeHTTP(w, r)
				return
			}
		}
		world.ServeHTTP(w, r)
	})
}
