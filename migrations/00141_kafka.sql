-- +goose Up

-- Kafka: which topics are read and written, how far each is read, and what is yet to be sent.

CREATE TABLE kafka_topics (
    topic      text PRIMARY KEY,
    source     text, -- Read as events of this source.
    kind       text UNIQUE CHECK (kind IN ('grant', 'notice')), -- Or these are sent to it.
    created_at timestamptz NOT NULL,
    CHECK ((source IS NULL) <> (kind IS NULL))
);

-- Where each consumer goes on; moved in the transaction of what it read.
CREATE TABLE kafka_offsets (
    consumer text NOT NULL, -- laurel: all servers together; ingest: the command.
    topic    text NOT NULL,
    part     integer NOT NULL,
    next     bigint NOT NULL, -- The offset of the next record.
    high     bigint NOT NULL, -- The offset behind the last record, as last seen.
    read_at  timestamptz, -- Null: nothing was read yet.
    PRIMARY KEY (consumer, topic, part)
) WITH (fillfactor = 50);

-- Whether the brokers answer: one row, made when Kafka is used first.
CREATE TABLE kafka_state (
    id            boolean PRIMARY KEY DEFAULT true CHECK (id),
    failing_since timestamptz, -- Null: they do.
    failed_at     timestamptz, -- The newest attempt that failed.
    error         text NOT NULL DEFAULT ''
);

-- What is yet to be sent, written in the transaction of what it says.
CREATE TABLE event_outbox (
    id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind      text NOT NULL, -- Of kafka_topics.
    member_id bigint NOT NULL,
    body      jsonb NOT NULL,
    stored_at timestamptz NOT NULL
);

-- Records that cannot be taken are dead events, too. Nobody knows whom they are about.
ALTER TABLE event_dead ALTER COLUMN member_id DROP NOT NULL;
ALTER TABLE event_dead ADD COLUMN topic text; -- Null: it did not come from Kafka.
ALTER TABLE event_dead ADD COLUMN part integer;
ALTER TABLE event_dead ADD COLUMN log_offset bigint;

-- Each new line of the log of grants, whoever writes it, is sent where an admin mapped grants to a topic.
-- +goose StatementBegin
CREATE FUNCTION send_grants() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO event_outbox (kind, member_id, body, stored_at)
    SELECT 'grant', g.member_id, jsonb_build_object(
        'id', 'grant-' || l.id, 'kind', 'grant', 'what', l.what, 'grant', g.id, 'member', m.name, 'award', a.slug,
        'level', g.level, 'period', g.period, 'granted_at', g.granted_at, 'at', l.at, 'reason', l.reason
    ), l.at
    FROM logged l
    JOIN award_grants g ON g.id = l.grant_id
    JOIN awards a ON a.id = g.award_id
    JOIN members m ON m.id = g.member_id
    WHERE EXISTS (SELECT FROM kafka_topics WHERE kind = 'grant') AND l.what <> 'kept'
    ORDER BY l.id;
    IF FOUND THEN
        PERFORM pg_notify('laurel_asked', 'send to Kafka');
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER send_grants AFTER INSERT ON award_grant_log
REFERENCING NEW TABLE AS logged FOR EACH STATEMENT EXECUTE FUNCTION send_grants();

-- The same for notices, when they are released: what is not true any more is never sent.
-- +goose StatementBegin
CREATE FUNCTION send_notice() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO event_outbox (kind, member_id, body, stored_at)
    SELECT 'notice', n.member_id, jsonb_build_object(
        'id', 'notice-' || n.id, 'kind', 'notice', 'what', n.kind, 'member', f.member, 'award', f.slug,
        'title', f.title, 'level', n.level, 'called', f.level_title, 'period', n.period, 'at', n.released_at,
        'text', coalesce(nullif(n.text, ''), f.alarm, '')
    ), n.released_at
    FROM notices n
    JOIN notice_facts f ON f.id = n.id
    WHERE n.id = NEW.id AND f.member IS NOT NULL AND EXISTS (SELECT FROM kafka_topics WHERE kind = 'notice');
    IF FOUND THEN
        PERFORM pg_notify('laurel_asked', 'send to Kafka');
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER send_notice AFTER UPDATE ON notices FOR EACH ROW
WHEN (NEW.state = 'released' AND OLD.state = 'waiting') EXECUTE FUNCTION send_notice();
