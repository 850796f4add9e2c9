-- Ends all e-mails to a member, or to whom a link to unsubscribe was sent, and drops what is
-- on its way to them.
WITH gone AS (
    UPDATE notice_settings
    SET address = '', confirmed_at = NULL, mail_due_at = NULL, new_address = '', new_secret = '', requested_at = NULL
    WHERE member_id = @id OR (unsubscribe = @secret AND unsubscribe <> '')
    RETURNING member_id
),
unsent AS (
    UPDATE notices n
    SET mail = 'dropped'
    FROM gone
    WHERE n.member_id = gone.member_id AND n.mail = 'due'
)
UPDATE notice_deliveries d
SET state = 'dropped', ended_at = @now, error = 'the member wants no e-mail any more'
FROM gone
WHERE d.member_id = gone.member_id AND d.state = 'waiting'
