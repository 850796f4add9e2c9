-- Gives an account that was just created all that a removed one had, but when it is due. It
-- returns the submissions and the contests, as JSON.
WITH kept AS (SELECT kept, member_id, removed_at FROM removed_accounts WHERE id = @removed),
account AS (
    UPDATE accounts a
    SET site_key = k.site_key, former_handle = k.former_handle, renamed_at = k.renamed_at, created_at = k.created_at,
        pushed_at = k.pushed_at
    FROM kept, jsonb_populate_record(NULL::accounts, kept.kept->'account') k
    WHERE a.id = @id),
schedule AS (
    UPDATE account_schedule s
    SET state = k.state, delay = k.delay, usual_hour = k.usual_hour, outcome = k.outcome, message = k.message,
        last_attempt_at = k.last_attempt_at, last_retrieved_at = k.last_retrieved_at, audit_due_at = k.audit_due_at,
        audited_at = k.audited_at, audit_requests = k.audit_requests, audited_from = k.audited_from
    FROM kept, jsonb_populate_record(NULL::account_schedule, kept.kept->'schedule') k
    WHERE s.account_id = @id),
coverage AS (
    UPDATE account_coverage c
    SET covered_at = k.covered_at, covered_id = k.covered_id, cursor = k.cursor, complete_until = k.complete_until,
        missing = k.missing, missing_from = k.missing_from, missing_until = k.missing_until, open_at = k.open_at,
        ratings_at = k.ratings_at, profile_at = k.profile_at, reported_solved = k.reported_solved,
        reported_submissions = k.reported_submissions, left_solved = k.left_solved,
        left_submissions = k.left_submissions, unread = jsonb_array_length(coalesce(kept.kept->'unread', '[]'))
    FROM kept, jsonb_populate_record(NULL::account_coverage, kept.kept->'coverage') k
    WHERE c.account_id = @id),
rated AS (
    INSERT INTO ratings (account_id, contest, name, url, rank, rating, rated_at, seen_at)
    SELECT @id, r.contest, r.name, r.url, r.rank, r.rating, r.rated_at, r.seen_at
    FROM kept, jsonb_populate_recordset(NULL::ratings, kept.kept->'ratings') r
    RETURNING contest),
reported AS (
    INSERT INTO reported_days (account_id, day, submissions, seen_at, past)
    SELECT @id, r.day, r.submissions, coalesce(r.seen_at, kept.removed_at), r.past
    FROM kept, jsonb_populate_recordset(NULL::reported_days, coalesce(kept.kept->'days', '[]')) r),
unread AS (
    INSERT INTO unread_rows (account_id, key, text, why, since, first_seen_at, last_seen_at)
    SELECT @id, r.key, r.text, r.why, r.since, r.first_seen_at, r.last_seen_at
    FROM kept, jsonb_populate_recordset(NULL::unread_rows, coalesce(kept.kept->'unread', '[]')) r),
stored AS (
    INSERT INTO submissions (account_id, member_id, site, site_id, problem_id, status, verdict, language, points,
        submitted_at, to_minute, url, first_seen_at, revised_at, past, source, contest_id, participation, unlisted_at)
    SELECT @id, kept.member_id, r.site, r.site_id, r.problem_id, r.status, r.verdict, r.language, r.points,
        r.submitted_at, r.to_minute, r.url, r.first_seen_at, r.revised_at, r.past, r.source, r.contest_id,
        r.participation, r.unlisted_at
    FROM kept, jsonb_populate_recordset(NULL::submissions, kept.kept->'submissions') r
    RETURNING id)
SELECT coalesce((SELECT CAST(json_agg(id) AS text) FROM stored), '') AS submissions,
    coalesce((SELECT CAST(json_agg(contest) AS text) FROM rated), '') AS contests
