package posts

// What tests see of the package besides what it exports.
const (
	MaxNewPosts = maxNewPosts
	MaxPosts    = maxPosts
)

type (
	APIAdded       = apiAdded
	APICredential  = apiCredential
	APIMetrics     = apiMetrics
	APIPool        = apiPool
	APIPost        = apiPost
	APIPostAccount = apiPostAccount
	APITier        = apiTier
	APIUse         = apiUse
)
