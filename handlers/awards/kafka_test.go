package awards_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"laurel/handlers/handlerstest"
	"laurel/handlers/metrics"
	"laurel/models/events"
	"laurel/models/kafka"
)

func TestTopicsOnThePage(t *testing.T) {
	t.Parallel()
	s, ann, bob := handlerstest.NewWithMembers(t)
	if page := ann.Get("/admin/events"); strings.Contains(page.Text, "id=\"kafka\"") {
		t.Error("the page speaks of Kafka where there is none")
	}
	ann.Post("/admin/events/topics", "topic", "photos", "use", "source", "source", "photo").Is(t, http.StatusUnprocessableEntity)
	s.Handlers.Kafka = true
	bob.Post("/admin/events/topics", "topic", "photos", "use", "source", "source", "photo").Is(t, http.StatusForbidden)
	ann.Post("/admin/events/topics", "topic", "pho tos", "use", "source", "source", "photo").Is(t, http.StatusUnprocessableEntity, "A topic&#39;s name is letters")
	ann.Post("/admin/events/topics", "topic", "photos", "use", "source", "source", "").Is(t, http.StatusUnprocessableEntity, "Name a source")
	ann.Post("/admin/events/topics", "topic", "photos", "use", "source", "source", "photo").LeadsTo(t, "/admin/events?done=saved#kafka")
	ann.Post("/admin/events/topics", "topic", "grants", "use", "grant", "source", "").LeadsTo(t, "/admin/events?done=saved#kafka")
	ann.Post("/admin/events/topics", "topic", "others", "use", "grant").Is(t, http.StatusUnprocessableEntity, "to another topic already")
	ann.Get("/admin/events").Is(t, http.StatusOK, "read as source photo", "receives grants", "nothing read yet", "Not used yet")
	p := kafka.Partition{Topic: "photos", Part: 3}
	if _, err := kafka.Offsets(t.Context(), s.DB.DB, kafka.Servers, []kafka.Partition{p}); err != nil {
		t.Fatal(err)
	}
	err := kafka.Take(t.Context(), s.DB.DB, []kafka.Record{{Partition: p, Value: []byte("{}")}}, map[string]string{"photos": "photo"},
		[]kafka.Move{{Partition: p, To: 1, High: 1235}}, s.Time)
	if err != nil {
		t.Fatal(err)
	}
	if isNew, err := kafka.Failed(t.Context(), s.DB.DB, "connection refused", s.Time); err != nil || !isNew {
		t.Fatal(isNew, err)
	}
	ann.Get("/admin/events").Is(t, http.StatusOK, "1,234", "Reading or sending fails since", "connection refused", "topic photos, partition 3, offset 0", "id: is missing")
	rec := httptest.NewRecorder()
	metrics.New(s.DB, s.Now, s.Log).ServeHTTP(rec, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil))
	for _, want := range []string{`laurel_kafka_lag{topic="photos"} 1234`, "laurel_kafka_failing 1", "laurel_kafka_outbox 0"} {
		if !strings.Contains(rec.Body.String(), want) {
			t.Errorf("no %q among the metrics", want)
		}
	}
	dead, err := events.DeadEventsBefore(t.Context(), s.DB.DB, "photo", 0, 10)
	if err != nil || len(dead) != 1 {
		t.Fatal(dead, err)
	}
	ann.Post("/admin/events/dead/1/replay").Is(t, http.StatusUnprocessableEntity)
	ann.Post("/admin/events/topics/photos/remove").LeadsTo(t, "/admin/events?done=removed#kafka")
	ann.Post("/admin/events/topics/photos/remove").Is(t, http.StatusNotFound)
}

func TestTopicsOfTheAPI(t *testing.T) {
	t.Parallel()
	s, boss := handlerstest.NewWithAdmin(t)
	boss.Call("PUT", "/admin/topics/photos", `{"source":"photo"}`).Is(t, http.StatusUnprocessableEntity, "LAUREL_KAFKA_BROKERS")
	s.Handlers.Kafka = true
	boss.Call("PUT", "/admin/topics/photos", `{"source":"photo"}`).Is(t, http.StatusOK, `"source":"photo","kind":null`)
	boss.Call("PUT", "/admin/topics/photos", `{"source":"photo","kind":"grant"}`).Is(t, http.StatusUnprocessableEntity)
	boss.Call("PUT", "/admin/topics/photos", `{"source":"pho to"}`).Is(t, http.StatusUnprocessableEntity, "source")
	boss.Call("PUT", "/admin/topics/heard", `{"kind":"notice"}`).Is(t, http.StatusOK)
	boss.Call("GET", "/admin/topics", "").Is(t, http.StatusOK, `"topic":"heard","source":null,"kind":"notice"`, `"lag":0,"read_at":null`)
	boss.Call("GET", "/admin/sources", "").Is(t, http.StatusOK, `"source":"photo"`)
	boss.Call("DELETE", "/admin/topics/photos", "").Is(t, http.StatusNoContent)
	boss.Call("DELETE", "/admin/topics/photos", "").Is(t, http.StatusNotFound)
}
