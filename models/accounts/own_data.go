package accounts

import (
	"archive/zip"
	"bufio"
	"context"
	"database/sql"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
)

// ownDataLimit is how often a member may take all their data along: it reads every table.
var ownDataLimit = pg.Limit{Burst: 3, Per: 24 * time.Hour}

// AllowOwnData says whether a member may export their data now, and counts it.
func AllowOwnData(ctx context.Context, db *gorm.DB, m *members.Member, now time.Time) error {
	return ownDataLimit.Take(ctx, db, fmt.Sprint("own data:", m.ID), "exports of your data", now)
}

// OwnData writes all that is stored about a member as a ZIP file, as it was at one moment: each table as
// JSON lines, and as CSV what people open in a spreadsheet. Secrets are left out. Rows are streamed:
// memory does not grow with them.
func OwnData(ctx context.Context, db *gorm.DB, m *members.Member, w io.Writer, now time.Time) error {
	out := zip.NewWriter(w)
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		// Who reads it may be slow.
		if err := tx.Exec(`SET LOCAL idle_in_transaction_session_timeout = 0`).Error; err != nil {
			return err
		}
		archived, err := ownArchived(ctx, tx)
		if err != nil {
			return fmt.Errorf("tables of the archive: %w", err)
		}
		o := &ownData{tx: tx.WithContext(ctx), zip: out, args: pg.Named("member", m.ID, "name", m.Name), now: now}
		if err := o.readMe(m); err != nil {
			return err
		}
		if err := o.sheets(m); err != nil {
			return err
		}
		for _, e := range append(ownTables[:len(ownTables):len(ownTables)], archived...) {
			if err := o.lines(e); err != nil {
				return fmt.Errorf("%s: %w", e.table, err)
			}
		}
		return nil
	}, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return fmt.Errorf("data of %s: %w", m.Name, err)
	}
	return out.Close()
}

// An ownData is a ZIP file that is being written.
type ownData struct {
	tx   *gorm.DB
	zip  *zip.Writer
	args map[string]any
	now  time.Time
}

func (o *ownData) file(name string) (io.Writer, error) {
	return o.zip.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: o.now.UTC()})
}

func (o *ownData) readMe(m *members.Member) error {
	w, err := o.file("README.txt")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "All that is stored about %s, on %s.\n\n"+
		"*.csv        submissions, ratings and days, for a spreadsheet; times are in UTC\n"+
		"data/*.jsonl every table with rows about you, a JSON object a line\n\n"+
		"Passwords, tokens and keys are left out: they are stored so that nobody can read them.\n",
		m.Name, o.now.UTC().Format(time.RFC3339))
	return err
}

// lines writes the member's rows of a table.
func (o *ownData) lines(e exported) error {
	w, err := o.file("data/" + e.table + ".jsonl")
	if err != nil {
		return err
	}
	buffered := bufio.NewWriter(w)
	if err := e.write(o.tx, buffered, o.args); err != nil {
		return err
	}
	return buffered.Flush()
}

// sheets writes what people open in a spreadsheet.
func (o *ownData) sheets(m *members.Member) error {
	return errors.Join(
		o.sheet("submissions.csv", o.tx.Raw(queries.Must("own_submissions"), pg.Named("member", m.ID))),
		o.sheet("ratings.csv", o.tx.Raw(queries.Must("own_ratings"), pg.Named("member", m.ID))),
		o.sheet("days.csv", o.tx.Raw(`SELECT day, submissions, accepted, undetailed FROM days WHERE member_id = @member ORDER BY day`,
			pg.Named("member", m.ID))))
}

func (o *ownData) sheet(name string, query *gorm.DB) error {
	w, err := o.file(name)
	if err != nil {
		return err
	}
	rows, err := query.Rows()
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	names, err := rows.Columns()
	if err != nil {
		return err
	}
	out := csv.NewWriter(w)
	cells, into := make([]sql.NullString, len(names)), make([]any, len(names))
	for i := range cells {
		into[i] = &cells[i]
	}
	record := names
	for {
		if err := out.Write(record); err != nil {
			return err
		}
		if !rows.Next() {
			break
		}
		if err := rows.Scan(into...); err != nil {
			return err
		}
		record = make([]string, len(cells))
		for i := range cells {
			record[i] = plainCell(cells[i].String)
		}
	}
	out.Flush()
	return rows.Err()
}

// plainCell puts a ' before what a spreadsheet would run as a formula.
func plainCell(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}

// ownArchived are the tables of the archive with rows about members.
func ownArchived(ctx context.Context, tx *gorm.DB) (tables []exported, err error) {
	all, err := archiveTables(ctx, tx)
	if err != nil {
		return nil, err
	}
	columns, err := columnsOf(ctx, tx)
	for _, e := range all {
		if where := ownArchive(columns[e.table]); where != "" {
			e.where = where
			tables = append(tables, e)
		}
	}
	return tables, err
}

// columnsOf are the columns of the database's tables.
func columnsOf(ctx context.Context, tx *gorm.DB) (map[string][]string, error) {
	var rows []struct{ TableName, ColumnName string }
	err := tx.WithContext(ctx).Raw(`SELECT c.table_name, c.column_name FROM information_schema.columns c
		JOIN information_schema.tables t USING (table_schema, table_name)
		WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE'`).Scan(&rows).Error
	columns := map[string][]string{}
	for _, r := range rows {
		columns[r.TableName] = append(columns[r.TableName], r.ColumnName)
	}
	return columns, err
}
