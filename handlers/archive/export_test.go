package archive

// What tests see of the package besides what it exports.
const (
	LooksShown     = looksShown
	MaxInstants    = maxInstants
	ShardRowsShown = shardRowsShown
)

type (
	APILook    = apiLook
	APIPushed  = apiPushed
	APIRow     = apiRow
	APIShard   = apiShard
	APIStored  = apiStored
	ShownLooks = shownLooks
)

var (
	CdxKey  = cdxKey
	CdxLine = cdxLine
)
