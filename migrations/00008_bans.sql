-- +goose Up

-- Who banned whom from awards, and why; members.banned_at is how it is now.
CREATE TABLE member_bans (
    id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    member_id bigint NOT NULL REFERENCES members ON DELETE CASCADE,
    at        timestamptz NOT NULL,
    banned    boolean NOT NULL,
    author    text NOT NULL,
    note      text NOT NULL
);
CREATE INDEX member_bans_member ON member_bans (member_id, id);
