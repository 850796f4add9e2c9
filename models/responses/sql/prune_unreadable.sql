-- Removes a slice of the answers that nobody understood, but the newest ones of each source,
-- and returns their bodies.
DELETE FROM responses WHERE id IN (
    SELECT u.id
    FROM (
        SELECT id, row_number() OVER (PARTITION BY source ORDER BY id DESC) AS place
        FROM responses WHERE NOT readable) u
    WHERE u.place > @most
    LIMIT @limit)
RETURNING body_hash
