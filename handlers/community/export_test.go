package community

// What tests see of the package besides what it exports.
type APILeader = apiLeader
