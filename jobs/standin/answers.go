package standin

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

func asJSON(status int, v any) answer {
	body, err := json.Marshal(v)
	if err != nil {
		return answer{status: http.StatusInternalServerError, typ: "text/plain", body: []byte(err.Error())}
	}
	return answer{status: status, body: body}
}

// number is a number in the query, or what it is when it is not given.
func number(q question, key string, missing int) (int, error) {
	text := query(q.r).Get(key)
	if text == "" {
		return missing, nil
	}
	return strconv.Atoi(text)
}

// query reads what is behind the question mark. Package url refuses semicolons,
// and Codeforces parts handles by them.
func query(r *http.Request) url.Values {
	values, _ := url.ParseQuery(strings.ReplaceAll(r.URL.RawQuery, ";", "%3B")) // A broken pair is left out, as on the sites.
	return values
}
