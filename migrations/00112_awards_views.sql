-- +goose Up

-- Awards: names that say what the tables hold, and what several statements share.

-- The queue of members whose award must be evaluated again.
ALTER TABLE award_dirty RENAME TO award_pending;

-- One row: the generation of the rules that count now.
ALTER TABLE award_scheme RENAME TO award_ruleset;

-- Awards as pages show them: the version that runs, or the newest one before any does. Who
-- is banned is shown nowhere, and not counted.
CREATE VIEW shown_awards AS
SELECT
    a.id, a.slug, a.state, a.version, a.latest, a.secret, a.created_at, a.activated_at,
    CAST(v.document AS text) AS document,
    v.document ->> 'title' AS title,
    h.holders
FROM awards a
JOIN award_versions v ON v.award_id = a.id AND v.number = CASE WHEN a.version > 0 THEN a.version ELSE a.latest END
CROSS JOIN LATERAL (
    SELECT count(DISTINCT g.member_id) AS holders
    FROM award_grants g
    JOIN members m ON m.id = g.member_id AND m.banned_at IS NULL AND NOT m.custom
    WHERE g.award_id = a.id AND g.revoked_at IS NULL
) h;

-- award_visible says whether a viewer may see an award (0 is a visitor): a secret one only
-- those who have it.
CREATE FUNCTION award_visible(award_id bigint, state text, secret boolean, viewer bigint) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN state IN ('active', 'paused', 'retired') AND (
    NOT secret
    OR EXISTS (
        SELECT FROM award_grants g
        WHERE g.award_id = award_visible.award_id AND g.member_id = viewer AND g.revoked_at IS NULL
    )
);

-- The members whom an award concerns in a period: they have counters or progress of it, or it.
CREATE VIEW award_members AS
SELECT o.award_id, c.member_id, c.period
FROM objective_counters c
JOIN objectives o ON o.id = c.objective_id AND o.retired_at IS NULL
UNION
SELECT award_id, member_id, period FROM user_awards
UNION
SELECT award_id, member_id, period FROM award_grants WHERE revoked_at IS NULL;

-- When a badge was lost, and why: by the first line of the log behind the one by which it was won.
CREATE VIEW badge_losses AS
SELECT b.id AS badge_id, l.at, l.reason
FROM badges b
CROSS JOIN LATERAL (
    SELECT g.at, g.reason
    FROM award_grant_log g
    WHERE g.grant_id = b.grant_id AND g.id > b.log_id AND g.what = 'revoked'
    ORDER BY g.id
    LIMIT 1
) l;

-- Counters that a statement is given by their keys.
-- +goose StatementBegin
CREATE FUNCTION given_counters(objectives bigint[], members bigint[], periods text[], statuses text[])
RETURNS TABLE (objective_id bigint, member_id bigint, period text, status text)
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT unnest(objectives), unnest(members), unnest(periods), unnest(statuses)
$$;
-- +goose StatementEnd
