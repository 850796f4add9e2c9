-- Removes the answers of bulk checks and canaries whose question names an account of members, or one
-- of accounts, and returns their bodies. A short handle may be part of another one: then more goes.
DELETE FROM responses r
USING accounts a
WHERE (a.member_id = ANY(CAST(@members AS bigint[])) OR a.id = ANY(CAST(@accounts AS bigint[])))
    AND r.source = a.site AND r.kind IN ('bulk', 'canary')
    AND (position(lower(a.handle) IN lower(r.address || ' ' || r.question)) > 0
        OR a.site_key <> '' AND position(a.site_key IN r.address || ' ' || r.question) > 0)
RETURNING r.body_hash
