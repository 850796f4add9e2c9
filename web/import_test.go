package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"laurel/models/modelstest"
)

func TestImportThenExport(t *testing.T) {
	t.Parallel()
	db := modelstest.Open(t)
	const file = "name,display_name,time_zone,custom,codeforces\nada,Ada,Asia/Kolkata,,ada_l\nbob,,,,\n"
	for _, want := range []string{
		"members: 2 added, 0 existing\nhandles: 1 added, 0 changed, 0 unchanged\n",
		"members: 0 added, 2 existing\nhandles: 0 added, 0 changed, 1 unchanged\n",
	} {
		var out strings.Builder
		if err := importMembers(t.Context(), db, modelSites(), strings.NewReader(file), &out, modelstest.Noon); err != nil || out.String() != want {
			t.Errorf("import: %v, says %q, want %q", err, out.String(), want)
		}
	}
	err := importMembers(t.Context(), db, modelSites(), strings.NewReader("name,codeforces\neve,!\n"), &strings.Builder{}, modelstest.Noon)
	if err == nil || !strings.Contains(err.Error(), "line 2, column codeforces") {
		t.Errorf("import of a bad handle: %v", err)
	}

	var out bytes.Buffer
	if err := exportAll(t.Context(), db, &out); err != nil {
		t.Fatal(err)
	}
	rows := map[string]int{}
	for line := range strings.Lines(out.String()) {
		var row struct{ Table string }
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatalf("line %s: %v", line, err)
		}
		rows[row.Table]++
	}
	if rows["members"] != 2 || rows["accounts"] != 1 {
		t.Errorf("exported %v", rows)
	}
}
