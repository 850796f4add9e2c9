package main

// settingManual says of each setting what it does; `laurel help` prints it.
var settingManual = map[string]string{
	"LAUREL_LISTEN":     "where the server listens",
	"LAUREL_URL":        "the public URL, e.g. https://laurel.example.org (default: http:// and the listening address)",
	"LAUREL_DATA":       "the data folder: files outside the database, and the private database",
	"DATABASE_URL":      "a PostgreSQL server, version 14 or newer, instead of the private one",
	"LAUREL_ALLOW_NETS": "private networks that may be crawled, separated by commas, e.g. 127.0.0.0/8",
	"LAUREL_CONTACT":    "a contact address for the admins of crawled sites, sent with every request (default: LAUREL_URL)",
	"LAUREL_CRAWL_RATE": "divides all gaps, retry pauses and cool-downs; for tests only",
	"LAUREL_CLOCK_RATE": "speed of the clock: simulated seconds per real second; for simulations only",
	"LAUREL_CLOCK_START": "when the fast clock and the real clock agreed, e.g. 2026-01-31T12:00:00Z, so that " +
		"several processes share one clock; for simulations only (default: the start of the process)",
	"LAUREL_POST_TIERS":     "how often posts are updated, by age",
	"LAUREL_BUFFER_TTL":     "how long a due post waits for others, so that one request fetches many",
	"LAUREL_POST_ORIGINALS": "true: update the original of a repost, because a repost has no numbers of its own",
	"LAUREL_FORUMS_FILE":    "a JSON file that lists forums to harvest, read at start; see docs/operate.md (default: none)",
	"LAUREL_KEEP_RESPONSES": "how long raw answers are kept for laurel reread; those that could not be read, and mails, stay longer",
	"LAUREL_ARCHIVE_WINDOWS": "sampling windows of shards, e.g. ladder=12m,ladder_list=12m: every night, the middle ones of " +
		"several equal sightings in a window are deleted (default: none)",
	"LAUREL_KAFKA_BROKERS": "brokers of Kafka, e.g. kafka1:9092,kafka2:9092; Admin, Events says which topics are read " +
		"and written (default: no Kafka)",
	"LAUREL_KAFKA_TLS": "on, off, or a file with the certificates of the authority that signed the brokers'",
	"LAUREL_KAFKA_SASL": "how Laurel signs in to Kafka: plain:USER:PASSWORD, scram-sha-256:USER:PASSWORD or " +
		"scram-sha-512:USER:PASSWORD (default: it does not)",
	"LAUREL_SMTP_URL": "a mail server, e.g. smtp://user:password@mail.example.org:587 (smtps:// for TLS from " +
		"the start, ?tls=off for none; default: no e-mail)",
	"LAUREL_MAIL_FROM":   "the sender of e-mails (default: laurel at the host of LAUREL_URL)",
	"LAUREL_WEBHOOK_URL": "a URL that receives all notices; see docs/design/notices.md",
	"LAUREL_SECRET_KEY": "a random text of at least 16 letters that must never change. It seals the key that signs badges; the " +
		"key that signs webhook calls is derived from it (default for badges: LAUREL_DATA/secret.key, " +
		"created at the first start)",
}
