-- What of the set-up is done, as the admin @viewer sees it.
SELECT
    EXISTS (SELECT FROM settings WHERE key = 'community_name' AND value <> '') AS named,
    EXISTS (SELECT FROM accounts WHERE member_id = @viewer) AS handles,
    EXISTS (SELECT FROM members WHERE NOT custom AND id <> @viewer) OR EXISTS (SELECT FROM invitations) AS others,
    EXISTS (SELECT FROM awards WHERE state = 'active') AS awards,
    EXISTS (SELECT FROM forums) AS forum
