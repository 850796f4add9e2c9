-- Removes a slice of the answers that came before a moment, and returns their bodies. An
-- answer that nobody understood keeps the others of its fetch: one is read with the other.
DELETE FROM responses WHERE id IN (
    SELECT r.id FROM responses r
    WHERE r.readable AND NOT r.lasting AND r.retrieved_at < @before
        AND NOT EXISTS (SELECT FROM responses u WHERE u.fetch_id = r.fetch_id AND NOT u.readable)
    ORDER BY r.retrieved_at LIMIT @limit)
RETURNING body_hash
