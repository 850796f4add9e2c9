package sites

// cfStatus is the status that one of the verdicts of Codeforces' API means.
func cfStatus(verdict string) string {
	switch clean(verdict) {
	case "", "TESTING", "SUBMITTED":
		return Pending
	case "OK":
		return AC
	case "WRONG_ANSWER":
		return WA
	case "TIME_LIMIT_EXCEEDED", "IDLENESS_LIMIT_EXCEEDED": // Idle: it used up the clock instead of the processor.
		return TLE
	case "MEMORY_LIMIT_EXCEEDED":
		return MLE
	case "RUNTIME_ERROR":
		return RE
	case "COMPILATION_ERROR":
		return CE
	case "PRESENTATION_ERROR":
		return PE
	case "PARTIAL":
		return PS
	case "SKIPPED":
		return SK
	case "CHALLENGED":
		return HCK
	}
	return OTH
}
