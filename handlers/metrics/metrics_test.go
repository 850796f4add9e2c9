package metrics_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"laurel/handlers/handlerstest"
	handlers "laurel/handlers/metrics"
	"laurel/models/modelstest"
	"laurel/models/posts"
)

func TestMetricsOfSites(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	modelstest.Member(t, s.DB.DB, "ada", map[string]string{"codeforces": "ada"}, s.Time.Add(-time.Minute))
	if _, err := posts.Add(t.Context(), s.DB.DB, []posts.New{{Key: posts.Key{Network: "x", ExternalID: "20"}}}, s.Time.Add(-time.Minute)); err != nil {
		t.Fatal(err)
	}
	rec := httptest.NewRecorder()
	handlers.New(s.DB, s.Now, s.Log).ServeHTTP(rec, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil))
	for _, want := range []string{`laurel_site_queue{site="codeforces"} 1`, `laurel_site_oldest_due_seconds{site="codeforces"} 60`,
		`laurel_posts_due{host="",network="x"} 1`, `laurel_posts_oldest_due_seconds{host="",network="x"} 60`, "go_goroutines"} {
		if !strings.Contains(rec.Body.String(), want) {
			t.Errorf("no %q among the metrics:\n%s", want, rec.Body)
		}
	}
}
