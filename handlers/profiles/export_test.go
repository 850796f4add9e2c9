package profiles

// What tests see of the package besides what it exports.
type (
	APIComparison     = apiComparison
	APIContest        = apiContest
	APIHistory        = apiHistory
	APIProblem        = apiProblem
	APIRetrieval      = apiRetrieval
	APISolvedProblem  = apiSolvedProblem
	APISubmission     = apiSubmission
	SubmissionProblem = submissionProblem
)

var (
	ChangeBetween = changeBetween
)
