-- +goose Up

-- The handle before the site gave the account a new one, and when that was seen.
ALTER TABLE accounts ADD COLUMN former_handle text NOT NULL DEFAULT '';
ALTER TABLE accounts ADD COLUMN renamed_at timestamptz;

-- Members hear of it. words: what a notice says that is of neither an award nor an alarm.
ALTER TABLE notices ADD COLUMN words text NOT NULL DEFAULT '';
ALTER TABLE notices DROP CONSTRAINT notices_kind_check;
ALTER TABLE notices ADD CONSTRAINT notices_kind_check CHECK (kind IN ('granted', 'older', 'revoked', 'near', 'new', 'site', 'renamed'));
ALTER TABLE notices DROP CONSTRAINT notices_about_check;
ALTER TABLE notices ADD CONSTRAINT notices_about_check CHECK ((kind = 'site') = (alarm_id IS NOT NULL) AND (kind IN ('site', 'renamed')) = (award_id IS NULL) AND (kind = 'renamed') = (words <> ''));
