-- +goose Up

-- Discussions, notices and posts: plain names for columns, and views and functions for what
-- several statements share.

-- Discussions.

ALTER TABLE forums RENAME COLUMN looked_at TO covered_at; -- The last run that reached covered ground.
ALTER TABLE forum_periods RENAME COLUMN place TO position;
ALTER TABLE forum_looks RENAME TO forum_inspections;
ALTER TABLE forum_inspections RENAME COLUMN asked_by TO requested_by;
ALTER TABLE forum_inspections RENAME COLUMN asked_at TO requested_at;
ALTER INDEX forum_looks_pkey RENAME TO forum_inspections_pkey;
ALTER INDEX forum_looks_open RENAME TO forum_inspections_open;

-- forum_period_owed tells whether something of a period is missing that is to be asked for
-- now: what could not be had is left alone for a while.
-- +goose StatementBegin
CREATE FUNCTION forum_period_owed(p forum_periods, at timestamptz) RETURNS boolean STABLE PARALLEL SAFE LANGUAGE sql AS $$
    SELECT p.stored < p.listed
        AND coalesce((SELECT min(g.due_at) <= at FROM forum_gaps g WHERE g.forum_id = p.forum_id AND g.period = p.period), true)
$$;
-- +goose StatementEnd

-- forum_period_due tells whether a period, which stands at a position in the index, is to be
-- read although its label is the same: the three newest are read once a day, for they get
-- late mails that a label in KB does not show, and every one once in 30 days.
-- +goose StatementBegin
CREATE FUNCTION forum_period_due(p forum_periods, at_position integer, at timestamptz) RETURNS boolean
STABLE PARALLEL SAFE LANGUAGE sql AS $$
    SELECT p.checked_at IS NULL
        OR p.state = 'open'
        OR forum_period_owed(p, at)
        OR p.state = 'closed' AND at_position <= 2 AND p.checked_at <= at - interval '1 day'
        OR p.checked_at <= at - interval '30 days'
$$;
-- +goose StatementEnd

-- Discussions as pages list them, with who wrote the first known message.
CREATE VIEW forum_thread_list AS
    SELECT
        t.id, t.forum_id, t.head, t.messages, t.people, t.first_at, t.last_at, m.subject, m.author,
        coalesce(b.name, '') AS member
    FROM forum_threads t
    JOIN messages m ON m.serial = t.head
    LEFT JOIN members b ON b.id = m.member_id;

-- Messages as pages list them, with what they talk about as JSON.
CREATE VIEW message_list AS
    SELECT
        m.serial, m.forum_id, f.slug AS forum, f.name AS forum_name, m.url, m.message_id, m.in_reply_to, m.thread,
        m.thread_id, m.period, m.number, m.author, m.address, m.member_id,
        coalesce(b.name, '') AS member, m.subject, m.sent_at, m.sent_shown, m.approximate, m.placed_at, m.body, m.compared,
        CASE WHEN b.id IS NULL THEN '' ELSE m.selectand END AS selectand, m.stored_at, m.words,
        (
            SELECT coalesce(json_agg(json_build_object('kind', r.kind, 'key', r.key, 'url', r.url) ORDER BY r.kind, r.key), '[]')
            FROM (
                SELECT DISTINCT ON (t.kind, t.key) t.kind, t.key, t.url
                FROM message_things t
                WHERE t.serial = m.serial
                ORDER BY t.kind, t.key, t.url
            ) r
        ) AS refs
    FROM messages m
    JOIN forums f ON f.id = m.forum_id
    LEFT JOIN members b ON b.id = m.member_id;

-- message_track is the discussions about something, the newest first, as JSON: how many
-- messages they have, how many of those a member wrote whom they are about, how many
-- discussions there are, and as many of them as are wanted.
-- +goose StatementBegin
CREATE FUNCTION message_track(about text, named text, most integer) RETURNS json STABLE LANGUAGE sql AS $$
    WITH writer AS (
        SELECT id FROM members WHERE about = 'member' AND name = named
    ),
    track AS (
        SELECT m.serial, m.thread_id, m.placed_at, true AS wrote
        FROM messages m
        WHERE m.member_id = (SELECT id FROM writer)
        UNION ALL
        SELECT m.serial, m.thread_id, m.placed_at, false
        FROM messages m
        WHERE m.serial IN (SELECT serial FROM message_things WHERE kind = about AND key = named)
            AND (m.member_id = (SELECT id FROM writer)) IS NOT TRUE
    ),
    discussions AS (
        SELECT
            (array_agg(serial ORDER BY placed_at DESC, serial DESC))[1] AS serial,
            count(*) AS n,
            count(*) FILTER (WHERE wrote) AS wrote,
            row_number() OVER (ORDER BY max(placed_at) DESC, max(serial) DESC) AS place
        FROM track
        GROUP BY coalesce(thread_id, -serial)
    )
    SELECT json_build_object(
        'messages', coalesce(sum(d.n), 0),
        'wrote', coalesce(sum(d.wrote), 0),
        'all', count(*),
        'newest', coalesce(
            json_agg(json_build_object(
                'serial', m.serial, 'forum', f.name, 'subject', left(m.subject, 120), 'author', left(m.author, 60),
                'messages', d.n, 'at', m.placed_at
            ) ORDER BY d.place) FILTER (WHERE d.place <= most),
            '[]'
        )
    )
    FROM discussions d
    LEFT JOIN messages m ON m.serial = d.serial AND d.place <= most
    LEFT JOIN forums f ON f.id = m.forum_id
$$;
-- +goose StatementEnd

-- Who writes under which name and address, as pages list them. Member 0 is nobody.
CREATE VIEW message_author_list AS
    SELECT
        a.id, coalesce(a.member_id, 0) AS member_id, coalesce(b.name, '') AS member, a.forum_id,
        coalesce(f.slug, '') AS forum, a.name, a.address, a.state, a.added_by, a.added_at, a.decided_by, a.decided_at
    FROM message_authors a
    LEFT JOIN members b ON b.id = a.member_id
    LEFT JOIN forums f ON f.id = a.forum_id;

-- message_author is the member who writes under a name and address in a forum, or null. Of
-- what was assigned the most exact holds: an address before a name, both before one, one
-- forum before all. It never guesses.
-- +goose StatementBegin
CREATE FUNCTION message_author(forum bigint, shown_name text, plain text) RETURNS bigint STABLE LANGUAGE sql AS $$
    SELECT a.member_id
    FROM message_authors a
    WHERE a.state = 'said'
        AND (a.forum_id IS NULL OR a.forum_id = forum)
        AND (a.name = '' OR lower(a.name) = lower(shown_name))
        AND (a.address = '' OR a.address = plain)
    ORDER BY a.address <> '' DESC, a.name <> '' DESC, a.forum_id IS NOT NULL DESC, a.id
    LIMIT 1
$$;
-- +goose StatementEnd

-- Notices.

ALTER TABLE notices DROP CONSTRAINT notices_state_check;
UPDATE notices SET state = 'released' WHERE state = 'told';
ALTER TABLE notices ADD CONSTRAINT notices_state_check CHECK (state IN ('waiting', 'released', 'dropped'));
ALTER TABLE notices RENAME COLUMN told_at TO released_at; -- When it went out: to the page, and to who delivers it.
ALTER TABLE notices RENAME COLUMN words TO text; -- Of renamed: what it says.
ALTER TABLE notice_settings RENAME COLUMN asked TO new_address; -- One that is to be confirmed.
ALTER TABLE notice_settings RENAME COLUMN asked_secret TO new_secret; -- In the link that confirms it.
ALTER TABLE notice_settings RENAME COLUMN asked_at TO requested_at;
ALTER INDEX notice_settings_asked RENAME TO notice_settings_new_secret;

-- Notices with what makes them true, and why they must not go out now; '' where nothing is
-- wrong.
CREATE VIEW notice_facts AS
    SELECT
        n.id, m.id AS member_id, m.name AS member, m.display_name AS name, m.time_zone,
        a.slug, a.state AS award_state, v.document ->> 'title' AS title,
        coalesce(v.document -> 'levels' -> (n.level - 1) ->> 'title', '') AS level_title,
        g.id IS NOT NULL AND g.revoked_at IS NULL AS holds,
        coalesce(g.revoked_reason, '') AS revoked_reason,
        CASE
            WHEN al.id IS NOT NULL
            THEN al.site || CASE al.subject WHEN '' THEN '' ELSE ', ' || al.subject END || ': ' || al.message
        END AS alarm,
        CASE
            WHEN m.id IS NULL THEN 'the member is gone'
            WHEN n.kind = 'renamed' THEN ''
            WHEN n.kind = 'site' AND m.role <> 'admin' THEN 'the member is no admin'
            WHEN n.kind = 'site' AND al.closed_at IS NOT NULL THEN 'it has ended'
            WHEN n.kind = 'site' THEN ''
            WHEN m.banned_at IS NOT NULL THEN 'the member is banned'
            WHEN a.state <> 'active' AND (a.state <> 'retired' OR n.kind IN ('near', 'new')) THEN 'the award is ' || a.state
            WHEN a.secret AND n.kind NOT IN ('granted', 'older') THEN 'the award is secret'
            WHEN n.kind IN ('granted', 'older') AND (g.id IS NULL OR g.revoked_at IS NOT NULL) THEN 'it was taken back'
            WHEN n.kind = 'revoked' AND (g.id IS NULL OR g.revoked_at IS NULL) THEN 'it was given back'
            WHEN n.kind = 'near' AND g.id IS NOT NULL THEN 'it is reached'
            WHEN n.kind = 'near' AND (u.progress IS NULL OR u.progress < n.progress) THEN 'progress fell'
            WHEN n.kind = 'new'
                AND EXISTS (SELECT FROM award_grants h WHERE h.member_id = n.member_id AND h.award_id = n.award_id)
            THEN 'it is earned'
            ELSE ''
        END AS wrong
    FROM notices n
    LEFT JOIN awards a ON a.id = n.award_id
    LEFT JOIN award_versions v ON v.award_id = a.id AND v.number = a.version
    LEFT JOIN site_alarms al ON al.id = n.alarm_id
    LEFT JOIN members m ON m.id = n.member_id AND NOT m.custom
    LEFT JOIN award_grants g
        ON g.member_id = n.member_id AND g.award_id = n.award_id AND g.period = n.period AND g.level = n.level
    LEFT JOIN user_awards u ON u.member_id = n.member_id AND u.award_id = n.award_id AND u.period = n.period;

-- next_mail_at is when the next e-mail may go to a member: at 8 in the morning of their zone
-- where they want one a day, an hour after the one before, and at most ten in a day.
-- +goose StatementBegin
CREATE FUNCTION next_mail_at(s notice_settings, zone text, at timestamptz) RETURNS timestamptz STABLE LANGUAGE sql AS $$
    SELECT greatest(
        CASE
            WHEN s.daily
            THEN (date_trunc('day', at AT TIME ZONE zone - interval '8 hours') + interval '1 day 8 hours') AT TIME ZONE zone
            ELSE at
        END,
        s.mailed_at + interval '1 hour',
        CASE WHEN s.day_mails >= 10 THEN s.day_began_at + interval '1 day' END
    )
$$;
-- +goose StatementEnd

-- Posts.

ALTER TABLE posts RENAME COLUMN asked_at TO requested_at; -- When a member last asked for it at once.
ALTER TABLE posts RENAME COLUMN looks TO fetches; -- Answers of the network so far.
ALTER TABLE posts RENAME COLUMN looked_at TO fetched_at; -- The last one.
ALTER TABLE post_accounts RENAME COLUMN looked_at TO fetched_at; -- The last answer.
ALTER TABLE post_pools RENAME COLUMN stretch TO slowdown; -- All intervals are this many times longer.

-- Posts with whose they are.
CREATE VIEW post_list AS
    SELECT
        p.id, p.network, p.host, p.external_id, p.member_id, p.url, p.author, p.text, p.repost_of, p.created_at, p.added_at,
        p.likes, p.reposts, p.replies, p.quotes, p.bookmarks, p.views, p.metrics_at, p.charged_on, p.state, p.next_update_at,
        p.leased_until, p.requested_at, p.fetches, p.fetched_at, p.attempts, p.missing_count, p.missing_since, p.last_error,
        coalesce(m.name, '') AS member, coalesce(m.display_name, '') AS display_name, m.owner_id
    FROM posts p
    LEFT JOIN members m ON m.id = p.member_id;
