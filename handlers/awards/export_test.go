package awards

// What tests see of the package besides what it exports.
const (
	MaxBulk     = maxBulk
	MaxEvents   = maxEvents
	MaxImported = maxImported
	NewAward    = newAward
)

type (
	APIAppended      = apiAppended
	APIBan           = apiBan
	APIDeadEvent     = apiDeadEvent
	APIFilterVerdict = apiFilterVerdict
	APIGrantLog      = apiGrantLog
	APIImported      = apiImported
	APISource        = apiSource
	APITask          = apiTask
	APIVersion       = apiVersion
)

var (
	FormOf  = formOf
	OneLine = oneLine
	Rework  = rework
)
