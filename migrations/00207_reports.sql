-- +goose Up

CREATE TABLE reports (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    reporter_id bigint REFERENCES members ON DELETE SET NULL,
    member_id   bigint REFERENCES members ON DELETE CASCADE,
    serial      bigint REFERENCES messages ON DELETE CASCADE,
    text        text NOT NULL,
    at          timestamptz NOT NULL,
    resolved_at timestamptz,
    resolved_by text NOT NULL DEFAULT '',
    note        text NOT NULL DEFAULT '',
    CHECK ((member_id IS NULL) <> (serial IS NULL))
);
CREATE INDEX reports_open ON reports (id) WHERE resolved_at IS NULL;
CREATE UNIQUE INDEX reports_member ON reports (member_id, reporter_id) WHERE resolved_at IS NULL AND member_id IS NOT NULL;
CREATE UNIQUE INDEX reports_message ON reports (serial, reporter_id) WHERE resolved_at IS NULL AND serial IS NOT NULL;
CREATE INDEX reports_reporter ON reports (reporter_id);
COMMENT ON TABLE reports IS 'Profiles and messages that members reported to the admins. Whom a report is about is not told.';
COMMENT ON COLUMN reports.reporter_id IS 'Null: their account is deleted.';
COMMENT ON COLUMN reports.member_id IS 'Whose profile was reported; null: a message was.';
COMMENT ON COLUMN reports.serial IS 'The message; null: a profile was reported.';
COMMENT ON COLUMN reports.note IS 'What was done, by the admin resolved_by, for other admins.';
