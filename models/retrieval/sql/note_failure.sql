-- Notes a handle's failure, which counts against its site. What its account was before is stored with
-- the first failure only.
INSERT INTO site_suspects AS s (site, handle, account_id, at, outcome, emptied, state, failures, failing_since,
    not_found)
VALUES (@site, @handle, @account, @now, @outcome, @emptied, @state, @failures, @since, @not_found)
ON CONFLICT (site, account_id, handle) DO UPDATE
SET times = s.times + 1, at = EXCLUDED.at, outcome = EXCLUDED.outcome, emptied = s.emptied OR EXCLUDED.emptied
RETURNING state, failures, failing_since, not_found
