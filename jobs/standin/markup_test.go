package standin

import "testing"

func TestReshapeAndHollow(t *testing.T) {
	const page = `<table class="problems"><tr><th>When</th></tr><tr class="kol">
<td>now</td></tr></table>`
	for name, tt := range map[string]struct{ body, reshaped, hollow string }{
		"a page": {page, `<section class="v2-problems"><article><b>When</b></article><article class="v2-kol">` + "\n" +
			`<span>now</span></article></section>`, `<table class="problems"><tr><th>When</th></tr></table>`},
		"in capitals": {`<TABLE CLASS="x"><TR ID="r"><TH>A</TH></TR></TABLE>`,
			`<section class="v2-x"><article data-id="r"><b>A</b></article></section>`, `<TABLE CLASS="x"><TR ID="r"><TH>A</TH></TR></TABLE>`},
		"a list":   {`[[1,2],[3]]`, `{"payload":[[1,2],[3]],"version":2}`, `[]`},
		"a number": {`42`, `{"payload":42,"version":2}`, `42`},
		"tables in JSON": {`{"content":"<tr><td>1</td></tr>","max_page":3}`,
			`{"payload":{"v2_content":"\u003ctr\u003e\u003ctd\u003e1\u003c/td\u003e\u003c/tr\u003e","v2_max_page":3},"version":2}`,
			`{"content":"","max_page":3}`},
		"an exact number": {`{"id":12345678901234567890}`, `{"payload":{"v2_id":12345678901234567890},"version":2}`,
			`{"id":12345678901234567890}`},
	} {
		if got := string(reshape(answer{body: []byte(tt.body)}).body); got != tt.reshaped {
			t.Errorf("%s: reshaped to %s", name, got)
		}
		if got := string(hollow(answer{body: []byte(tt.body)}).body); got != tt.hollow {
			t.Errorf("%s: hollowed to %s", name, got)
		}
	}
}
