-- +goose Up

-- The event log: what happened, in an order that every reader agrees on.

-- event_part is the part of a member, of 16. Neighbours are in the same one: their rows
-- lie side by side in the indexes that a batch goes through.
CREATE FUNCTION event_part(member_id bigint) RETURNS smallint
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CAST((member_id / 32) % 16 AS smallint);

-- event_body is the JSON of an event of Laurel's own: version seq of an item.
CREATE FUNCTION event_body(
    source text, item text, seq bigint, member text, type text, object text, status text, at timestamptz, facts json
) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE
RETURN CAST(
    json_build_object(
        'source', source, 'id', item || '#' || seq, 'item', item, 'seq', seq, 'member', member, 'type', type,
        'object', object, 'status', status, 'at', at, 'facts', json_strip_nulls(facts)
    ) AS text
);

-- Events. Each source and part is read in the order (txid, id): a number may be given
-- out long before its row can be seen, so only what is older than every open
-- transaction is read. Days are partitions, made ahead by a job and dropped as a
-- whole; rows of a day without one go to events_other.
CREATE SEQUENCE events_id;
CREATE TABLE events (
    txid      bigint NOT NULL DEFAULT CAST(CAST(pg_current_xact_id() AS text) AS bigint), -- The transaction that wrote it.
    id        bigint NOT NULL DEFAULT nextval('events_id'),
    source    text NOT NULL,
    part      smallint NOT NULL, -- Of the member: all events of a member are handled one after the other.
    member_id bigint NOT NULL,
    event_id  text NOT NULL, -- Handled once per source.
    zone      text NOT NULL, -- The member's time zone when it came.
    stored_at timestamptz NOT NULL,
    body      text NOT NULL -- The event as JSON.
) PARTITION BY RANGE (stored_at);
ALTER SEQUENCE events_id OWNED BY events.id;
CREATE INDEX events_order ON events (source, part, txid, id);
CREATE INDEX events_ids ON events (source, event_id);
CREATE TABLE events_other PARTITION OF events DEFAULT;

-- Where events come from.
CREATE TABLE event_sources (
    source    text PRIMARY KEY,
    paused_at timestamptz, -- Its events wait until it is resumed; null: it runs.
    first_at  timestamptz NOT NULL -- Its first event.
);

-- How far each part of a source is handled; moved in the transaction of the effect.
CREATE TABLE event_positions (
    source     text NOT NULL REFERENCES event_sources ON DELETE CASCADE,
    part       smallint NOT NULL, -- 0 to 15.
    txid       bigint NOT NULL DEFAULT 0, -- Of the last event handled.
    id         bigint NOT NULL DEFAULT 0,
    handled    bigint NOT NULL DEFAULT 0, -- Events so far.
    handled_at timestamptz,
    PRIMARY KEY (source, part)
) WITH (fillfactor = 50);

-- Laurel's own sources.
INSERT INTO event_sources (source, first_at)
SELECT source, 'epoch' FROM unnest(ARRAY['days', 'messages', 'posts', 'ratings', 'submissions']) source;
INSERT INTO event_positions (source, part) SELECT source, part FROM event_sources, generate_series(0, 15) part;

-- Events that could not be handled, with the reason, for an admin to replay.
CREATE TABLE event_dead (
    id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    source    text NOT NULL,
    event_id  text NOT NULL,
    member_id bigint NOT NULL,
    zone      text NOT NULL,
    stored_at timestamptz NOT NULL,
    body      text NOT NULL,
    reason    text NOT NULL,
    dead_at   timestamptz NOT NULL
);

-- The ledger: the newest event of each item, and what it contributes now. The key
-- stands before the source, which is the same for most rows: equal text is slow to compare.
CREATE TABLE items (
    source        text NOT NULL,
    key           text NOT NULL, -- item:... or, where nothing can change later, event:...
    member_id     bigint NOT NULL,
    seq           bigint NOT NULL, -- The event's; an older one changes nothing.
    at            timestamptz NOT NULL, -- The event's own time.
    status        text NOT NULL,
    event_id      text NOT NULL,
    zone          text NOT NULL,
    arrived_at    timestamptz NOT NULL,
    body          text NOT NULL, -- The event as JSON.
    contributions text NOT NULL, -- JSON, not parsed by PostgreSQL: [[objective, period, status, cell, amount], ...].
    rev           integer NOT NULL DEFAULT 1, -- Grows with every write: nobody overwrites what they have not read.
    PRIMARY KEY (key, source)
) WITH (fillfactor = 80);
CREATE INDEX items_member ON items (member_id);
