-- +goose Up

-- What Laurel stores itself (submissions, ratings, days, messages, posts) is counted from its own
-- rows. An event about it only says which row changed; the ledger keeps what it contributes.

-- The zones in which members lived before: what came while they lived there stays on its day.
CREATE TABLE member_zones (
    member_id bigint NOT NULL REFERENCES members ON DELETE CASCADE,
    until     timestamptz NOT NULL,
    zone      text NOT NULL,
    PRIMARY KEY (member_id, until)
);
COMMENT ON TABLE member_zones IS 'The zones in which members lived before the one they live in.';

INSERT INTO member_zones (member_id, until, zone)
SELECT i.member_id, max(i.arrived_at) + interval '1 microsecond', i.zone
FROM items i
JOIN members m ON m.id = i.member_id AND m.time_zone <> i.zone
WHERE i.source IN ('messages', 'posts', 'ratings', 'submissions')
GROUP BY i.member_id, i.zone
ON CONFLICT DO NOTHING;

-- zone_at is the zone of a member at a moment: the one they live in now, unless they moved since.
CREATE FUNCTION zone_at(member_id bigint, zone text, at timestamptz) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE
RETURN coalesce(
    (
        SELECT z.zone
        FROM member_zones z
        WHERE z.member_id = zone_at.member_id AND z.until > zone_at.at
        ORDER BY z.until
        LIMIT 1
    ),
    zone
);

ALTER TABLE event_sources ADD COLUMN counted boolean NOT NULL DEFAULT true;
COMMENT ON COLUMN event_sources.counted IS 'Of a source of Laurel''s own: a running award may count it. Otherwise no event is written.';
UPDATE event_sources SET counted = EXISTS (SELECT FROM awards WHERE state IN ('active', 'paused'))
WHERE source IN ('days', 'messages', 'posts', 'ratings', 'submissions');

ALTER TABLE award_recounts ADD COLUMN behind bigint;
COMMENT ON COLUMN award_recounts.behind IS 'It begins when all transactions below this number have ended: they may not have told what they changed.';

ALTER TABLE ratings ADD COLUMN seen_at timestamptz;
COMMENT ON COLUMN ratings.seen_at IS 'When a change was last stored; null: unknown, before this was kept.';

-- Own rows as events. A name ending in _events has a row for each that counts; arrived_at is when
-- Laurel knew it, which decides whether it came in time.
DROP VIEW submissions_events;
CREATE VIEW submissions_events AS
SELECT
    s.id,
    s.account_id,
    s.site_id,
    s.member_id,
    m.name,
    zone_at(s.member_id, m.time_zone, s.first_seen_at) AS zone,
    s.site || '/' || s.site_id || '@' || s.account_id AS item,
    'submission' AS type,
    s.site || '/' || p.key AS object,
    CASE s.status WHEN 'AC' THEN 'active' WHEN 'PENDING' THEN 'moderation' ELSE 'rejected' END AS status,
    s.submitted_at AS at,
    greatest(s.first_seen_at, s.revised_at) AS arrived_at,
    json_build_object(
        'site', s.site,
        'language', s.language,
        'verdict', s.status,
        'points', s.points,
        'problem', nullif(p.name, ''),
        'difficulty', p.difficulty,
        'tags', nullif(p.tags, '{}'),
        'contest', c.key,
        'participation', coalesce(s.participation, 'unknown'),
        'url', s.url,
        'first_solve', s.status = 'AC' AND NOT EXISTS (
            SELECT
            FROM submissions o
            WHERE o.member_id = s.member_id
                AND o.problem_id = s.problem_id
                AND o.status = 'AC'
                AND (o.submitted_at, o.id) < (s.submitted_at, s.id)
        )
    ) AS facts
FROM submissions s
JOIN members m ON m.id = s.member_id AND NOT m.custom
JOIN problems p ON p.id = s.problem_id
LEFT JOIN contests c ON c.id = s.contest_id;

DROP VIEW ratings_events;
CREATE VIEW ratings_events AS
SELECT
    r.account_id,
    r.contest,
    a.member_id,
    m.name,
    zone_at(a.member_id, m.time_zone, coalesce(r.seen_at, r.rated_at)) AS zone,
    a.site || '/' || r.contest || '@' || a.id AS item,
    'rating' AS type,
    a.site || '/' || r.contest AS object,
    'active' AS status,
    r.rated_at AS at,
    coalesce(r.seen_at, r.rated_at) AS arrived_at,
    json_build_object(
        'site', a.site, 'contest', r.contest, 'name', r.name, 'rank', r.rank, 'rating', r.rating
    ) AS facts
FROM ratings r
JOIN accounts a ON a.id = r.account_id
JOIN members m ON m.id = a.member_id AND NOT m.custom;

-- A day's event is at its noon, whatever its length, and came with the last of its submissions. It
-- is a day of the zone in which the member lives now, as days are.
CREATE VIEW days_events AS
SELECT
    d.member_id,
    d.day,
    m.name,
    m.time_zone AS zone,
    d.day || '@' || d.member_id AS item,
    'day' AS type,
    CAST(d.day AS text) AS object,
    'active' AS status,
    (d.day + time '12:00') AT TIME ZONE m.time_zone AS at,
    coalesce(
        (
            SELECT max(s.first_seen_at)
            FROM submissions s
            WHERE s.member_id = d.member_id
                AND s.submitted_at >= CAST(d.day AS timestamp) AT TIME ZONE m.time_zone
                AND s.submitted_at < CAST(d.day + 1 AS timestamp) AT TIME ZONE m.time_zone
        ),
        (d.day + time '12:00') AT TIME ZONE m.time_zone
    ) AS arrived_at,
    json_build_object('submissions', d.submissions, 'accepted', d.accepted) AS facts
FROM days d
JOIN members m ON m.id = d.member_id AND NOT m.custom;

CREATE VIEW messages_events AS
SELECT
    m.serial,
    m.member_id,
    b.name,
    zone_at(m.member_id, b.time_zone, m.stored_at) AS zone,
    f.slug || '/' || m.serial AS item,
    'message' AS type,
    f.slug AS object,
    'active' AS status,
    least(m.sent_at, m.stored_at) AS at,
    m.stored_at AS arrived_at,
    json_build_object(
        'forum', f.slug, 'subject', m.subject, 'text', left(m.body, 2000), 'reply', m.in_reply_to <> '', 'url', m.url
    ) AS facts
FROM messages m
JOIN forums f ON f.id = m.forum_id
JOIN members b ON b.id = m.member_id AND NOT b.custom;

-- A post counts from when its numbers were first read.
CREATE VIEW posts_events AS
SELECT
    p.id,
    p.network,
    p.host,
    p.external_id,
    p.member_id,
    m.name,
    zone_at(p.member_id, m.time_zone, p.added_at) AS zone,
    p.network || '/' || p.host || '/' || p.external_id AS item,
    'post' AS type,
    p.network AS object,
    CASE p.state WHEN 'gone' THEN 'deleted' ELSE 'active' END AS status,
    p.created_at AS at,
    p.metrics_at AS arrived_at,
    json_build_object(
        'network', p.network,
        'likes', p.likes,
        'reposts', p.reposts,
        'replies', p.replies,
        'quotes', p.quotes,
        'bookmarks', p.bookmarks,
        'views', p.views,
        'repost', p.repost_of IS NOT NULL,
        'text', nullif(p.text, ''),
        'url', nullif(p.url, '')
    ) AS facts
FROM posts p
JOIN members m ON m.id = p.member_id AND NOT m.custom
WHERE p.metrics_at IS NOT NULL;

CREATE VIEW own_items AS
SELECT 'submissions' AS source, item, member_id, name, zone, type, object, status, at, arrived_at, facts FROM submissions_events
UNION ALL
SELECT 'ratings', item, member_id, name, zone, type, object, status, at, arrived_at, facts FROM ratings_events
UNION ALL
SELECT 'days', item, member_id, name, zone, type, object, status, at, arrived_at, facts FROM days_events
UNION ALL
SELECT 'messages', item, member_id, name, zone, type, object, status, at, arrived_at, facts FROM messages_events
UNION ALL
SELECT 'posts', item, member_id, name, zone, type, object, status, at, arrived_at, facts FROM posts_events;

-- The ledger of what is Laurel's own keeps what counts, without a body, and is compared with the rows by
-- a recount.
DELETE FROM items WHERE source IN ('days', 'messages', 'posts', 'ratings', 'submissions') AND contributions = '[]';
UPDATE items SET body = '', event_id = '', zone = '', seq = 0
WHERE source IN ('days', 'messages', 'posts', 'ratings', 'submissions');
INSERT INTO award_recounts (award_id, objectives, asked_at)
SELECT o.award_id, array_agg(o.id), max(o.created_at)
FROM objectives o
JOIN awards a ON a.id = o.award_id AND a.state IN ('active', 'paused')
WHERE o.retired_at IS NULL
GROUP BY o.award_id;
COMMENT ON COLUMN items.body IS 'The event as JSON; empty of Laurel''s own, whose rows are the events.';
