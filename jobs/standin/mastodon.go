package standin

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

func init() { register(mastodon{}) }

// mastodon is one instance, the home of all its people.
type mastodon struct{}

// maNumbers are the snowflakes since 2017. Before, posts were numbered from 1.
var maNumbers = snowflake{bits: 16, first: 1483228800000 << 16}

const (
	maStatuses     = "/api/v1/statuses"
	maAccounts     = "/api/v1/accounts/"
	maBatch        = 20
	maFirstAccount = 109000000000000000
)

func (mastodon) name() string                     { return "mastodon" }
func (mastodon) gap() time.Duration               { return 0 }
func (mastodon) serves(path string) bool          { return strings.HasPrefix(path, "/api/v1/") }
func (mastodon) id(at time.Time, n, _ int) string { return maNumbers.id(at, n) }
func (mastodon) parse(id string) (stamp, bool)    { return maNumbers.parse(id) }
func maAccountID(index int) string                { return strconv.Itoa(maFirstAccount + index) }

func (mastodon) traits() networkTraits {
	return networkTraits{limit: Limit{300, 5 * time.Minute}, byClock: true, bare: true}
}

func (mastodon) person(_ int, name string) string { return strings.ReplaceAll(name, "-", "_") }

func maRefusal(status int, words string) answer {
	return asJSON(status, map[string]string{"error": words})
}

// maTimelineOf is the N of /api/v1/accounts/N/statuses.
func maTimelineOf(r *http.Request) (string, bool) {
	rest, ok := strings.CutPrefix(r.URL.Path, maAccounts)
	id, listed := strings.CutSuffix(rest, "/statuses")
	return id, ok && listed
}

// handle is an account by name, also where the address has the number.
func (mastodon) handle(s *Server, r *http.Request) string {
	if acct := query(r).Get("acct"); acct != "" {
		name, _, _ := strings.Cut(strings.TrimPrefix(acct, "@"), "@")
		return name
	}
	if id, ok := maTimelineOf(r); ok {
		if n, err := strconv.Atoi(id); err == nil && n >= maFirstAccount {
			return s.nameOn("mastodon", n-maFirstAccount)
		}
	}
	return ""
}

func (n mastodon) answer(s *Server, q question) answer {
	switch word, _, _ := strings.Cut(bearer(q.r), "-"); word {
	case "revoked":
		return maRefusal(http.StatusUnauthorized, "The access token is invalid")
	case "forbidden":
		return maRefusal(http.StatusForbidden, "This action is not allowed")
	}
	m := s.take(n, whose(q.r), q.now)
	a := n.hurried(q)
	if !m.over {
		a = n.route(s, q)
	}
	if a.header == nil {
		a.header = http.Header{}
	}
	maps.Copy(a.header, n.headers(m, q.now))
	return a
}

// headers write the end of the window as a date, with a fraction of a second
// that is the clock's and not the window's.
func (mastodon) headers(m meter, now time.Time) http.Header {
	reset := time.Unix(m.reset, int64(now.Nanosecond())).UTC()
	return m.headers("X-Ratelimit-", reset.Format("2006-01-02T15:04:05.000000Z"))
}

func (n mastodon) hurried(q question) answer {
	a := maRefusal(http.StatusTooManyRequests, "Too many requests")
	a.header = n.headers(spent(n, q.now), q.now)
	return a
}

func (mastodon) unknown(q question) answer {
	if q.r.URL.Path == maStatuses {
		return asJSON(http.StatusOK, []maStatus{})
	}
	return maRefusal(http.StatusNotFound, "Record not found")
}

func (n mastodon) route(s *Server, q question) answer {
	id, single := strings.CutPrefix(q.r.URL.Path, maStatuses+"/")
	p, known := s.personOf("mastodon", q.handle)
	_, listed := maTimelineOf(q.r)
	switch {
	case q.r.URL.Path == maStatuses && !s.o.OldMastodon:
		return n.batch(s, q)
	case single:
		return n.single(s, q, id)
	case q.r.URL.Path == maAccounts+"lookup" && known:
		return asJSON(http.StatusOK, s.maAccount(p.Index, q.now.Unix()))
	case listed && known:
		return n.timeline(s, q, p)
	case q.r.URL.Path == maAccounts+"lookup" || listed:
		return n.unknown(q)
	}
	return maRefusal(http.StatusNotFound, "Not Found")
}

// batch is up to 20 posts in the order of their numbers; what cannot be seen is left out.
func (mastodon) batch(s *Server, q question) answer {
	values := query(q.r)
	ids := slices.Concat(values["id[]"], values["id"])
	if len(ids) > maBatch {
		return maRefusal(http.StatusUnprocessableEntity, "Mastodon::ValidationError")
	}
	var found []post
	for i, id := range ids {
		if p, ok := s.postOf(mastodon{}, id); ok && p.shown(q.now.Unix()) && !slices.Contains(ids[:i], id) {
			found = append(found, p)
		}
	}
	slices.SortFunc(found, func(a, b post) int { return cmp.Compare(a.number, b.number) })
	list := []maStatus{}
	for i := range found {
		list = append(list, s.maView(&found[i], q.now.Unix()))
	}
	s.notePoll("mastodon", ids, maBatch, q.now)
	return asJSON(http.StatusOK, list)
}

// single does not distinguish deleted, private and suspended.
func (n mastodon) single(s *Server, q question, id string) answer {
	s.notePoll("mastodon", []string{id}, s.maMost(), q.now)
	p, ok := s.postOf(n, id)
	if !ok || !p.shown(q.now.Unix()) {
		return n.unknown(q)
	}
	return asJSON(http.StatusOK, s.maView(&p, q.now.Unix()))
}

// maMost is how many posts a request can carry.
func (s *Server) maMost() int {
	if s.o.OldMastodon {
		return 1
	}
	return maBatch
}

type (
	maStatus struct {
		ID          string     `json:"id"`
		Created     string     `json:"created_at"`
		ReplyTo     *string    `json:"in_reply_to_id"`
		ReplyToWhom *string    `json:"in_reply_to_account_id"`
		Sensitive   bool       `json:"sensitive"`
		Spoiler     string     `json:"spoiler_text"`
		Visibility  string     `json:"visibility"`
		Language    string     `json:"language"`
		URI         string     `json:"uri"`
		URL         *string    `json:"url"`
		Replies     int64      `json:"replies_count"`
		Reblogs     int64      `json:"reblogs_count"`
		Favourites  int64      `json:"favourites_count"`
		Quotes      int64      `json:"quotes_count"`
		Edited      *string    `json:"edited_at"`
		Content     string     `json:"content"`
		Reblog      *maStatus  `json:"reblog"`
		Account     maAccount  `json:"account"`
		Media       []struct{} `json:"media_attachments"`
		Mentions    []struct{} `json:"mentions"`
		Tags        []struct{} `json:"tags"`
		Emojis      []struct{} `json:"emojis"`
		Quote       *struct{}  `json:"quote"`
		Card        *struct{}  `json:"card"`
		Poll        *struct{}  `json:"poll"`
	}
	maAccount struct {
		ID        string     `json:"id"`
		Username  string     `json:"username"`
		Acct      string     `json:"acct"`
		Display   string     `json:"display_name"`
		Locked    bool       `json:"locked"`
		Bot       bool       `json:"bot"`
		Group     bool       `json:"group"`
		Created   string     `json:"created_at"`
		Note      string     `json:"note"`
		URL       string     `json:"url"`
		URI       string     `json:"uri"`
		Followers int        `json:"followers_count"`
		Following int        `json:"following_count"`
		Statuses  int        `json:"statuses_count"`
		Emojis    []struct{} `json:"emojis"`
		Fields    []struct{} `json:"fields"`
	}
)

// maHome is where the instance says it is.
const maHome = "https://social.sample.invalid"

func (s *Server) maAccount(index int, now int64) maAccount {
	a := maAccount{
		ID: maAccountID(index), Username: s.nameOn("mastodon", index), Created: "2022-11-05T00:00:00.000Z",
		Display:   s.nameOf(s.people[index], now),
		Followers: int(mix(uint64(index), 'F') % 900), Following: int(mix(uint64(index), 'G') % 300), Statuses: 200, Emojis: []struct{}{},
		Fields: []struct{}{},
	}
	a.Acct, a.URL, a.URI = a.Username, maHome+"/@"+a.Username, maHome+"/users/"+a.Username
	return a
}

// maView is a post, or a boost: empty but for the post that it boosts.
func (s *Server) maView(p *post, now int64) maStatus {
	c := s.countsOf(p, now)
	account := s.maAccount(p.author, now)
	v := maStatus{
		ID: p.id, Created: p.madeAt(), Visibility: "public", Language: "en", URI: account.URI + "/statuses/" + p.id,
		Replies: c.replies, Reblogs: c.reposts, Favourites: c.likes, Quotes: c.quotes, Content: "<p>" + p.text() + "</p>", Account: account,
		Media: []struct{}{}, Mentions: []struct{}{}, Tags: []struct{}{}, Emojis: []struct{}{},
	}
	v.URL = new(account.URL + "/" + p.id)
	if p.kind == retweet {
		o := s.original(p)
		v.Reblog = new(s.maView(&o, now))
		v.Content = v.Reblog.Content
	}
	return v
}

// timeline is a page of an account's posts, newest first. since_id is a floor;
// min_id asks for those next above it.
func (mastodon) timeline(s *Server, q question, p *person) answer {
	limit, err := number(q, "limit", 20)
	if err != nil || limit < 1 {
		limit = 20
	}
	limit = min(limit, 40)
	values := query(q.r)
	var bounds [3]uint64
	for i, key := range []string{"since_id", "min_id", "max_id"} {
		bounds[i], _ = strconv.ParseUint(values.Get(key), 10, 63) // What is no number does not bound.
	}
	without := values.Get("exclude_reblogs") == "true" || values.Get("exclude_reblogs") == "1"
	page := []maStatus{}
	for x := range s.timeline(p, mastodon{}, q.now.Unix()) {
		if x.number <= max(bounds[0], bounds[1]) || len(page) == limit && bounds[1] == 0 {
			break
		}
		if (bounds[2] == 0 || x.number < bounds[2]) && (!without || x.kind != retweet) {
			page = append(page, s.maView(x, q.now.Unix()))
		}
	}
	page = page[max(0, len(page)-limit):]
	a := asJSON(http.StatusOK, page)
	if len(page) > 0 {
		a.header = http.Header{"Link": {maLinks(q.r, page)}}
	}
	return a
}

// maLinks are the addresses of the pages beside this one.
func maLinks(r *http.Request, page []maStatus) string {
	at := fmt.Sprintf("http://%s%s?", r.Host, r.URL.Path)
	return fmt.Sprintf(`<%smax_id=%s>; rel="next", <%smin_id=%s>; rel="prev"`, at, page[len(page)-1].ID, at, page[0].ID)
}
