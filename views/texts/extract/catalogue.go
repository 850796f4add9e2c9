package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/leonelquinteros/gotext"
)

// catalogue are the uses as a file of gettext: each key once, with the files where it is used. Lines are left out:
// the file would change with every line above a text.
func catalogue(uses []Use) string {
	var order []string
	where, one := map[string][]string{}, map[string]Use{}
	for _, u := range uses {
		if len(where[u.One]) == 0 {
			order = append(order, u.One)
		}
		if !slices.Contains(where[u.One], u.File) {
			where[u.One] = append(where[u.One], u.File)
		}
		if one[u.One].Many == "" {
			one[u.One] = u
		}
	}
	var b strings.Builder
	b.WriteString(potHead)
	for _, key := range order {
		fmt.Fprintf(&b, "\n#: %s\nmsgid %s\n", strings.Join(where[key], " "), quote(key))
		if u := one[key]; u.Many != "" {
			fmt.Fprintf(&b, "msgid_plural %s\nmsgstr[0] \"\"\nmsgstr[1] \"\"\n", quote(u.Many))
		} else {
			b.WriteString("msgstr \"\"\n")
		}
	}
	return b.String()
}

const potHead = `# All texts of pages. Made by go generate ./views/... of the templ and Go files: do not edit.
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\n"
`

// quote writes a string as PO files have it.
func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`).Replace(s) + `"`
}

// translated is a file of a language with the keys of the catalogue, in its order: new ones are empty, and those that
// are gone are left out. What stands above its first key stays.
func translated(old string, uses []Use) string {
	po := gotext.NewPo()
	po.Parse([]byte(old))
	known := po.GetDomain().GetTranslations()
	head, _, _ := strings.Cut(old, "\n\n")
	var b strings.Builder
	b.WriteString(head + "\n")
	for part := range strings.SplitSeq(strings.TrimSpace(catalogue(uses)), "\n\n") {
		if strings.HasPrefix(part, "# ") {
			continue // The catalogue's own head.
		}
		b.WriteString("\n" + filled(part, known) + "\n")
	}
	return b.String()
}

// filled is one entry of the catalogue with what it is in the language.
func filled(entry string, known map[string]*gotext.Translation) string {
	lines := strings.Split(entry, "\n")
	key, _ := strconv.Unquote(strings.TrimPrefix(lines[1], "msgid "))
	t := known[key]
	for i, line := range lines {
		name, _, _ := strings.Cut(line, " ")
		if t == nil || !strings.HasPrefix(name, "msgstr") {
			continue
		}
		form := 0
		if name == "msgstr[1]" {
			form = 1
		}
		lines[i] = name + " " + quote(t.Trs[form])
	}
	return strings.Join(lines, "\n")
}
