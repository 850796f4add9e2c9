package standin

import (
	"encoding/json"
	"html/template"
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

func asHTML(page string) answer {
	return answer{status: http.StatusOK, typ: "text/html; charset=utf-8", body: []byte(page)}
}

func asPage(page *template.Template, data any) answer {
	var body strings.Builder
	if err := page.Execute(&body, data); err != nil {
		return answer{status: http.StatusInternalServerError, typ: "text/plain", body: []byte(err.Error())}
	}
	return asHTML(body.String())
}

// tooMany is what most sites say to whoever asks too often.
var tooMany = answer{status: http.StatusTooManyRequests, typ: "text/plain", body: []byte("Too Many Requests\n")}

// number is a number in the query, or what it is when it is not given.
func number(q question, key string, missing int) (int, error) {
	text := query(q.r).Get(key)
	if text == "" {
		return missing, nil
	}
	return strconv.Atoi(text)
}

// query reads what is behind the question mark. Package url refuses semicolons,
// and some sites part handles by them.
func query(r *http.Request) url.Values {
	values, _ := url.ParseQuery(strings.ReplaceAll(r.URL.RawQuery, ";", "%3B")) // A broken pair is left out, as on the sites.
	return values
}
