-- +goose Up

-- Events about people who are not known yet. They wait for a member of that name whom an admin makes or
-- confirms, never for whoever signs up under it.
CREATE TABLE event_waiting (
    id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    member    text NOT NULL, -- The name, in small letters.
    source    text NOT NULL,
    event_id  text NOT NULL,
    stored_at timestamptz NOT NULL,
    body      text NOT NULL, -- The event as JSON.
    UNIQUE (source, event_id)
);
CREATE INDEX event_waiting_member ON event_waiting (member, id);
COMMENT ON TABLE event_waiting IS 'Events about people who are not known yet: for 30 days, and a bounded number.';

ALTER TABLE members ADD COLUMN admits boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN members.admits IS 'An admin made or confirmed the member: what waited for the name is to be taken in.';
CREATE INDEX members_admits ON members (id) WHERE admits;
