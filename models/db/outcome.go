package db

// Outcomes of one check at a site. Only ok moves a cursor, a delay or complete_until.
const (
	OutcomeOK          = "ok"
	OutcomeNotFound    = "not_found"
	OutcomeBlocked     = "blocked"
	OutcomeRateLimited = "rate_limited"
	OutcomeServerError = "server_error"
	OutcomeParseError  = "parse_error"
	OutcomeUnreachable = "unreachable"
)
