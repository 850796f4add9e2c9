-- +goose Up

-- What a submission was before it was revised, oldest first: [{"until": ..., "status": ..., ...}].
ALTER TABLE submissions ADD COLUMN past jsonb;

-- A member's looks are found by the one for whom they were made.
CREATE INDEX archive_pages_viewer ON archive_pages (viewer);

-- What each check of the archive found.
CREATE TABLE archive_checks (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    started_at  timestamptz NOT NULL,
    took        double precision NOT NULL, -- Seconds.
    shards      integer NOT NULL,
    rows        bigint NOT NULL,
    retrievals  bigint NOT NULL,
    findings    jsonb NOT NULL -- [{"shard", "kind", "message"}]; none is the proof.
);

-- When the page of an account that tells more than its submissions was last read.
ALTER TABLE accounts ADD COLUMN profile_at timestamptz;

-- Rated contests of an account.
CREATE TABLE shard_account_contest (
    "site" text NOT NULL,
    "handle" text NOT NULL,
    "contest" text NOT NULL,
    "name" text,
    "url" text,
    "rank" bigint,
    "rating" bigint,
    "rated_at" timestamptz,
    _from timestamptz NOT NULL,
    _until timestamptz,
    _reason text,
    _seen bigint[] NOT NULL,
    _aside bigint,
    CHECK (_from < _until)
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX shard_account_contest_key_open ON shard_account_contest ("site", "handle", "contest") WHERE _until IS NULL;
CREATE UNIQUE INDEX shard_account_contest_key_past ON shard_account_contest ("site", "handle", "contest", _from) WHERE _until IS NOT NULL;

-- Submissions of an account.
CREATE TABLE shard_account_totals (
    "member" text NOT NULL,
    "site" text NOT NULL,
    "handle" text,
    "submissions" bigint,
    "accepted" bigint,
    "solved" bigint,
    "statuses" jsonb,
    _from timestamptz NOT NULL,
    _until timestamptz,
    _reason text,
    _seen bigint[] NOT NULL,
    _aside bigint,
    CHECK (_from < _until)
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX shard_account_totals_key_open ON shard_account_totals ("member", "site") WHERE _until IS NULL;
CREATE UNIQUE INDEX shard_account_totals_key_past ON shard_account_totals ("member", "site", _from) WHERE _until IS NOT NULL;

-- Name and time zone of a member.
CREATE TABLE shard_member_person (
    "member" text NOT NULL,
    "display_name" text,
    "time_zone" text,
    _from timestamptz NOT NULL,
    _until timestamptz,
    _reason text,
    _seen bigint[] NOT NULL,
    _aside bigint,
    CHECK (_from < _until)
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX shard_member_person_key_open ON shard_member_person ("member") WHERE _until IS NULL;
CREATE UNIQUE INDEX shard_member_person_key_past ON shard_member_person ("member", _from) WHERE _until IS NOT NULL;

-- Streaks of a member.
CREATE TABLE shard_member_streaks (
    "member" text NOT NULL,
    "day_streak" bigint,
    "best_day_streak" bigint,
    "last_day" text,
    "accepted_streak" bigint,
    "best_accepted_streak" bigint,
    "newest_at" timestamptz,
    _from timestamptz NOT NULL,
    _until timestamptz,
    _reason text,
    _seen bigint[] NOT NULL,
    _aside bigint,
    CHECK (_from < _until)
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX shard_member_streaks_key_open ON shard_member_streaks ("member") WHERE _until IS NULL;
CREATE UNIQUE INDEX shard_member_streaks_key_past ON shard_member_streaks ("member", _from) WHERE _until IS NOT NULL;
