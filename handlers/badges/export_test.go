package badges

// What tests see of the package besides what it exports.
var (
	BadgeFiles = badgeFiles
)
