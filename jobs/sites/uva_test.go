package sites

import (
	"errors"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"laurel/jobs/fakesite"
)

func uvaRead(t *testing.T, a Account, s server) ([]Submission, []string, error) {
	t.Helper()
	get := &fake{t: t, serve: s}
	subs, err := all(uva{}.Submissions(t.Context(), get, a))
	return subs, get.asked, err
}

func TestUvaRecorded(t *testing.T) {
	body := recorded(t, "uva/subs-user-last_3_captured_2026-08-13.json")
	subs, asked, err := uvaRead(t, Account{Handle: "robot", Key: "7"}, always(200, body))
	if err != nil {
		t.Fatal(err)
	}
	want := []Submission{
		{ID: "28887352", At: time.Unix(1698133600, 0).UTC(), Problem: uvaProblem(36), Status: WA, Verdict: "Wrong answer", Language: "C++"},
		{ID: "28887351", At: time.Unix(1698133500, 0).UTC(), Problem: uvaProblem(36), Status: Pending, Verdict: "In queue", Language: "C++"},
		{ID: "28887350", At: time.Unix(1698133496, 0).UTC(), Problem: uvaProblem(4838), Status: AC, Verdict: "Accepted", Language: "C++11"},
	}
	if !slices.Equal(subs, want) {
		t.Errorf("\n got %+v\nwant %+v", subs, want)
	}
	if want := []string{"https://uhunt.onlinejudge.org/api/subs-user/7"}; !slices.Equal(asked, want) {
		t.Errorf("asked %q, want %q", asked, want)
	}
}

func TestUvaRecordedUnknownName(t *testing.T) {
	get := &fake{t: t, serve: always(200, recorded(t, "uva/uname2uid_unknown.txt"))}
	if _, err := (uva{}).Resolve(t.Context(), get, "ada"); !errors.Is(err, ErrNoHandle) {
		t.Errorf("error %v, want %v", err, ErrNoHandle)
	}
}

func TestUvaResolve(t *testing.T) {
	for _, tt := range []struct {
		status int
		body   string
		want   string
		err    error
	}{
		{200, "339", "339", nil},
		{200, " 339\n", "339", nil},
		{200, "0", "", ErrNoHandle},
		{200, "", "", ErrFormat},
		{200, "-1", "", ErrFormat},
		{200, "3/../9", "", ErrFormat},
		{200, "<html>", "", ErrFormat},
		{404, "0", "", ErrFormat}, // The address has moved; the name may be known there.
	} {
		get := &fake{t: t, serve: always(tt.status, tt.body)}
		got, err := uva{}.Resolve(t.Context(), get, "Ada Lovelace")
		if got != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("%d %q: key %q, error %v, want %q, %v", tt.status, tt.body, got, err, tt.want, tt.err)
		}
		if want := "https://uhunt.onlinejudge.org/api/uname2uid/Ada%20Lovelace"; get.asked[0] != want {
			t.Errorf("asked %s, want %s", get.asked[0], want)
		}
	}
}

// A list of which the server may give all, only the newer rows, or those and the
// one it was asked from. It comes in no order and with a row twice.
func TestUvaOnlyWhatIsNew(t *testing.T) {
	rows := map[string]string{
		"11": `[11,36,90,10,1600000011,3,1]`, "12": `[12,37,70,0,1600000012,3,-1]`,
		"13": `[13,38,0,0,1600000013,-1,-1]`, "14": `[14,39,99,0,1600000014,7,-1]`,
	}
	for name, sent := range map[string][]string{
		"all":       {"13", "11", "14", "12", "13"},
		"exclusive": {"14", "13"},
		"inclusive": {"12", "14", "13"},
	} {
		t.Run(name, func(t *testing.T) {
			var list []string
			for _, id := range sent {
				list = append(list, rows[id])
			}
			a := Account{Handle: "ada", Key: "7", CoveredAt: time.Unix(1600000013, 0), CoveredID: "12"}
			subs, asked, err := uvaRead(t, a, always(200, `{"name":"Ada","uname":"ada","subs":[`+strings.Join(list, ",")+`]}`))
			if err != nil {
				t.Fatal(err)
			}
			want := []Submission{
				{ID: "14", At: time.Unix(1600000014, 0).UTC(), Problem: uvaProblem(39), Status: OTH, Verdict: "verdict 99", Language: "language 7"},
				{ID: "13", At: time.Unix(1600000013, 0).UTC(), Problem: uvaProblem(38), Status: Pending, Verdict: "In queue", Language: "language -1"},
			}
			if !slices.Equal(subs, want) {
				t.Errorf("\n got %+v\nwant %+v", subs, want)
			}
			if want := []string{"https://uhunt.onlinejudge.org/api/subs-user/7/12"}; !slices.Equal(asked, want) {
				t.Errorf("asked %q, want %q", asked, want)
			}
		})
	}
}

func TestUvaAddresses(t *testing.T) {
	serve := func(_ int, u *url.URL) Page {
		if strings.Contains(u.Path, "uname2uid") {
			return Page{200, []byte("42")}
		}
		return Page{200, []byte(`{"subs":[]}`)}
	}
	for _, tt := range []struct {
		name string
		a    Account
		want []string
	}{
		{"without a key", Account{Handle: "ada"}, []string{"/api/uname2uid/ada", "/api/subs-user/42"}},
		{"nothing covered yet", Account{Handle: "ada", Key: "7", CoveredID: "12"}, []string{"/api/subs-user/7"}},
		{"covered, and empty", Account{Handle: "ada", Key: "7", CoveredAt: time.Unix(1600000013, 0)}, []string{"/api/subs-user/7"}},
		{"a strange id", Account{Handle: "ada", Key: "7", CoveredAt: time.Unix(1600000013, 0), CoveredID: "1/2"}, []string{"/api/subs-user/7"}},
	} {
		_, asked, err := uvaRead(t, tt.a, serve)
		for i := range asked {
			asked[i] = strings.TrimPrefix(asked[i], uhunt)
		}
		if err != nil || !slices.Equal(asked, tt.want) {
			t.Errorf("%s: asked %q, error %v, want %q", tt.name, asked, err, tt.want)
		}
	}
	if _, asked, err := uvaRead(t, Account{Handle: "ada", Key: "7/../8"}, serve); err == nil || len(asked) > 0 {
		t.Errorf("a strange key: asked %q, error %v", asked, err)
	}
}

func TestUvaStatuses(t *testing.T) {
	want := map[int64]string{
		0: Pending, 10: OTH, 15: OTH, 20: Pending, 30: CE, 35: OTH, 40: RE, 45: OTH, 50: TLE, 60: MLE, 70: WA, 80: PE, 90: AC,
	}
	for verdict, v := range uvaVerdicts {
		if v.status != want[verdict] || v.words == "" {
			t.Errorf("%d is %+v, want %s", verdict, v, want[verdict])
		}
	}
	if len(uvaVerdicts) != len(want) {
		t.Errorf("%d verdicts, want %d", len(uvaVerdicts), len(want))
	}
}

func TestUvaBadAnswers(t *testing.T) {
	for _, body := range []string{
		`0`, `{}`, `{"subs":null}`, `{"subs":{}}`, `{"subs":[null]}`, `{"subs":[[]]}`, `{"subs":[[1,2,90,0]]}`,
		`{"subs":[["1",36,90,0,1600000000,3,1]]}`, `{"subs":[[0,36,90,0,1600000000,3,1]]}`, `{"subs":[[1,36,90,0,0,3,1]]}`,
		`{"subs":[[1,36,90,0,1600000000000,3,1]]}`, `{"subs":[[1,36,90.5,0,1600000000,3,1]]}`,
	} {
		if subs, _, err := uvaRead(t, Account{Handle: "ada", Key: "7"}, always(200, thrice(body))); !errors.Is(err, ErrFormat) || len(subs) > 0 {
			t.Errorf("%s: %d rows, error %v, want %v", body, len(subs), err, ErrFormat)
		}
	}
}

func TestUvaProblems(t *testing.T) {
	get := &fake{t: t, serve: always(200, fakesite.Testdata(t, "uva/problems.json"))}
	got, err := uva{}.Problems(t.Context(), get)
	if err != nil {
		t.Fatal(err)
	}
	want := []Problem{
		{"36", "100 - The 3n + 1 problem", "https://onlinejudge.org/index.php?option=onlinejudge&page=show_problem&problem=36"},
		{"9001", "19001 - Made Up", "https://onlinejudge.org/index.php?option=onlinejudge&page=show_problem&problem=9001"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("problems %v, want %v", got, want)
	}
}

func FuzzUva(f *testing.F) {
	f.Add(200, `{"name":"Ada","uname":"ada","subs":[[11,36,90,10,1600000011,3,1],[12,37,20,0,1600000012,-1,-1]]}`)
	f.Add(200, `0`)
	f.Add(200, fakesite.Testdata(f, "uva/problems.json"))
	f.Fuzz(func(t *testing.T, status int, body string) {
		for _, since := range []time.Time{{}, time.Unix(1600000000, 0)} {
			subs, _, _ := uvaRead(t, Account{Handle: "ada", Key: "7", CoveredAt: since, CoveredID: "10"}, always(status, body))
			ids(t, subs)
			for _, s := range subs {
				wantSound(t, s)
			}
		}
		get := &fake{t: t, serve: always(status, body)}
		if key, err := (uva{}).Resolve(t.Context(), get, "ada"); err == nil && !uvaKey.MatchString(key) {
			t.Errorf("key %q", key)
		}
		problems, _ := uva{}.Problems(t.Context(), get)
		for _, p := range problems {
			if p.Key == "" {
				t.Error("a problem without a key")
			}
		}
	})
}
