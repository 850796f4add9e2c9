package archive

// What tests see of the package besides what it exports.
const (
	ChecksShown    = checksShown
	MaxInstants    = maxInstants
	ShardRowsShown = shardRowsShown
)

type (
	APICheck    = apiCheck
	APIPushed   = apiPushed
	APIRow      = apiRow
	APIShard    = apiShard
	APIVersion  = apiVersion
	APIStored   = apiStored
	ShownChecks = shownChecks
)

var (
	CdxKey  = cdxKey
	CdxLine = cdxLine
)
