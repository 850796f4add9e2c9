package retrieval_test

import (
	"strings"
	"testing"
	"time"

	"laurel/jobs/jobstest"
	"laurel/jobs/standin"
	"laurel/models/accounts"
	"laurel/models/modelstest"
	"laurel/models/retrieval"
)

// With a member's own key Codeforces shows what only the member may see; a key that it refuses is
// left alone and costs nothing; the key is in no answer that is kept.
func TestPrivateSubmissionsByAKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{Seed: 5, People: 3, Begin: modelstest.Noon.AddDate(0, -3, 0)})
	p := w.out.People()[0]
	handle := p.Handles["codeforces"]
	all := w.out.Submissions("codeforces", handle)
	var private []int64
	for i := 0; i < len(all); i += 7 {
		private = append(private, all[i].At.Unix())
	}
	w.out.GiveKey(standin.PrivateKey{Handle: handle, Key: "0123abcd", Secret: "ef456789", Private: private})
	m := modelstest.Member(t, w.DB.DB, p.Name, map[string]string{"codeforces": handle}, w.Now())
	hidden := func() (n int) {
		for _, s := range w.stored(t, m.ID, "codeforces") {
			for _, at := range private {
				if s.SubmittedAt.Unix() == at {
					n++
				}
			}
		}
		return n
	}
	w.round(t)
	if n := hidden(); n != 0 {
		t.Errorf("%d private submissions are read without a key", n)
	}
	a := w.account(t, m.ID, "codeforces")
	for _, key := range []struct {
		id, secret string
		hidden     int
		refused    bool
	}{{"0123abcd", "wrong", 0, true}, {"unknown", "ef456789", 0, true}, {"0123abcd", "ef456789", len(private), false}} {
		if err := accounts.SaveKey(t.Context(), w.DB.DB, jobstest.Secret(), accounts.NewKey{Account: &a, Key: key.id, Secret: key.secret}, w.Now()); err != nil {
			t.Fatal(err)
		}
		w.clock.Pass(time.Minute)
		if err := retrieval.ReadWhole(t.Context(), w.DB.DB, m.ID, "codeforces", w.Now()); err != nil {
			t.Fatal(err)
		}
		w.round(t)
		k, ok, err := accounts.KeyOf(t.Context(), w.DB.DB, a.ID)
		if err != nil || !ok || (k.RefusedAt != nil) != key.refused {
			t.Errorf("key %s: %+v (%v), want refused %v", key.id, k, err, key.refused)
		}
		if n := hidden(); n != key.hidden || w.account(t, m.ID, "codeforces").Outcome != "ok" {
			t.Errorf("key %s: %d private submissions, want %d; the account: %+v", key.id, n, key.hidden, w.account(t, m.ID, "codeforces"))
		}
		if strings.Contains(string(k.Secret), key.secret) {
			t.Error("the secret is stored as it is")
		}
	}
	var kept int
	if err := w.DB.Raw(`SELECT count(*) FROM responses WHERE address LIKE '%apiKey%'`).Scan(&kept).Error; err != nil || kept != 0 {
		t.Errorf("%d kept answers name the key (%v)", kept, err)
	}
	if err := accounts.RemoveKey(t.Context(), w.DB.DB, a.ID); err != nil {
		t.Fatal(err)
	}
	log := len(w.out.Log())
	w.clock.Pass(26 * time.Hour)
	w.round(t)
	for _, x := range w.out.Log()[log:] {
		if strings.Contains(x.URI, "apiKey") {
			t.Errorf("a removed key is used: %s", x.URI)
		}
	}
}
