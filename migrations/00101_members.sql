-- +goose Up

-- Members: who they are, how they sign in, what they may do.

-- Choices of the admins that hold for the whole installation.
CREATE TABLE settings (
    key   text PRIMARY KEY,
    value text NOT NULL
);

-- A member is a person: registered (may sign in), or custom (somebody without an
-- account here whom owner_id follows).
CREATE TABLE members (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name          text NOT NULL CHECK (name ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$'), -- Unique in any case; part of addresses.
    display_name  text NOT NULL,
    time_zone     text NOT NULL DEFAULT 'UTC', -- IANA name; the member's days are days of this zone.
    custom        boolean NOT NULL DEFAULT false,
    role          text NOT NULL DEFAULT 'member' CHECK (role IN ('member', 'admin')),
    owner_id      bigint REFERENCES members ON DELETE CASCADE, -- Of a custom member: who follows it.
    password_hash text NOT NULL DEFAULT '', -- Argon2id; '' cannot sign in.
    requested_at  timestamptz, -- When the member last asked for a retrieval of all accounts.
    created_at    timestamptz NOT NULL,
    banned_at     timestamptz, -- Earns no awards and is not shown with any since then; counting goes on.
    CHECK (NOT custom OR role = 'member')
);
CREATE UNIQUE INDEX members_name ON members (lower(name));
CREATE INDEX members_owner ON members (owner_id) WHERE owner_id IS NOT NULL;

-- Who banned whom from awards, or lifted the ban, and why. members.banned_at is the present state.
CREATE TABLE member_bans (
    id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    member_id bigint NOT NULL REFERENCES members ON DELETE CASCADE,
    at        timestamptz NOT NULL,
    banned    boolean NOT NULL, -- False: the ban was lifted.
    author    text NOT NULL, -- The admin's name.
    note      text NOT NULL
);
CREATE INDEX member_bans_member ON member_bans (member_id, id);

-- Browser sessions, in the shape that scs/pgxstore expects.
CREATE TABLE sessions (
    token  text PRIMARY KEY, -- SHA-256 of the cookie's token.
    data   bytea NOT NULL,
    expiry timestamptz NOT NULL
);
CREATE INDEX sessions_expiry ON sessions (expiry);

-- API tokens of members.
CREATE TABLE tokens (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    member_id  bigint NOT NULL REFERENCES members ON DELETE CASCADE,
    hash       bytea NOT NULL UNIQUE, -- SHA-256 of the token.
    label      text NOT NULL, -- The member's name for it.
    admin      boolean NOT NULL DEFAULT false, -- May do what its member may do as an admin.
    created_at timestamptz NOT NULL
);
CREATE INDEX tokens_member ON tokens (member_id);

-- Links that let somebody register or choose a new password.
CREATE TABLE invitations (
    hash       bytea PRIMARY KEY, -- SHA-256 of the code in the link.
    member_id  bigint REFERENCES members ON DELETE CASCADE, -- Who may choose a password with it; null: somebody new.
    created_by bigint NOT NULL REFERENCES members ON DELETE CASCADE,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    used_by    bigint REFERENCES members ON DELETE SET NULL,
    used_at    timestamptz
);

-- Rate limits of visitors and members: token buckets.
CREATE TABLE limits (
    key     text PRIMARY KEY, -- Who is limited, and in what.
    tokens  double precision NOT NULL, -- In the bucket at seen_at.
    seen_at timestamptz NOT NULL
);
CREATE INDEX limits_seen ON limits (seen_at);
