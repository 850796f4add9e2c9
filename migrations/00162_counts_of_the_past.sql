-- +goose Up

-- Profiles in the past show what a site counted then, too.

-- What days were before, as submissions have it: see submission_at.
ALTER TABLE reported_days ADD COLUMN seen_at timestamptz, ADD COLUMN past jsonb;
UPDATE reported_days r
SET seen_at = coalesce(s.last_retrieved_at, s.last_attempt_at, a.created_at)
FROM account_schedule s JOIN accounts a ON a.id = s.account_id
WHERE s.account_id = r.account_id;
ALTER TABLE reported_days ALTER COLUMN seen_at SET NOT NULL;
COMMENT ON COLUMN reported_days.seen_at IS 'When the day was first counted.';
COMMENT ON COLUMN reported_days.past IS 'Earlier counts: [{"until", "submissions"}].';
COMMENT ON TABLE reported_days IS 'The newest count of each day; 0 where the site counts none any more.';

-- What a site counts of a member's account and does not list.
CREATE TABLE shard_account_undetailed (
    member      text NOT NULL,
    site        text NOT NULL,
    submissions bigint,
    solved      bigint,
    _from timestamptz NOT NULL, _seen bigint[] NOT NULL, _aside bigint
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX shard_account_undetailed_key_open ON shard_account_undetailed (member, site);
CREATE TABLE shard__past_account_undetailed (
    member      text NOT NULL,
    site        text NOT NULL,
    submissions bigint,
    solved      bigint,
    _from timestamptz NOT NULL, _until timestamptz NOT NULL, _reason text NOT NULL,
    _seen bigint[] NOT NULL, _aside bigint, _goes_on boolean NOT NULL,
    CHECK (_from < _until)
);
CREATE UNIQUE INDEX shard__past_account_undetailed_key ON shard__past_account_undetailed (member, site, _from);
