-- +goose Up

-- What admins do with members: find, suspend, sign out.

-- Who suspended whom, or lifted it, and why. members.suspended_at is the present state.
CREATE TABLE member_suspensions (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    member_id  bigint NOT NULL REFERENCES members ON DELETE CASCADE,
    at         timestamptz NOT NULL,
    suspended  boolean NOT NULL,
    author     text NOT NULL,
    note       text NOT NULL,
    seen_by    text NOT NULL,
    off_boards boolean NOT NULL
);
CREATE INDEX member_suspensions_member ON member_suspensions (member_id, id);
COMMENT ON TABLE member_suspensions IS 'Who suspended whom, or lifted it.';
COMMENT ON COLUMN member_suspensions.suspended IS 'False: it was lifted.';
COMMENT ON COLUMN member_suspensions.author IS 'The admin''s name.';
COMMENT ON COLUMN member_suspensions.seen_by IS 'What members.seen_by was before: it is that again when the suspension is lifted.';
COMMENT ON COLUMN member_suspensions.off_boards IS 'Likewise.';

ALTER TABLE members ADD COLUMN suspended_at timestamptz;
COMMENT ON COLUMN members.suspended_at IS 'Cannot sign in since then, and is seen by admins alone; null: is not suspended.';
CREATE INDEX members_suspended ON members (lower(name)) WHERE suspended_at IS NOT NULL;

-- Admins find members by the beginnings of words of their names, without an extension that not every server has.
-- +goose StatementBegin
CREATE FUNCTION name_words(name text, display_name text) RETURNS tsvector
IMMUTABLE PARALLEL SAFE LANGUAGE sql AS $$
    SELECT to_tsvector('simple', translate(name || ' ' || display_name, '._-@/', '     '))
$$;
-- +goose StatementEnd
COMMENT ON FUNCTION name_words(text, text) IS 'The words of a member''s names, as members_words has them.';
CREATE INDEX members_words ON members USING gin (name_words(name, display_name));

-- Whose a session is, and where. Sessions from before are over: nobody could say whose they are.
DELETE FROM sessions;
CREATE TABLE member_sessions (
    token      text PRIMARY KEY REFERENCES sessions ON DELETE CASCADE,
    member_id  bigint NOT NULL REFERENCES members ON DELETE CASCADE,
    device     text NOT NULL,
    started_at timestamptz NOT NULL,
    seen_at    timestamptz NOT NULL
);
CREATE INDEX member_sessions_member ON member_sessions (member_id, seen_at DESC);
COMMENT ON TABLE member_sessions IS 'Where members are signed in.';
COMMENT ON COLUMN member_sessions.device IS 'The browser and its system, as the browser calls them.';
COMMENT ON COLUMN member_sessions.seen_at IS 'When a page was last asked for, to a quarter of an hour.';

ALTER TABLE invitations ADD COLUMN guest text NOT NULL DEFAULT '';
COMMENT ON COLUMN invitations.guest IS 'Whom an invitation is for, in the words of who made it.';
