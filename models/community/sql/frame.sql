-- What is on every page: the community's name, its logo, and how many notices the member
-- @viewer has not read, as far as a page says them. One statement, for every page asks it.
SELECT
    coalesce((SELECT value FROM settings WHERE key = 'community_name'), '') AS name,
    coalesce((SELECT hash FROM community_logo), '') AS logo,
    EXISTS (SELECT FROM settings WHERE key = 'community_privacy' AND value <> '') AS privacy,
    (
        SELECT count(*)
        FROM (
            SELECT FROM notices
            WHERE member_id = @viewer AND shown AND read_at IS NULL
            LIMIT 100
        ) n
    ) AS unread
