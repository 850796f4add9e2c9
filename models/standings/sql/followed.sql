-- A board (@board) of whom @member follows, and of themself, as @asking sees it: ranks are among them. One probe finds
-- the place of each. Behind the place of @value and @name come at most @limit rows, and the member's own once more.
WITH people AS (
    SELECT member_id
    FROM followed_people
    WHERE follower_id = @member
    UNION
    SELECT CAST(@member AS bigint)
),
places AS MATERIALIZED (
    SELECT
        p.member_id, p.name, p.value, p.behind, p.submissions, p.accepted,
        rank() OVER (ORDER BY p.value DESC) AS rank,
        CASE
            WHEN p.was IS NULL THEN 0
            ELSE rank() OVER (PARTITION BY p.was IS NULL ORDER BY p.was DESC)
        END AS rank_was,
        count(*) OVER () AS size
    FROM people f
    JOIN standing_places p ON p.member_id = f.member_id AND p.board = @board
    WHERE p.shown < 3 AND visible_to(@asking, p.member_id, p.shown)
),
page AS (
    SELECT member_id, name, value, submissions, accepted, rank, rank_was, size
    FROM places
    WHERE (behind, name) > (-CAST(@value AS integer), CAST(@name AS text))
    ORDER BY behind, name
    LIMIT @limit
),
shown AS (
    SELECT true AS paged, member_id, name, value, submissions, accepted, rank, rank_was, size
    FROM page
    UNION ALL
    SELECT false, member_id, name, value, submissions, accepted, rank, rank_was, size
    FROM places
    WHERE member_id = @member
)
SELECT
    h.paged, h.member_id, h.value, h.submissions, h.accepted, h.rank, h.rank_was, h.size,
    s.name, s.display_name, s.custom, s.solved, s.streak,
    to_json(s.weeks) AS weeks, to_json(s.incomplete) AS incomplete
FROM shown h
JOIN standings s ON s.member_id = h.member_id AND visible_to(@asking, s.member_id, s.shown)
ORDER BY h.paged, h.value DESC, h.name
