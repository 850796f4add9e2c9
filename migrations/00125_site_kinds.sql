-- +goose Up

-- Sites on hosts of a kind, such as DMOJ: one reader for all, wherever an admin says that they are.

ALTER TABLE outside_sites
    ADD COLUMN kind  text NOT NULL DEFAULT '', -- Of which software it is, so that Laurel reads it; '': it is pushed.
    ADD COLUMN token bytea;                    -- What it is asked with, sealed; null for asking as anybody.
COMMENT ON TABLE outside_sites IS
    'Sites that admins declared. One with a kind is read at its home; the others are outside sites: their rows are pushed and '
    'their accounts paused for good.';

-- What a job is to find out of a host before it is stored.
CREATE TABLE site_checks (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind         text NOT NULL,
    name         text NOT NULL, -- As the site is to be called.
    home         text NOT NULL,
    token        bytea, -- Sealed; null for asking as anybody.
    requested_at timestamptz NOT NULL,
    leased_until timestamptz,
    answered_at  timestamptz,
    message      text NOT NULL DEFAULT '' -- What is wrong; '': the host answers as its kind does.
);
COMMENT ON TABLE site_checks IS 'Hosts that admins are about to add, and what jobs found there. Removed after a day.';
