-- +goose Up

-- Awards are checked slice by slice, each a short transaction; a run of all goes on where it was stopped.
ALTER TABLE award_checks DROP COLUMN slice;
ALTER TABLE award_checks
    ADD COLUMN kind        text NOT NULL DEFAULT 'night' CHECK (kind IN ('all', 'night')),
    ADD COLUMN last_member bigint NOT NULL DEFAULT 0,
    ADD COLUMN busy        integer NOT NULL DEFAULT 0;
COMMENT ON COLUMN award_checks.kind IS 'all: by hand; night: of whom something had changed, and a slice of all.';
COMMENT ON COLUMN award_checks.last_member IS 'All members up to this one are checked.';
COMMENT ON COLUMN award_checks.busy IS 'Members who were left out: changes of theirs waited to be counted.';
DELETE FROM settings WHERE key = 'awards checked';

-- Who changed since a night is found without reading the whole log.
CREATE INDEX award_log_at ON award_log USING brin (at);
CREATE INDEX award_grant_log_at ON award_grant_log USING brin (at);
