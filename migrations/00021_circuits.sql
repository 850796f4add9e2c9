-- +goose Up

-- Whether a site is asked at all, for all processes together. No row: closed,
-- and nothing was ever amiss.
CREATE TABLE site_circuits (
    site          text PRIMARY KEY,
    state         text NOT NULL DEFAULT 'closed' CHECK (state IN ('closed', 'open', 'half_open')),
    suspects      integer NOT NULL DEFAULT 0, -- Rows of site_suspects.
    opened_at     timestamptz,
    answered_at   timestamptz, -- The last complete answer before it opened; null if never.
    outcome       text NOT NULL DEFAULT '', -- Of the newest failure.
    message       text NOT NULL DEFAULT '',
    tries         integer NOT NULL DEFAULT 0, -- Trials that failed in a row.
    next_try_at   timestamptz,
    trial_account bigint, -- Half open: who is tried.
    trial_until   timestamptz,
    paused_at     timestamptz, -- The kill switch; null: not paused.
    paused_by     text NOT NULL DEFAULT '',
    paused_reason text NOT NULL DEFAULT ''
);

-- Handles whose look failed since the site's last good answer, and what they were
-- before: a failure that turns out to be the site's is not held against them.
CREATE TABLE site_suspects (
    site          text NOT NULL,
    handle        text NOT NULL,
    account_id    bigint NOT NULL DEFAULT 0, -- 0: a canary.
    times         integer NOT NULL DEFAULT 1,
    at            timestamptz NOT NULL, -- The newest of them.
    outcome       text NOT NULL,
    emptied       boolean NOT NULL DEFAULT false, -- Its list lacked what it had shown before.
    state         text NOT NULL DEFAULT '',
    failures      integer NOT NULL DEFAULT 0,
    failing_since timestamptz,
    not_found     integer NOT NULL DEFAULT 0,
    due_at        timestamptz,
    PRIMARY KEY (site, account_id, handle)
);

-- What is amiss with a site: one row from when it began until it ended.
CREATE TABLE site_alarms (
    id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    site      text NOT NULL,
    kind      text NOT NULL CHECK (kind IN ('circuit', 'emptied', 'verdict', 'language', 'unreadable', 'canary')),
    subject   text NOT NULL DEFAULT '', -- A handle, a verdict, a language.
    message   text NOT NULL,
    times     integer NOT NULL DEFAULT 1,
    opened_at timestamptz NOT NULL,
    last_at   timestamptz NOT NULL,
    closed_at timestamptz
);
CREATE UNIQUE INDEX site_alarms_open ON site_alarms (site, kind, subject) WHERE closed_at IS NULL;
CREATE INDEX site_alarms_closed ON site_alarms (closed_at) WHERE closed_at IS NOT NULL;

-- Words of a site that the program has no word of its own for: verdicts stored as
-- OTH, and all languages. known: nobody is alarmed, and nothing is counted.
CREATE TABLE site_words (
    site     text NOT NULL,
    kind     text NOT NULL CHECK (kind IN ('verdict', 'language')),
    word     text NOT NULL,
    known    boolean NOT NULL DEFAULT false,
    times    bigint NOT NULL DEFAULT 0,
    first_at timestamptz NOT NULL,
    last_at  timestamptz NOT NULL,
    handle   text NOT NULL DEFAULT '', -- Who had it first.
    PRIMARY KEY (site, kind, word)
);

-- Handles whose history is known, read daily and compared.
CREATE TABLE site_canaries (
    site         text NOT NULL,
    handle       text NOT NULL,
    least        integer NOT NULL DEFAULT 1, -- Submissions that it has at least.
    earliest_at  timestamptz, -- Of its oldest submission; null: not known.
    known        jsonb NOT NULL DEFAULT '[]', -- [{id, at, status}]: what does not change.
    created_at   timestamptz NOT NULL,
    due_at       timestamptz NOT NULL,
    lease_id     text NOT NULL DEFAULT '',
    leased_until timestamptz,
    checked_at   timestamptz, -- The newest look that ended.
    outcome      text NOT NULL DEFAULT '',
    message      text NOT NULL DEFAULT '', -- What is other than known.
    seen         integer NOT NULL DEFAULT 0, -- Submissions at the last complete look.
    PRIMARY KEY (site, handle)
);
CREATE INDEX site_canaries_due ON site_canaries (site, due_at);

-- Admins hear of alarms, once of each.
ALTER TABLE notices ALTER COLUMN award_id DROP NOT NULL;
ALTER TABLE notices ADD COLUMN alarm_id bigint REFERENCES site_alarms ON DELETE CASCADE;
ALTER TABLE notices DROP CONSTRAINT notices_kind_check;
ALTER TABLE notices ADD CONSTRAINT notices_kind_check CHECK (kind IN ('granted', 'older', 'revoked', 'near', 'new', 'site'));
ALTER TABLE notices ADD CONSTRAINT notices_about_check CHECK ((kind = 'site') = (alarm_id IS NOT NULL) AND (kind = 'site') = (award_id IS NULL));
CREATE UNIQUE INDEX notices_alarm ON notices (alarm_id, member_id) WHERE alarm_id IS NOT NULL;
