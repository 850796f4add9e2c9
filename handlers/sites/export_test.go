package sites

// What tests see of the package besides what it exports.
type (
	APICanary = apiCanary
	APISite   = apiSite
)
