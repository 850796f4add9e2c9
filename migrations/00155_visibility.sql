-- +goose Up

-- Who may see whom. See docs/design/visibility.md.

ALTER TABLE members
    ADD COLUMN seen_by text NOT NULL DEFAULT 'everyone' CHECK (seen_by IN ('everyone', 'members', 'self')),
    ADD COLUMN off_boards boolean NOT NULL DEFAULT false,
    ADD COLUMN proved_at timestamptz;
ALTER TABLE members
    ADD COLUMN audience smallint NOT NULL GENERATED ALWAYS AS (
        CASE
            WHEN seen_by = 'self' THEN 2
            WHEN seen_by = 'members' OR custom AND proved_at IS NULL THEN 1
            ELSE 0
        END
    ) STORED;
COMMENT ON COLUMN members.seen_by IS 'Whom the member lets see them: everyone, members (who signed in), or self (and admins).';
COMMENT ON COLUMN members.off_boards IS 'In no ranking, for nobody; seen everywhere else.';
COMMENT ON COLUMN members.proved_at IS 'Of a custom member: since when a handle is proved to be the person''s, who let it be shown; null: it is not.';
COMMENT ON COLUMN members.audience IS 'What follows for visible_to: 0 everybody, 1 who signed in, 2 oneself and admins.';

-- The few who are not for everybody: what belongs to members is shown unless it is theirs.
CREATE INDEX members_kept ON members (id) WHERE audience <> 0;

-- visible_to tells whether a viewer may see a member of an audience, or what belongs to them;
-- nobody's (null) is everybody's. A viewer is the id of who asks, 0 who did not sign in, and
-- less than 0 one who sees all: an admin, and the program itself. PostgreSQL inlines it.
-- +goose StatementBegin
CREATE FUNCTION visible_to(viewer bigint, member bigint, audience smallint) RETURNS boolean
IMMUTABLE PARALLEL SAFE LANGUAGE sql AS $$
    SELECT viewer < 0 OR audience IS NULL OR audience = 0 OR audience = 1 AND viewer > 0 OR member = viewer
$$;
-- +goose StatementEnd

-- Feeds are read by programs that know an address and nothing else: it holds a token that can do no more.
ALTER TABLE tokens ADD COLUMN feed boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN tokens.feed IS 'Reads feeds as its member, and nothing else.';

-- Discussions.

CREATE OR REPLACE VIEW forum_thread_list AS
    SELECT
        t.id, t.forum_id, t.head, t.messages, t.people, t.first_at, t.last_at, m.subject, m.author,
        coalesce(b.name, '') AS member, b.id AS member_id, b.audience
    FROM forum_threads t
    JOIN messages m ON m.serial = t.head
    LEFT JOIN members b ON b.id = m.member_id;

CREATE OR REPLACE VIEW message_things AS
    SELECT serial, kind, key, url, CAST(NULL AS bigint) AS member_id, CAST(NULL AS smallint) AS audience
    FROM message_references
    WHERE kind NOT IN ('member', 'account')
    UNION ALL
    SELECT r.serial, 'member', m.name, r.url, m.id, m.audience
    FROM message_references r
    JOIN members m ON lower(m.name) = r.key
    WHERE r.kind = 'member'
    UNION ALL
    SELECT r.serial, 'member', m.name, r.url, m.id, m.audience
    FROM message_references r
    JOIN accounts a ON a.site = split_part(r.key, '/', 1) AND lower(a.handle) = substr(r.key, strpos(r.key, '/') + 1)
    JOIN members m ON m.id = a.member_id
    WHERE r.kind = 'account'
        AND NOT EXISTS (SELECT FROM message_references s WHERE s.serial = r.serial AND s.kind = 'member' AND s.key = lower(m.name));

-- The references are all there are: who reads them leaves out the members whom the viewer may not see.
CREATE OR REPLACE VIEW message_list AS
    SELECT
        m.serial, m.forum_id, f.slug AS forum, f.name AS forum_name, m.url, m.message_id, m.in_reply_to, m.thread,
        m.thread_id, m.period, m.number, m.author, m.address, m.member_id,
        coalesce(b.name, '') AS member, m.subject, m.sent_at, m.sent_shown, m.approximate, m.placed_at, m.body, m.compared,
        CASE WHEN b.id IS NULL THEN '' ELSE m.selectand END AS selectand, m.stored_at, m.words,
        (
            SELECT coalesce(
                json_agg(
                    json_build_object('kind', r.kind, 'key', r.key, 'url', r.url, 'member', r.member_id, 'audience', r.audience)
                    ORDER BY r.kind, r.key
                ),
                '[]'
            )
            FROM (
                SELECT DISTINCT ON (t.kind, t.key) t.kind, t.key, t.url, t.member_id, t.audience
                FROM message_things t
                WHERE t.serial = m.serial
                ORDER BY t.kind, t.key, t.url
            ) r
        ) AS refs,
        b.audience
    FROM messages m
    JOIN forums f ON f.id = m.forum_id
    LEFT JOIN members b ON b.id = m.member_id;

-- message_track as before, of the messages whose writers a viewer may see.
-- +goose StatementBegin
CREATE FUNCTION message_track(about text, named text, most integer, viewer bigint) RETURNS json STABLE LANGUAGE sql AS $$
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
        WHERE m.serial IN (
                SELECT t.serial
                FROM message_things t
                WHERE t.kind = about AND t.key = named AND visible_to(viewer, t.member_id, t.audience)
            )
            AND (m.member_id = (SELECT id FROM writer)) IS NOT TRUE
            AND NOT EXISTS (SELECT FROM members k WHERE k.id = m.member_id AND NOT visible_to(viewer, k.id, k.audience))
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

-- Whose rows of the archive are: by the handles that members have, and had.
CREATE INDEX accounts_former ON accounts (site, lower(former_handle)) WHERE former_handle <> '';
CREATE INDEX removed_accounts_handle ON removed_accounts (site, lower(handle));

-- Posts.
CREATE OR REPLACE VIEW post_list AS
    SELECT
        p.id, p.network, p.host, p.external_id, p.member_id, p.url, p.author, p.text, p.repost_of, p.created_at, p.added_at,
        p.likes, p.reposts, p.replies, p.quotes, p.bookmarks, p.views, p.metrics_at, p.charged_on, p.state, p.next_update_at,
        p.leased_until, p.requested_at, p.fetches, p.fetched_at, p.attempts, p.missing_count, p.missing_since, p.last_error,
        coalesce(m.name, '') AS member, coalesce(m.display_name, '') AS display_name, m.owner_id, m.audience, m.off_boards
    FROM posts p
    LEFT JOIN members m ON m.id = p.member_id;

-- Who is hidden is not counted, for anybody: how rare an award is does not depend on who asks.
CREATE OR REPLACE VIEW shown_awards AS
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
    JOIN members m ON m.id = g.member_id AND m.banned_at IS NULL AND NOT m.custom AND m.audience < 2
    WHERE g.award_id = a.id AND g.revoked_at IS NULL
) h;
