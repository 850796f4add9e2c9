package archive_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel/models/archive"
	pg "laurel/models/db"
	"laurel/models/modelstest"
)

// A writer is this test program started again as a process of its own, so that
// it can be killed for real.
const (
	envWriter     = "LAUREL_TEST_ARCHIVE" // The database.
	envSeed       = "LAUREL_TEST_SEED"
	envRetrievals = "LAUREL_TEST_LOOKS"
)

func TestMain(m *testing.M) {
	if os.Getenv(envWriter) != "" {
		write()
		return
	}
	os.Exit(m.Run())
}

// write says what it will store, then stores it: 20 of 100 players in random
// order, at random places, at the time of day.
func write() {
	seed, _ := strconv.Atoi(os.Getenv(envSeed))
	retrievals, _ := strconv.Atoi(os.Getenv(envRetrievals))
	r := rand.New(rand.NewPCG(uint64(seed), 1))
	ctx := context.Background()
	db, err := pg.Open(ctx, os.Getenv(envWriter), 2)
	for i := 0; err == nil && i < retrievals; i++ {
		now := time.Now()
		retrieval := archive.Response{Source: "process", Address: fmt.Sprint("page ", r.IntN(5)), Viewer: strconv.Itoa(seed), At: now, Shards: map[string][]row{}}
		players, places := r.Perm(100), r.Perm(100)
		for n := range 20 {
			place := places[n]
			if r.IntN(4) > 0 {
				place = 200 + players[n] // Mostly as it was.
			}
			retrieval.Shards["race"] = append(retrieval.Shards["race"], row{"player": players[n], "place": place})
		}
		text, _ := json.Marshal(retrieval)
		fmt.Printf("%s\n", text)
		var res archive.Result
		if res, err = archive.Store(ctx, db.DB, retrieval, now); err == nil && res.Inserted+res.Confirmed+res.Yielded != 20 {
			err = fmt.Errorf("result %+v of 20 rows", res)
		}
		if err == nil {
			fmt.Printf("stored\n")
		}
	}
	if err != nil {
		fmt.Println("error:", err)
		os.Exit(1)
	}
}

// startWriter starts a writer whose words go to out.
func startWriter(t *testing.T, url string, seed, retrievals int, out *bytes.Buffer) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), envWriter+"="+url, fmt.Sprint(envSeed, "=", seed), fmt.Sprint(envRetrievals, "=", retrievals))
	cmd.Stdout, cmd.Stderr = out, os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd
}

// Eight processes write what overlaps, in random orders of keys, and some are
// killed at random moments: nothing that was stored is lost, nobody sees a
// deadlock, no two periods overlap, and the rows are the fold of what is stored.
func TestWritersThatAreKilled(t *testing.T) {
	retrievals, kills := 25, 4
	if soak() {
		retrievals, kills = 400, 40
	}
	url := modelstest.URL(t)
	db, err := pg.Open(t.Context(), url, 4)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	s := declare(t, db.DB, "race", "player integer", "place integer", "place")
	outs := make([]bytes.Buffer, 8+kills)
	var writers sync.WaitGroup
	for i := range 8 {
		cmd := startWriter(t, url, i, retrievals, &outs[i])
		writers.Go(func() {
			if err := cmd.Wait(); err != nil {
				t.Errorf("writer %d: %v", i, err)
			}
		})
	}
	for i := range kills {
		cmd := startWriter(t, url, 8+i, 1_000_000, &outs[8+i])
		<-time.After(time.Duration(100+rand.IntN(400)) * time.Millisecond) // The moment is random; nothing is awaited.
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	writers.Wait()
	said, stored := readWriters(t, outs)
	known := inLog(t, db, said)
	if len(known) < stored || stored < 8*retrievals {
		t.Errorf("%d responses are in the log, %d were stored", len(known), stored)
	}
	rows, err := archive.History(t.Context(), db.DB, s, archive.Query{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range rows {
		got = append(got, text(r))
	}
	slices.Sort(got)
	if want := expected(t, db.DB, s, known); !slices.Equal(got, want) {
		t.Errorf("%d rows, and the fold of what is stored has %d others", len(got), len(want))
	}
	sound(t, db.DB)
}

// readWriters returns what the writers said that they store, and how much of it
// they saw stored.
func readWriters(t *testing.T, outs []bytes.Buffer) (said []archive.Response, stored int) {
	t.Helper()
	for i := range outs {
		for lines := bufio.NewScanner(&outs[i]); lines.Scan(); {
			var r archive.Response
			switch {
			case lines.Text() == "stored":
				stored++
			case strings.HasPrefix(lines.Text(), "error"):
				t.Errorf("writer %d: %s", i, lines.Text())
			case json.Unmarshal(lines.Bytes(), &r) == nil:
				said = append(said, r)
			}
		}
	}
	return said, stored
}

// inLog returns the responses that are in the log.
func inLog(t *testing.T, db *pg.DB, said []archive.Response) (known []archive.Response) {
	t.Helper()
	var keys []string
	err := db.Raw(`SELECT p.viewer || ' ' || CAST(extract(epoch FROM r.at) * 1000000 AS bigint) FROM archive_retrievals r JOIN archive_pages p ON p.id = r.page_id`).Scan(&keys).Error
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range said {
		if slices.Contains(keys, fmt.Sprint(r.Viewer, " ", r.At.UnixMicro())) {
			known = append(known, r)
		}
	}
	return known
}
