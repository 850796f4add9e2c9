-- +goose Up

-- Pages of archives that could not be had: they are asked for again, after pauses
-- that grow, until they can be.
CREATE TABLE forum_gaps (
    forum_id bigint NOT NULL REFERENCES forums ON DELETE CASCADE,
    address  text NOT NULL, -- With # and its place, counted from the end, where addresses shift.
    period   text NOT NULL DEFAULT '', -- To which it belongs; '' where there are none.
    step     text NOT NULL DEFAULT '', -- How to ask for it again, as JSON, where no index leads to it.
    reason   text NOT NULL,
    tries    integer NOT NULL DEFAULT 1,
    first_at timestamptz NOT NULL,
    tried_at timestamptz NOT NULL,
    due_at   timestamptz NOT NULL, -- Before that it is not asked for.
    PRIMARY KEY (forum_id, address)
);
CREATE INDEX forum_gaps_period ON forum_gaps (forum_id, period, due_at);

-- Until now lists kept theirs beside the place where a walk was cut short.
INSERT INTO forum_gaps (forum_id, address, step, reason, first_at, tried_at, due_at)
SELECT f.id, m->>'Address', CAST(json_build_object('Address', m->>'Address', 'What', 'message', 'Base', f.url, 'Static', f.kind <> 'discourse') AS text), 'could not be had', f.added_at, f.added_at, f.added_at
FROM forums f, LATERAL jsonb_array_elements(CASE WHEN f.cursor LIKE '{%' THEN CAST(f.cursor AS jsonb)->'Missed' ELSE '[]' END) m
WHERE m->>'Address' <> '' ON CONFLICT DO NOTHING;
