-- +goose Up

-- How far the list of everybody's submissions was read, on sites that have one,
-- and what is known of questions about many accounts at once.
CREATE TABLE site_feeds (
    site         text PRIMARY KEY,
    since        timestamptz, -- All that was made from here on was read; null: nothing, the feed is not read.
    until        timestamptz, -- As far as here.
    cursor_at    timestamptz, -- Where the next page begins.
    cursor_id    text NOT NULL DEFAULT '', -- A row there that was read; '': none.
    late_at      timestamptz, -- All before was read a second time, for rows that a site adds late.
    holes        integer NOT NULL DEFAULT 0, -- How often coverage began anew;
    hole_from    timestamptz, -- what lies between is known of nobody: the last one.
    hole_until   timestamptz,
    per_day      double precision NOT NULL DEFAULT 0, -- Requests it takes, smoothed over a day; 0: not measured.
    replaces     double precision NOT NULL DEFAULT 0, -- Looks a day that it stands for.
    weighed_at   timestamptz, -- When the two were compared, and accounts were told how far the feed is.
    passed_at    timestamptz, -- The last pass that went well.
    failures     integer NOT NULL DEFAULT 0, -- In a row.
    outcome      text NOT NULL DEFAULT '', -- Of the last pass.
    message      text NOT NULL DEFAULT '',
    due_at       timestamptz NOT NULL DEFAULT 'epoch',
    lease_id     text NOT NULL DEFAULT '',
    leased_until timestamptz,
    batch        integer NOT NULL DEFAULT 0 -- Accounts in a question about many; 0: as many as the site's reader begins with.
);

-- The next look is a real one: what is read of many at once did not tell all.
ALTER TABLE accounts ADD COLUMN look_wanted boolean NOT NULL DEFAULT false;
