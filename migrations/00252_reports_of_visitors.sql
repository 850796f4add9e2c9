-- +goose Up

-- Visitors report, too.
ALTER TABLE reports ADD COLUMN visitor text;
COMMENT ON COLUMN reports.visitor IS
    'From which address somebody reported who did not sign in, until it is resolved, then empty; null: a member did.';
COMMENT ON TABLE reports IS 'Profiles and messages that members and visitors reported to the admins. Whom a report is about is not told.';

CREATE UNIQUE INDEX reports_visitor_member ON reports (visitor, member_id)
    WHERE resolved_at IS NULL AND visitor IS NOT NULL AND member_id IS NOT NULL;
CREATE UNIQUE INDEX reports_visitor_message ON reports (visitor, serial)
    WHERE resolved_at IS NULL AND visitor IS NOT NULL AND serial IS NOT NULL;
