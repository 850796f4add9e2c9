package accounts_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/models/accounts"
	"laurel/models/members"
	"laurel/models/modelstest"
)

var twoSites = []members.Site{
	{Name: "codeforces", Title: "Codeforces", Handle: regexp.MustCompile(`^[A-Za-z0-9_.-]{3,24}$`), Hint: "3 to 24 letters, digits, . _ -"},
	{Name: "uva", Title: "UVa", Handle: regexp.MustCompile(`^[A-Za-z0-9 ]{1,40}$`), Hint: "1 to 40 letters, digits and spaces"},
}

func TestImportMembers(t *testing.T) {
	for _, tt := range []struct {
		name, csv string
		want      accounts.Counts
	}{
		{"as the header says", "name,display_name,time_zone,custom,codeforces,uva\nada,Ada L,Asia/Kolkata,false,ada_l,ada l\nbob,,,yes,bob,\n", accounts.Counts{Created: 2, Added: 3}},
		{"semicolons, BOM, CRLF, other order", "\ufeffuva;Name\r\nada;ada\r\n;bob\r\n", accounts.Counts{Created: 2, Added: 1}},
		{"quotes and empty rows", "name,display_name\n\"ada\",\"L, Ada\"\n,\n\nbob,B\n", accounts.Counts{Created: 2}},
		{"a header alone", "name\n", accounts.Counts{}},
		{"one who is here already", "name,display_name,codeforces,uva\nHERE,Other,here2,here\n", accounts.Counts{Known: 1, Added: 1, Changed: 1}},
		{"an empty cell changes nothing", "name,codeforces\nhere,\n", accounts.Counts{Known: 1}},
		{"the same again", "name,codeforces\nhere,here1\n", accounts.Counts{Known: 1, Untouched: 1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tx := modelstest.Tx(t)
			here := members.Member{Name: "here", DisplayName: "Here"}
			if err := accounts.Add(t.Context(), tx, twoSites, accounts.New{Member: &here, Handles: map[string]string{"codeforces": "here1"}}, modelstest.Noon); err != nil {
				t.Fatal(err)
			}
			got, err := accounts.Import(t.Context(), tx, twoSites, strings.NewReader(tt.csv), modelstest.Noon.Add(time.Hour))
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Names) != got.Created+got.Known {
				t.Errorf("the names are %v", got.Names)
			}
			got.Names = nil
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("counts (-want +got):\n%s", diff)
			}
			if again, err := members.ByName(t.Context(), tx, "here"); err != nil || again.DisplayName != "Here" {
				t.Errorf("the known member is now %+v, %v", again, err)
			}
		})
	}
}

func TestImportTellsAllMistakesAndStoresNothing(t *testing.T) {
	for _, tt := range []struct {
		name, csv string
		want      []string
	}{
		{"nothing", "", []string{"line 1: the file is empty"}},
		{"not UTF-8", "name\n\xff\xfe\n", []string{"line 1: the file is not in UTF-8"}},
		{"header", "nme,uva,uva,codefroces\nada,,,\n", []string{`line 1, column "nme": no column`, "line 1, column uva: this column is there twice", `line 1, column "codefroces"`, "line 1, column name: this column is missing"}},
		{"cells", "name,time_zone,custom,codeforces,uva\nada,,,ada,ada\n-,Mars/Olympus,maybe,x,/../\n", []string{"line 3, column name", "line 3, column time_zone", "line 3, column custom", "line 3, column codeforces", "line 3, column uva"}},
		{"twice", "name\nada\nbob\nADA\n", []string{"line 4, column name: ADA is in line 2 already"}},
		{"ragged", "name,uva\nada\nbob,b,b\n", []string{"line 2: it has 1 columns", "line 3: it has 3 columns"}},
		{"quote", "name,uva\nada,\"a\nb", []string{"line 3: extraneous or missing"}},
		{"kinds", "name,custom\nhere,true\nada,false\n", []string{"line 2, column custom: here is a registered member"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tx := modelstest.Tx(t)
			if err := accounts.Add(t.Context(), tx, twoSites, accounts.New{Member: &members.Member{Name: "here"}, Handles: nil}, modelstest.Noon); err != nil {
				t.Fatal(err)
			}
			_, err := accounts.Import(t.Context(), tx, twoSites, strings.NewReader(tt.csv), modelstest.Noon)
			mistakes, ok := errors.AsType[*accounts.Mistakes](err)
			if !ok {
				t.Fatalf("got %v, want an ImportError", err)
			}
			lines := strings.Split(mistakes.Error(), "\n  ")[1:]
			if len(lines) != len(tt.want) {
				t.Errorf("got %d mistakes, want %d:\n%v", len(lines), len(tt.want), err)
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), "\n  "+want) {
					t.Errorf("no mistake begins with %q:\n%v", want, err)
				}
			}
			var members, accounts int
			if err := tx.Raw(`SELECT count(*), (SELECT count(*) FROM account_details) FROM members`).Row().Scan(&members, &accounts); err != nil || members != 1 || accounts != 0 {
				t.Errorf("stored %d members and %d accounts (%v), want the one of before", members, accounts, err)
			}
		})
	}
}

// A changed handle is another person's record: its submissions and their sums go.
func TestImportOfAnotherHandleForgetsTheOldOne(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	ada := modelstest.Member(t, tx, "ada", map[string]string{"codeforces": "ada"}, modelstest.Noon)
	addSubmissions(t, tx, ada.ID, "codeforces", "AC", "AC", "WA")
	_, err := accounts.Import(t.Context(), tx, twoSites, strings.NewReader("name,codeforces\nada,other\n"), modelstest.Noon)
	if err != nil {
		t.Fatal(err)
	}
	var submissions, days, solved int
	err = tx.Raw(`SELECT (SELECT count(*) FROM submissions), (SELECT count(*) FROM days), solved FROM member_stats WHERE member_id = ?`, ada.ID).Row().Scan(&submissions, &days, &solved)
	if err != nil || submissions+days+solved != 0 {
		t.Errorf("left %d submissions, %d days, %d solved (%v), want none", submissions, days, solved, err)
	}
}

func FuzzImport(f *testing.F) {
	f.Add("name,display_name,time_zone,custom,codeforces,uva\nada,Ada,UTC,true,ada,\n")
	f.Add("\ufeffname;uva\n\"a\"\";b\n")
	f.Fuzz(func(t *testing.T, csv string) {
		_, err := accounts.Import(t.Context(), modelstest.Tx(t), twoSites, strings.NewReader(csv), modelstest.Noon)
		if _, mistaken := errors.AsType[*accounts.Mistakes](err); err != nil && !mistaken {
			t.Errorf("import of %q: %v", csv, err)
		}
	})
}
