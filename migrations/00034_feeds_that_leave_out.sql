-- +goose Up

-- A site may have several jobs that are about everybody: a list of what all submit, rounds that
-- have ended, questions about many accounts. Each has a row of its own.
ALTER TABLE site_feeds ADD COLUMN kind text NOT NULL DEFAULT 'feed' CHECK (kind IN ('feed', 'rounds', 'probe'));
UPDATE site_feeds SET kind = 'rounds' WHERE site = 'codeforces';
UPDATE site_feeds SET kind = 'probe' WHERE site = 'leetcode';
ALTER TABLE site_feeds
    ADD COLUMN hole_since timestamptz, -- Where coverage began that ended with the last hole.
    ADD COLUMN hole_asked boolean NOT NULL DEFAULT false; -- Whoever may have been there in it was asked about.
ALTER TABLE site_feeds DROP CONSTRAINT site_feeds_pkey, ADD PRIMARY KEY (site, kind);

-- A list of what all submit may leave some of it out, such as Codeforces' gym.
ALTER TABLE accounts
    ADD COLUMN fed_until timestamptz, -- What is in the list is here until then, also where the account is complete until later; null: it was never read.
    ADD COLUMN unlisted_at timestamptz; -- When the newest submission was made that the list leaves out; null: none is known.
UPDATE accounts a SET unlisted_at = s.at
FROM (SELECT account_id, max(submitted_at) AS at FROM submissions
    WHERE site = 'codeforces' AND (url = '' OR url LIKE '%/gym/%' OR url LIKE '%/acmsguru/%') GROUP BY account_id) s
WHERE a.id = s.account_id;
