-- +goose Up

-- One row for each award that an event changed, with all of its objectives, where it
-- was one for each objective: events that count for several are half as many rows.
CREATE TABLE award_changes (
    id        bigint GENERATED ALWAYS AS IDENTITY,
    at        timestamptz NOT NULL,
    member_id bigint NOT NULL,
    award_id  bigint NOT NULL, -- 0 for what was not looked at for any.
    source    text NOT NULL,
    key       text NOT NULL,
    event_id  text NOT NULL,
    reason    text NOT NULL, -- event, recount, moved, stale or late.
    changes   text NOT NULL  -- [[objective, was, became], ...]; what it was and became are [period, status, cell, amount], or null for nothing.
);
INSERT INTO award_changes (id, at, member_id, award_id, source, key, event_id, reason, changes) OVERRIDING SYSTEM VALUE
SELECT l.id, l.at, l.member_id, coalesce(o.award_id, 0), l.source, l.key, l.event_id, l.reason,
    CASE WHEN o.id IS NULL THEN '[]' ELSE '[[' || o.id || ',' || coalesce(l.was, 'null') || ',' || coalesce(l.became, 'null') || ']]' END
FROM award_log l LEFT JOIN objectives o ON o.id = l.objective_id
WHERE l.objective_id = 0 OR o.id IS NOT NULL;
SELECT setval(pg_get_serial_sequence('award_changes', 'id'), (SELECT max(id) FROM award_changes)) WHERE EXISTS (SELECT FROM award_changes);
DROP TABLE award_log;
ALTER TABLE award_changes RENAME TO award_log;
CREATE INDEX award_log_member ON award_log (member_id, award_id, id);

-- The key before the source, which is the same for most: text that is equal takes as long to compare as text can.
ALTER TABLE items DROP CONSTRAINT items_pkey;
ALTER TABLE items ADD PRIMARY KEY (key, source);
-- Only Laurel writes it; to have PostgreSQL read it again for every write tells nothing new.
ALTER TABLE items ALTER COLUMN contributions TYPE text;

-- The part of a member is (member_id / 32) % 16 now, so that neighbours are handled together. What
-- waits goes over to its new part, behind all that was handled there.
UPDATE events e SET part = (e.member_id / 32) % 16, txid = CAST(CAST(pg_current_xact_id() AS text) AS bigint)
FROM event_positions p WHERE p.source = e.source AND p.part = e.part AND (e.txid, e.id) > (p.txid, p.id);
