-- +goose Up

-- Who follows whom: see docs/design/follows.md.

CREATE TABLE follows (
    follower_id bigint NOT NULL REFERENCES members ON DELETE CASCADE,
    followed_id bigint NOT NULL REFERENCES members ON DELETE CASCADE,
    asked_at    timestamptz NOT NULL,
    since       timestamptz,
    declined_at timestamptz,
    PRIMARY KEY (follower_id, followed_id),
    CHECK (follower_id <> followed_id),
    CHECK (since IS NULL OR declined_at IS NULL)
);
CREATE INDEX follows_followers ON follows (followed_id, since DESC, follower_id DESC) WHERE since IS NOT NULL;
CREATE INDEX follows_requests ON follows (followed_id, asked_at DESC, follower_id DESC) WHERE since IS NULL;
COMMENT ON TABLE follows IS 'Registered members who follow others, or have asked to. Custom members are followed by their owner: see followed_people.';
COMMENT ON COLUMN follows.since IS 'Since when; null: asked, and not allowed.';
COMMENT ON COLUMN follows.declined_at IS 'The followed one said no. Who asked is not told, and goes on seeing a request.';

CREATE TABLE member_blocks (
    blocker_id bigint NOT NULL REFERENCES members ON DELETE CASCADE,
    blocked_id bigint NOT NULL REFERENCES members ON DELETE CASCADE,
    at         timestamptz NOT NULL,
    PRIMARY KEY (blocker_id, blocked_id),
    CHECK (blocker_id <> blocked_id)
);
CREATE INDEX member_blocks_blocked ON member_blocks (blocked_id);
COMMENT ON TABLE member_blocks IS 'Who may not follow whom, nor be followed by them. The blocked one is never told.';

-- Whom somebody follows: registered members, and those without an account whom they added.
CREATE VIEW followed_people AS
    SELECT follower_id, followed_id AS member_id FROM follows WHERE since IS NOT NULL
    UNION ALL
    SELECT owner_id, id FROM members WHERE owner_id IS NOT NULL;

-- The feed. A deed is a problem that was solved, or an award that was earned.

CREATE INDEX award_grants_deeds ON award_grants (member_id, granted_at DESC) WHERE revoked_at IS NULL;

-- newest_deed is when a member last did something before a moment: one row of each index. Of what is only
-- known to be solved, and not when, there is no deed (submissions.UnknownTime).
-- +goose StatementBegin
CREATE FUNCTION newest_deed(of_member bigint, before timestamptz, viewer bigint) RETURNS timestamptz STABLE LANGUAGE sql AS $$
    SELECT greatest(
        (
            SELECT s.first_at
            FROM solved s
            WHERE s.member_id = of_member AND s.first_at < before AND s.first_at > '1990-01-01 00:00:00+00'
            ORDER BY s.first_at DESC
            LIMIT 1
        ),
        (
            SELECT g.granted_at
            FROM award_grants g
            JOIN awards a ON a.id = g.award_id
            JOIN members m ON m.id = g.member_id AND m.banned_at IS NULL
            WHERE g.member_id = of_member AND g.granted_at < before AND g.revoked_at IS NULL
                AND award_visible(a.id, a.state, a.secret, viewer)
            ORDER BY g.granted_at DESC
            LIMIT 1
        )
    )
$$;
-- +goose StatementEnd

-- day_began is when the day of a moment began in a zone. Where clocks are set back over midnight, the
-- hour that comes twice belongs to the day that it began.
-- +goose StatementBegin
CREATE FUNCTION day_began(at timestamptz, zone text) RETURNS timestamptz STABLE LANGUAGE sql AS $$
    SELECT CASE WHEN midnight <= at THEN midnight ELSE (date_trunc('day', at AT TIME ZONE zone) - interval '1 day') AT TIME ZONE zone END
    FROM (SELECT date_trunc('day', at AT TIME ZONE zone) AT TIME ZONE zone AS midnight) d
$$;
-- +goose StatementEnd

-- Notices of requests.

ALTER TABLE notices DROP CONSTRAINT notices_kind_check;
ALTER TABLE notices ADD CONSTRAINT notices_kind_check
    CHECK (kind IN ('granted', 'older', 'revoked', 'near', 'new', 'site', 'renamed', 'follow'));
ALTER TABLE notices ADD COLUMN follower_id bigint REFERENCES members ON DELETE CASCADE;
COMMENT ON COLUMN notices.follower_id IS 'Of follow: who asks. Their name is not stored: it is shown as long as the reader may see it.';
ALTER TABLE notices DROP CONSTRAINT notices_about_check;
ALTER TABLE notices ADD CONSTRAINT notices_about_check CHECK (
    (kind = 'site') = (alarm_id IS NOT NULL)
    AND (kind = 'follow') = (follower_id IS NOT NULL)
    AND (kind IN ('site', 'renamed', 'follow')) = (award_id IS NULL)
    AND (kind = 'renamed') = (text <> '')
);
CREATE UNIQUE INDEX notices_follow ON notices (member_id, follower_id) WHERE follower_id IS NOT NULL;
CREATE INDEX notices_follower ON notices (follower_id) WHERE follower_id IS NOT NULL;

-- As before, with who asks to follow: null where the reader may not see them, or has blocked them.
CREATE OR REPLACE VIEW notice_facts AS
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
            WHEN n.kind = 'follow' AND f.id IS NULL THEN 'who asks is hidden'
            WHEN n.kind = 'follow' AND NOT EXISTS (
                SELECT
                FROM follows w
                WHERE w.follower_id = n.follower_id AND w.followed_id = n.member_id
                    AND w.since IS NULL AND w.declined_at IS NULL
            )
            THEN 'the request is over'
            WHEN n.kind = 'follow' THEN ''
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
        END AS wrong,
        f.name AS follower, f.display_name AS follower_name
    FROM notices n
    LEFT JOIN awards a ON a.id = n.award_id
    LEFT JOIN award_versions v ON v.award_id = a.id AND v.number = a.version
    LEFT JOIN site_alarms al ON al.id = n.alarm_id
    LEFT JOIN members m ON m.id = n.member_id AND NOT m.custom
    LEFT JOIN award_grants g
        ON g.member_id = n.member_id AND g.award_id = n.award_id AND g.period = n.period AND g.level = n.level
    LEFT JOIN user_awards u ON u.member_id = n.member_id AND u.award_id = n.award_id AND u.period = n.period
    LEFT JOIN members f
        ON f.id = n.follower_id AND visible_to(n.member_id, f.id, f.audience)
            AND NOT EXISTS (SELECT FROM member_blocks b WHERE b.blocker_id = n.member_id AND b.blocked_id = f.id);
