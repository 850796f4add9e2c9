-- +goose Up

-- What the editor of awards completes and warns by: the types and facts that other systems' events had. What Laurel's own sources have is
-- known without looking.
CREATE TABLE event_names (
    source  text NOT NULL,
    kind    text NOT NULL CHECK (kind IN ('type', 'fact')),
    name    text NOT NULL,
    of      text NOT NULL DEFAULT '',
    seen_on date NOT NULL,
    PRIMARY KEY (source, kind, name)
);
COMMENT ON TABLE event_names IS 'Types and names of facts that events of other systems had, at most 300 of a source.';
COMMENT ON COLUMN event_names.of IS 'What a fact is: text, number, yes or no, list of texts. Empty for a type.';
COMMENT ON COLUMN event_names.seen_on IS 'The last day (UTC) on which an event came with it; written once a day.';
