package members

// What tests see of the package besides what it exports.
type (
	APIMember = apiMember
)

var (
	After = after
)
