package forums

// What tests see of the package besides what it exports.
type (
	APIAuthor     = apiAuthor
	APIDetected   = apiDetected
	APIForum      = apiForum
	APIMessage    = apiMessage
	APISuggestion = apiSuggestion
)

var (
	History = history
)
