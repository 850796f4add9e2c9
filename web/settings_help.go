package main

// settingManual says of each setting what it does; `laurel help` prints it.
var settingManual = map[string]string{
	"LAUREL_LISTEN":     "where the server listens",
	"LAUREL_URL":        "how people reach it, e.g. https://laurel.example.org (default: http:// and the listening address)",
	"LAUREL_DATA":       "the folder of everything Laurel keeps outside the database, and of the private database",
	"DATABASE_URL":      "a PostgreSQL 14 or newer to use instead of the private one",
	"LAUREL_ALLOW_NETS": "private networks that may be crawled, separated by commas, e.g. 127.0.0.0/8",
	"LAUREL_CONTACT":    "an address for the admins of crawled sites, sent with every request (default: LAUREL_URL)",
	"LAUREL_CRAWL_RATE": "divides every politeness gap, retry pause and the button's cool-down; for tests only",
	"LAUREL_CLOCK_RATE": "how many seconds pass in one; for simulations only",
	"LAUREL_CLOCK_START": "the real time at which the fast clock showed the real time, e.g. 2026-01-31T12:00:00Z, so that " +
		"several processes have one clock; for simulations only (default: when the process starts)",
	"LAUREL_POST_TIERS":     "how often posts younger than an age are updated",
	"LAUREL_BUFFER_TTL":     "how long a post that is due waits for others, so that one request is for many",
	"LAUREL_POST_ORIGINALS": "true: update the original of a repost instead, for a repost has no numbers of its own",
	"LAUREL_FORUMS_FILE":    "a JSON list of forums to harvest, read at the start; see docs/operate.md (default: none)",
	"LAUREL_ARCHIVE_WINDOWS": "sampling windows of shards, e.g. ladder=12m,ladder_list=12m: every night the middle ones of " +
		"responses that showed the same are removed for good (default: none)",
	"LAUREL_SMTP_URL": "a server that takes e-mails, e.g. smtp://user:password@mail.example.org:587 (smtps:// for TLS from " +
		"the start, ?tls=off for none; default: no e-mail)",
	"LAUREL_MAIL_FROM":   "whom e-mails are from (default: laurel at the host of LAUREL_URL)",
	"LAUREL_WEBHOOK_URL": "an address that gets all notices; see docs/design/notices.md",
	"LAUREL_SECRET_KEY": "a random text of at least 16 letters that never changes: it seals the key that signs badges, and the " +
		"key that signs calls of the webhook is made from it (default for badges: LAUREL_DATA/secret.key, " +
		"made at the first start)",
}
