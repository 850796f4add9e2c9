package responses_test

import (
	"fmt"
	"os"
	"runtime"
	"testing"
	"time"

	"gorm.io/gorm"

	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/responses"
)

// A hundred thousand answers of one account's fetches are read back a fetch at a time: memory
// stays where it is, however many there are.
func TestManyAnswersInBoundedMemory(t *testing.T) {
	if os.Getenv("LAUREL_SOAK") == "" {
		t.Skip("with LAUREL_SOAK only")
	}
	db := modelstest.DB(t)
	m := modelstest.Member(t, db, "ann", map[string]string{"uva": "1"}, modelstest.Noon)
	of, err := members.AccountsOf(t.Context(), db, m.ID)
	if err != nil {
		t.Fatal(err)
	}
	const fetches, each, size = 1000, 100, 4 << 10
	for i := range fetches {
		answers := make([]responses.Answer, each)
		for j := range answers {
			body := make([]byte, 0, size)
			for len(body) < size-32 {
				body = fmt.Appendf(body, "<tr><td>%d</td></tr>", i*each+j+len(body)*7919)
			}
			answers[j] = responses.Answer{Source: "uva", Address: fmt.Sprint(j), Status: 200, Body: body, Readable: true}
		}
		at := modelstest.Noon.Add(time.Duration(i) * time.Minute)
		if _, err := responses.Store(t.Context(), db, responses.Owner{Fetch: fetchOf(t, of[0], fmt.Sprintf("%04d", i), at)}, answers, at); err != nil {
			t.Fatal(err)
		}
	}
	total, most := readAll(t, db, of[0].ID)
	if total != fetches*each || most > 64<<20 {
		t.Errorf("%d answers were read with %d MB in use, want %d within 64 MB", total, most>>20, fetches*each)
	}
}

func readAll(t *testing.T, db *gorm.DB, account int64) (total int, most uint64) {
	t.Helper()
	ctx := t.Context()
	list, err := responses.Fetches(ctx, db, account, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	var before, now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := range list {
		answers, err := responses.OfFetch(ctx, db, list[i].ID)
		if err != nil {
			t.Fatal(err)
		}
		total += len(answers)
		if i%100 == 0 {
			runtime.GC()
			runtime.ReadMemStats(&now)
			most = max(most, now.HeapAlloc-min(before.HeapAlloc, now.HeapAlloc))
		}
	}
	return total, most
}
