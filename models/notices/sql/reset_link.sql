-- Makes the link with which @member chooses a new password, if @address is still where they get
-- e-mails, and returns their name. It takes the place of one that they asked for before.
WITH whose AS (
    SELECT m.id, m.display_name AS name
    FROM notice_settings s
    JOIN members m ON m.id = s.member_id
    WHERE s.member_id = @member AND s.address = @address AND m.suspended_at IS NULL
),
former AS (
    DELETE FROM invitations i
    USING whose w
    WHERE i.member_id = w.id AND i.created_by = w.id AND i.used_at IS NULL
),
made AS (
    INSERT INTO invitations (hash, member_id, created_by, created_at, expires_at)
    SELECT CAST(@hash AS bytea), id, id, @at, @until FROM whose
)
SELECT name FROM whose
