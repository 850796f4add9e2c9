package archive_test

import "strings"

// facts are a part of a page as it was read, or a row.
type facts = map[string]any

// observed are the facts of a recorded page as it was read, by shard.
func observed(parse facts) map[string][]facts {
	out := map[string][]facts{}
	add := func(shard string, r facts) { out["hammerfest_"+shard] = append(out["hammerfest_"+shard], r) }
	if session, ok := parse["session"].(facts); ok {
		u := session["user"].(facts)
		add("tokens", facts{"server": u["server"], "user": u["id"], "tokens": session["tokens"]})
	}
	if p, ok := parse["profile"].(facts); ok {
		u := p["user"].(facts)
		for shard, names := range map[string]string{"profile": "best_level best_score items quests season_score", "achievements": "has_carrot ladder_level",
			"hall_of_fame": "hall_of_fame", "email": "email"} {
			r := facts{"server": u["server"], "user": u["id"]}
			for name := range strings.FieldsSeq(names) {
				if v, shown := p[name]; shown { // Absent is not null.
					r[name] = v
				}
			}
			if len(r) == 2+len(strings.Fields(names)) {
				add(shard, r)
			}
		}
	}
	if p, ok := parse["page"].(facts); ok {
		observeTheme(p, add)
	}
	return out
}

func observeTheme(p facts, add func(string, facts)) {
	theme, list := p["theme"].(facts), p["threads"].(facts)
	server := theme["server"]
	add("theme_pages", facts{"server": server, "theme": theme["id"], "page_count": list["pages"]})
	for page, threads := range map[any][]any{0: p["sticky"].([]any), list["page1"]: list["items"].([]any)} {
		ids := []any{}
		for _, t := range threads {
			thread := t.(facts)
			author := thread["author"].(facts)["id"]
			ids = append(ids, thread["id"])
			add("thread_shared", facts{"server": server, "thread": thread["id"], "is_closed": thread["is_closed"], "theme": theme["id"], "title": thread["name"],
				"pages": (int(thread["reply_count"].(float64)) + 15) / 15})
			add("thread_in_theme", facts{"server": server, "thread": thread["id"], "author": author, "kind": thread["kind"],
				"latest_post_date": thread["latest_post_date"], "reply_count": thread["reply_count"]})
			add("forum_role", facts{"server": server, "user": author, "role": thread["author_role"]})
		}
		add("theme_list", facts{"server": server, "theme": theme["id"], "page": page, "threads": ids})
	}
}
