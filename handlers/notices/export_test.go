package notices

// What tests see of the package besides what it exports.
type (
	APINotice = apiNotice
)
