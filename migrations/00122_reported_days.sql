-- +goose Up

-- What a site counts of an account by day, besides the rows that it lists. What is counted and
-- not listed is called undetailed.
CREATE TABLE reported_days (
    account_id  bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
    day         date NOT NULL, -- Of UTC.
    submissions integer NOT NULL,
    PRIMARY KEY (account_id, day)
);
COMMENT ON TABLE reported_days IS 'The newest count of each day. Days that the site no longer counts stay as they were.';

ALTER TABLE days ADD COLUMN undetailed integer NOT NULL DEFAULT 0;
COMMENT ON COLUMN days.undetailed IS 'Those of submissions that a site counts and does not list.';

ALTER TABLE member_stats
    ADD COLUMN undetailed_submissions integer NOT NULL DEFAULT 0,
    ADD COLUMN undetailed_solved      integer NOT NULL DEFAULT 0;
COMMENT ON COLUMN member_stats.undetailed_submissions IS 'Those of submissions that a site counts and does not list; undetailed_solved in the same way.';
