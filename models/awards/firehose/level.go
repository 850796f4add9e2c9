package firehose

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"

	"laurel/models/awards/rules"
)

// What fields of an event are called, the surest name first. Beside an event's
// name, "type" is often only its class.
var (
	typeNames   = []string{"event_type", "eventType", "event_name", "eventName", "event", "type", "action"}
	memberNames = []string{"member", "member_id", "memberId", "user_id", "userId", "uid", "user"}
	objectNames = []string{"object", "object_id", "objectId", "target", "target_id", "targetId"}
	idNames     = []string{"id", "event_id", "eventId", "uuid", "message_id", "messageId"}
	timeNames   = []string{"at", "ts", "time", "timestamp", "event_time", "eventTime"}
)

// ownKeys are those of Laurel's own events.
var ownKeys = []string{"source", "id", "item", "seq", "member", "type", "object", "status", "at", "facts"}

// A leveller makes one event of a line in any format.
type leveller struct {
	root  value
	ranks [][]field // Those of the event proper come first.
	named [][]field // Facts that are called so.
	used  []*field  // These are no facts.
}

// take goes on to another line.
func (l *leveller) take(root value) {
	l.root, l.ranks, l.named, l.used = root, l.ranks[:0], l.named[:0], l.used[:0]
	l.spread(root, 1)
}

// head reads by what an event is wanted, and whose it is.
func (l *leveller) head(source string) rules.Event {
	e := rules.Event{Source: source}
	if f := l.find([]string{"source"}, isPlain); f != nil {
		e.Source = f.text()
	}
	if f := l.find(typeNames, isText); f != nil {
		e.Type = f.text()
	} else if f := l.find([]string{"name"}, isText); f != nil { // Elsewhere, of anything.
		e.Type = f.text()
	}
	if f := l.find(memberNames, isSomebody); f != nil {
		e.Member = f.text()
	}
	l.item(&e)
	return e
}

// rest reads all else. Why says what is wrong with its time; what else can be
// wrong, awards.Event.Check finds.
func (l *leveller) rest(e *rules.Event, line []byte) (why string) {
	if f := l.find(objectNames, isNamed); f != nil {
		e.Object = f.text()
	}
	if f := l.find(idNames, isNamed); f != nil {
		e.ID = f.text()
	} else {
		// The same line again is the same event.
		sum := sha256.Sum256(line)
		e.ID = "line:" + hex.EncodeToString(sum[:16])
	}
	why = l.time(e)
	e.Facts = l.facts()
	return why
}

// item reads what a source with a status model says. Elsewhere a status without
// an item is some word; from one who speaks Laurel's language it is a mistake,
// as it would count for ever.
func (l *leveller) item(e *rules.Event) {
	item := l.find([]string{"item"}, isNamed)
	if item != nil {
		e.Item = item.text()
	}
	own := !slices.ContainsFunc(l.root.fields, func(f field) bool { return !isOne(f.name, ownKeys) })
	if item == nil && !own {
		return
	}
	if f := l.find([]string{"status"}, isText); f != nil {
		e.Status = f.text()
	}
	if f := l.find([]string{"seq"}, isWhole); f != nil {
		e.Seq, _ = strconv.ParseInt(f.text(), 10, 64)
	}
}

// time takes the first name under which a time can be read.
func (l *leveller) time(e *rules.Event) (why string) {
	if f := l.find(timeNames, func(v value) bool { _, ok := instant(v); return ok }); f != nil {
		e.At, _ = instant(*f)
		return ""
	}
	if f := l.find(timeNames, isNamed); f != nil {
		return fmt.Sprintf("at: is no time: %.40q", f.text())
	}
	return ""
}

// find looks for a suitable value by rank, then by name, and marks it as used.
func (l *leveller) find(names []string, suits func(value) bool) *value {
	for _, fields := range l.ranks {
		for _, name := range names {
			for i := range fields {
				if f := &fields[i]; string(f.name) == name && suits(f.value) {
					l.used = append(l.used, f)
					return &f.value
				}
			}
		}
	}
	return nil
}
