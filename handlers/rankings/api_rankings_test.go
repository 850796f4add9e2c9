package rankings_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"laurel/handlers/handlerstest"
	"laurel/models/members"
)

// A ranking that a program sends has pages, complete or not, from one list each.
func TestRankingsThatAreSent(t *testing.T) {
	t.Parallel()
	s, _ := handlerstest.Community(t)
	p := s.Program(t, s.Member(t, "root", members.RoleAdmin))
	send := func(minute int, rest, rows string) handlerstest.Answer {
		at := s.Time.Add(time.Duration(minute-60) * time.Minute).Format(time.RFC3339)
		return p.Call("POST", "/archive/responses", fmt.Sprintf(`{"source":"chess","address":"https://chess.example/top","retrieved_at":%q,%s"shards":{"ladder":[%s]}}`, at, rest, rows))
	}
	place := func(player string, rank int) string {
		return fmt.Sprintf(`{"ladder":"Blitz & co","player":%q,"rank":%d,"score":%d}`, player, rank, 1000-rank)
	}
	send(0, `"complete":{"ladder":{"ladder":"Blitz & co"}},`, place("grace", 1)+","+place("edsger", 2)).Is(t, http.StatusOK)
	send(10, `"sizes":{"Blitz & co":5000},`, place("edsger", 1)+","+place("grace", 2)).Is(t, http.StatusOK)
	send(20, `"sizes":{"Blitz & co":1},`, place("edsger", 1)+","+place("grace", 2)).Is(t, http.StatusUnprocessableEntity)
	send(20, `"sizes":{"Blitz & co":-1},`, place("edsger", 1)).Refused(t, http.StatusUnprocessableEntity, "sizes.Blitz & co")
	b := s.Browser(t)
	b.Get("/ladders").Is(t, http.StatusOK, "Blitz &amp; co")
	at := "?at=" + s.Time.Add(-55*time.Minute).Format(time.RFC3339)
	b.Get("/ladders/Blitz%20&%20co"+at).Is(t, http.StatusOK, "2 of 2 rows", "grace")
	b.Get("/ladders/Blitz%20&%20co").Is(t, http.StatusOK, "first 2 of 5,000", "▲ 1")
	b.Get("/ladders/Blitz%20&%20co/climb?player=grace").Is(t, http.StatusOK, "<svg")
}
