package accounts

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
)

// checkZones notes the time zones that Go or PostgreSQL do not know:
// CheckTimeZone for a whole file, in one statement.
func (f *importFile) checkZones(ctx context.Context, db *gorm.DB) error {
	zones := []string{}
	for _, l := range f.lines {
		zones = append(zones, l.TimeZone)
	}
	slices.Sort(zones)
	text, err := json.Marshal(slices.Compact(zones))
	if err != nil {
		return err
	}
	var unknown []string
	err = db.WithContext(ctx).Raw(`SELECT zone FROM jsonb_array_elements_text(CAST(@zones AS jsonb)) AS zone
		WHERE zone NOT IN (SELECT name FROM pg_timezone_names)`,
		pg.Named("zones", string(text))).Scan(&unknown).Error
	if err != nil {
		return fmt.Errorf("check time zones: %w", err)
	}
	for _, l := range f.lines {
		if !members.LoadsZone(l.TimeZone) || slices.Contains(unknown, l.TimeZone) {
			f.check(l.Line, members.BadZone())
		}
	}
	return nil
}

// checkKnown locks the members who are here already, in the order of their ids,
// and notes where the file takes one kind of member for the other.
func (f *importFile) checkKnown(ctx context.Context, tx *gorm.DB) error {
	names := []string{}
	for _, l := range f.lines {
		names = append(names, strings.ToLower(l.Name))
	}
	text, err := json.Marshal(names)
	if err != nil {
		return err
	}
	var people []members.Member
	err = tx.WithContext(ctx).Raw(`
		SELECT id, name, custom FROM members WHERE lower(name) IN (SELECT jsonb_array_elements_text(CAST(@names AS jsonb)))
		ORDER BY id FOR NO KEY UPDATE`, pg.Named("names", string(text))).Scan(&people).Error
	if err != nil {
		return fmt.Errorf("known members: %w", err)
	}
	custom := map[string]bool{}
	for _, m := range people {
		custom[strings.ToLower(m.Name)] = m.Custom
	}
	for _, l := range f.lines {
		is, known := custom[strings.ToLower(l.Name)]
		switch {
		case !known || l.Custom == nil || is == *l.Custom:
		case is:
			f.wrong(l.Line, "custom", "%s is a custom member already, and this line says it is none", l.Name)
		default:
			f.wrong(l.Line, "custom", "%s is a registered member already, and this line says it is a custom one", l.Name)
		}
	}
	return nil
}
