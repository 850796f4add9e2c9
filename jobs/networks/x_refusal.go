package networks

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// An xProblem is what is wrong with a call or with one post of it, in the words
// of v2 (type, title, detail; RFC 7807) or of v1.1 (code, message).
type xProblem struct {
	Type, Title, Detail, Message string
	Code                         int
	Error                        string
	Value                        numeral
	ResourceID                   numeral `json:"resource_id"`
	ResourceType                 string  `json:"resource_type"`
	Parameter                    string
	Parameters                   map[string]json.RawMessage
}

// kind is the last part of the type: its host was api.twitter.com, is api.x.com,
// and means nothing.
func (p xProblem) kind() string { return p.Type[strings.LastIndexByte(p.Type, '/')+1:] }

func (p xProblem) words() string { return cmp.Or(p.Detail, p.Message, p.Title, p.Error) }

// missing returns the post that a problem is about and the reason, "" where it
// is about none, as the problems of authors, fields and media are.
func (p xProblem) missing() (id, reason string) {
	id = string(cmp.Or(p.ResourceID, p.Value))
	if !slices.Contains([]string{"", "tweet", "post"}, p.ResourceType) || p.kind() == "not-authorized-for-field" {
		return "", ""
	}
	switch {
	case strings.Contains(strings.ToLower(p.Detail), "suspended"):
		return id, Suspended
	case p.kind() == "resource-not-found":
		return id, NotFound
	case p.kind() == "not-authorized-for-resource":
		return id, Protected
	case p.kind() == "disallowed-resource":
		return id, Withheld
	case p.kind() == "invalid-request":
		return id, Invalid
	}
	return id, Unsaid
}

// xRefusal says why an answer shows nothing.
func xRefusal(a Answer) *Refusal {
	var answer xAnswer
	kind, _ := byStatus(a)
	if kind == ServerError {
		return refusal(a, kind, "")
	}
	if !decode(a.Body, &answer) || shape(a.Body) != '{' {
		return refusal(a, cmp.Or(kind, Format), "the answer is not JSON of this API, status "+strconv.Itoa(a.Status))
	}
	problems := append([]xProblem{answer.xProblem}, answer.Errors...)
	words := ""
	for _, p := range problems {
		words = cmp.Or(words, p.words())
		if k := p.refuses(); k != "" {
			return refusal(a, k, p.words())
		}
	}
	switch kind {
	case "":
		return strange(a, "an answer without data: %s", cmp.Or(clean(words), "no reason given"))
	case BadRequest:
		return xBadRequest(a, problems, words)
	}
	return refusal(a, kind, words)
}

// refuses returns the kind of a problem that is above the status it comes
// with: a monthly cap is a 429 like any other, a bad token may be a 400.
func (p xProblem) refuses() string {
	switch p.kind() {
	case "usage-capped", "credits", "credits-depleted":
		return Capped
	case "client-forbidden":
		return Forbidden
	}
	switch p.Code { // https://developer.x.com/en/support/x-api/error-troubleshooting
	case 88:
		return RateLimited
	case 32, 89, 99, 135, 215:
		return Unauthorized
	case 64, 87, 220, 261, 326, 453:
		return Forbidden
	case 130, 131:
		return ServerError
	case 18:
		return TooMany
	}
	return ""
}

var xTooMany = regexp.MustCompile(`is not between \d+ and (\d+)`)

// xBadRequest distinguishes a bad id, which splitting the batch will find, from a mistake
// that every batch would share.
func xBadRequest(a Answer, problems []xProblem, words string) *Refusal {
	named := false
	for _, p := range problems {
		if m := xTooMany.FindStringSubmatch(p.words()); m != nil {
			r := refusal(a, TooMany, p.words())
			r.Batch, _ = strconv.Atoi(m[1])
			return r
		}
		for name := range p.Parameters {
			if name == "ids" || name == "id" {
				return refusal(a, BadRequest, cmp.Or(p.words(), words))
			}
			named = true
		}
	}
	if named {
		return strange(a, "the server refuses the parameters (check the fields parameter of the credential): %s", words)
	}
	return refusal(a, BadRequest, words)
}
