package standin

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// What a question costs when the stand-in is not to be what is measured.
func BenchmarkInstant(b *testing.B) {
	s := at(start.AddDate(0, 0, 5), Options{Instant: true, People: 2000})
	people := s.People()
	for i := 0; b.Loop(); i++ {
		ask(b, s, "/api/user.status?handle="+people[i%len(people)].Handles["codeforces"]+"&from=1&count=1000")
	}
}

// A page of 1,000 rows.
func BenchmarkThousandRows(b *testing.B) {
	s := at(start, Options{})
	for b.Loop() {
		ask(b, s, "/api/user.status?handle="+s.people[5].Handles["codeforces"]+"&from=1&count=1000")
	}
}

// Making the people, which happens before the first answer.
func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		at(start, Options{People: 5000})
	}
}

// Two hundred people in one question, as a reader asks for news of all members.
func BenchmarkInfo(b *testing.B) {
	s := at(start.Add(30*24*time.Hour), Options{People: 200})
	address := "/api/user.info?handles="
	for i, p := range s.People() {
		address += fmt.Sprint([]string{"", ";"}[min(i, 1)], p.Handles["codeforces"])
	}
	for b.Loop() {
		ask(b, s, address)
	}
}

// A request for a hundred posts with their numbers, and the polls remembered.
func BenchmarkHundredPosts(b *testing.B) {
	s := at(start.AddDate(0, 1, 0), Options{Polls: true, Limits: map[string]Limit{"x": {Requests: -1}}})
	var addresses []string
	for i := range 1000 {
		all := ids("x", start.AddDate(0, 1, -i%31).Add(time.Duration(-i)*time.Second), 100)
		addresses = append(addresses, "/2/tweets?tweet.fields=created_at,public_metrics,referenced_tweets&ids="+strings.Join(all, ","))
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if w := askAs(b, s, "t", "GET", addresses[i%len(addresses)]); w.Code != 200 {
			b.Fatal(w.Body)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
}
