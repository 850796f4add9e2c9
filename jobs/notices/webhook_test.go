package notices_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel/jobs/notices"
	"laurel/jobs/polite"
	"laurel/models/modelstest"
	noticebox "laurel/models/notices"
)

// A hook is a webhook that checks what comes.
type hook struct {
	*httptest.Server
	mu     sync.Mutex
	status int
	ids    []string
	bodies []string
}

func newHook(t *testing.T, key []byte) *hook {
	h := &hook{status: http.StatusNoContent}
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		id, at := r.Header.Get("Webhook-Id"), r.Header.Get("Webhook-Timestamp")
		mac := hmac.New(sha256.New, key)
		_, _ = fmt.Fprintf(mac, "%s.%s.%s", id, at, body)
		if want := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)); r.Header.Get("Webhook-Signature") != want {
			t.Errorf("signature %q, want %q", r.Header.Get("Webhook-Signature"), want)
		}
		h.mu.Lock()
		defer h.mu.Unlock()
		h.ids, h.bodies = append(h.ids, id), append(h.bodies, string(body))
		w.WriteHeader(h.status)
		_, _ = io.WriteString(w, "words")
	}))
	t.Cleanup(h.Close)
	return h
}

func (h *hook) answers(status int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.status = status
}

func (h *hook) take() (ids, bodies []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	ids, bodies = h.ids, h.bodies
	h.ids, h.bodies = nil, nil
	return ids, bodies
}

func TestTheWebhookIsCalledSignedAndAgain(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	modelstest.Member(t, p.DB.DB, "ada", nil, p.now)
	modelstest.Member(t, p.DB.DB, "grace", nil, p.now)
	key := notices.WebhookKey("a secret of this installation")
	h := newHook(t, key)
	p.Outbox.Webhook, p.Outbox.Key = h.URL+"/laurel?token=hidden", key
	p.Outbox.HTTP = polite.Guarded([]netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")})
	p.offers(1)
	p.takes("ada", 1, 1, "active")
	p.takes("grace", 1, 1, "active")
	h.answers(http.StatusBadGateway)
	p.passes(time.Minute)
	first, _ := h.take()
	h.answers(http.StatusOK)
	p.passes(time.Minute)
	again, bodies := h.take()
	if len(first) != 1 || len(again) != 1 || first[0] != again[0] {
		t.Fatalf("calls %q, then %q", first, again)
	}
	var got struct {
		Type    string
		Notices []struct {
			Kind, Member string
			Awards       []struct{ Slug string }
		}
	}
	p.must(json.Unmarshal([]byte(bodies[0]), &got))
	if s := fmt.Sprint(got); s != "{laurel.notices [{granted ada [{photos-1}]} {granted grace [{photos-1}]}]}" {
		t.Errorf("it was told %s", s)
	}
	p.passes(time.Hour)
	if ids, _ := h.take(); len(ids) > 0 {
		t.Errorf("called again: %q", ids)
	}
}

func TestAWebhookInsideIsNotCalled(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	modelstest.Member(t, p.DB.DB, "ada", nil, p.now)
	h := newHook(t, nil)
	p.Outbox.Webhook, p.Outbox.HTTP = h.URL+"/?token=hidden", polite.Guarded(nil)
	p.offers(1)
	p.takes("ada", 1, 1, "active")
	for range 12 {
		p.passes(6 * time.Hour)
	}
	if ids, _ := h.take(); len(ids) > 0 {
		t.Error("a private address was called")
	}
	failed, err := noticebox.TroubledDeliveries(t.Context(), p.DB.DB, 10)
	if p.must(err); len(failed) != 1 || failed[0].State != "failed" || failed[0].Attempts != 8 || !strings.Contains(failed[0].Error, "not a public address") || strings.Contains(failed[0].Error, "hidden") {
		t.Errorf("failed: %+v", failed)
	}
}
