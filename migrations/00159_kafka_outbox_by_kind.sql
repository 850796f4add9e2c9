-- +goose Up

-- Each kind is sent in its order: a topic that takes nothing holds up no other.
CREATE INDEX IF NOT EXISTS event_outbox_by_kind ON event_outbox (kind, id);
