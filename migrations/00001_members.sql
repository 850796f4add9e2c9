-- +goose Up
CREATE TABLE settings (
    key   text PRIMARY KEY,
    value text NOT NULL
);

-- A member is a person: registered (may sign in), or custom (without an account
-- of their own here, followed by owner_id).
CREATE TABLE members (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name          text NOT NULL CHECK (name ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$'),
    display_name  text NOT NULL,
    time_zone     text NOT NULL DEFAULT 'UTC',
    custom        boolean NOT NULL DEFAULT false,
    role          text NOT NULL DEFAULT 'member' CHECK (role IN ('member', 'admin')),
    owner_id      bigint REFERENCES members ON DELETE CASCADE,
    password_hash text NOT NULL DEFAULT '',
    requested_at  timestamptz, -- The newest press of the button.
    created_at    timestamptz NOT NULL,
    CHECK (NOT custom OR role = 'member')
);
CREATE UNIQUE INDEX members_name ON members (lower(name));
CREATE INDEX members_owner ON members (owner_id) WHERE owner_id IS NOT NULL;

CREATE TABLE sessions ( -- The shape that scs/pgxstore expects.
    token  text PRIMARY KEY, -- SHA-256 of the cookie's token.
    data   bytea NOT NULL,
    expiry timestamptz NOT NULL
);
CREATE INDEX sessions_expiry ON sessions (expiry);

CREATE TABLE tokens (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    member_id    bigint NOT NULL REFERENCES members ON DELETE CASCADE,
    hash         bytea NOT NULL UNIQUE, -- SHA-256 of the token.
    label        text NOT NULL,
    admin        boolean NOT NULL DEFAULT false,
    created_at   timestamptz NOT NULL
);
CREATE INDEX tokens_member ON tokens (member_id);

CREATE TABLE invitations (
    hash       bytea PRIMARY KEY, -- SHA-256 of the code in the link.
    member_id  bigint REFERENCES members ON DELETE CASCADE, -- Who may choose a password with it; null for somebody new.
    created_by bigint NOT NULL REFERENCES members ON DELETE CASCADE,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    used_by    bigint REFERENCES members ON DELETE SET NULL,
    used_at    timestamptz
);

-- A limit is a token bucket: key names who is limited at what.
CREATE TABLE limits (
    key     text PRIMARY KEY,
    tokens  double precision NOT NULL,
    seen_at timestamptz NOT NULL
);
CREATE INDEX limits_seen ON limits (seen_at);
