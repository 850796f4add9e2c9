-- +goose Up

-- Posts whose numbers are kept fresh. A post is its own job: it carries when it is
-- due and who is at it. A number that a network never gave is null, not 0.
CREATE TABLE posts (
    id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    network        text NOT NULL,
    host           text NOT NULL DEFAULT '', -- The instance, of a network that has many.
    external_id    text NOT NULL,
    member_id      bigint REFERENCES members ON DELETE CASCADE, -- Whose it is; null where that is nobody here.
    url            text NOT NULL DEFAULT '',
    author         text NOT NULL DEFAULT '',
    text           text NOT NULL DEFAULT '',
    repost_of      text,
    created_at     timestamptz NOT NULL, -- As the network says, else from its id, else when it was added.
    added_at       timestamptz NOT NULL,
    likes          bigint,
    reposts        bigint,
    replies        bigint,
    quotes         bigint,
    bookmarks      bigint,
    views          bigint,
    metrics_at     timestamptz, -- When the network last gave its numbers.
    charged_on     date, -- The last UTC day on which reading it was paid for.
    state          text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'finished', 'gone', 'protected', 'invalid', 'paused')),
    next_update_at timestamptz, -- Null: never again.
    leased_until   timestamptz,
    lease_id       bigint,
    asked_at       timestamptz, -- When somebody last wanted it at once.
    looks          integer NOT NULL DEFAULT 0, -- Times the network was asked and answered.
    looked_at      timestamptz,
    attempts       smallint NOT NULL DEFAULT 0, -- Failures in a row.
    missing_count  smallint NOT NULL DEFAULT 0, -- Times in a row that it was not there.
    missing_since  timestamptz,
    last_error     text NOT NULL DEFAULT '',
    UNIQUE (network, host, external_id)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX posts_due ON posts (network, host, next_update_at) INCLUDE (created_at) WHERE next_update_at IS NOT NULL;
CREATE INDEX posts_member ON posts (member_id, created_at DESC) WHERE member_id IS NOT NULL;
CREATE INDEX posts_recent ON posts (created_at) WHERE member_id IS NOT NULL;

-- What a network's posts of one host have in common.
CREATE TABLE post_pools (
    network      text NOT NULL,
    host         text NOT NULL DEFAULT '',
    stretch      double precision NOT NULL DEFAULT 1, -- By how much all intervals are longer, for want of requests or money.
    every_days   double precision NOT NULL DEFAULT 0, -- How far apart the looks at posts older than a day are at least, for want of money.
    demand       double precision NOT NULL DEFAULT 0, -- Requests an hour that the tiers ask for.
    supply       double precision NOT NULL DEFAULT 0, -- Requests an hour that there are.
    tiers        json NOT NULL DEFAULT '[]', -- How many posts there are in each tier, the youngest first.
    measured_at  timestamptz,
    batch        integer NOT NULL DEFAULT 0, -- How many posts the server takes in a request, where that is less than its network says.
    PRIMARY KEY (network, host)
);

-- What the networks are asked with. A network that needs none has one without a token.
CREATE TABLE credentials (
    id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    network        text NOT NULL,
    host           text NOT NULL DEFAULT '',
    name           text NOT NULL,
    token          bytea, -- Sealed; null for asking as anybody.
    legacy         boolean NOT NULL DEFAULT false, -- Speaks the v1.1 look-up.
    fields         text NOT NULL DEFAULT '', -- The name of X's parameter; '' is tweet.fields.
    state          text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'paused', 'disabled')),
    reason         text NOT NULL DEFAULT '', -- Why it is not active, or cools down.
    cooldown_until timestamptz,
    quota          integer NOT NULL CHECK (quota > 0), -- Requests a window.
    window_seconds integer NOT NULL CHECK (window_seconds > 0),
    remaining      integer NOT NULL,
    reset_at       timestamptz, -- Null until the window's first request.
    failures       smallint NOT NULL DEFAULT 0, -- In a row.
    monthly_posts  bigint CHECK (monthly_posts > 0), -- Posts a UTC month that may be read; null is without end.
    used_at        timestamptz,
    created_at     timestamptz NOT NULL,
    UNIQUE (network, host, name)
) WITH (fillfactor = 50);

-- What each credential was used for on a UTC day. A post is charged once a day.
CREATE TABLE credential_days (
    credential_id bigint NOT NULL REFERENCES credentials ON DELETE CASCADE,
    day           date NOT NULL,
    requests      bigint NOT NULL DEFAULT 0,
    posts         bigint NOT NULL DEFAULT 0,
    charged       bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (credential_id, day)
) WITH (fillfactor = 50);

-- Each request to a network, for a week.
CREATE TABLE post_polls (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    network       text NOT NULL,
    host          text NOT NULL,
    credential_id bigint REFERENCES credentials ON DELETE SET NULL,
    at            timestamptz NOT NULL,
    asked         integer NOT NULL,
    found         integer NOT NULL,
    missing       integer NOT NULL,
    outcome       text NOT NULL,
    message       text NOT NULL DEFAULT '',
    took_ms       integer NOT NULL
);
CREATE INDEX post_polls_at ON post_polls (at);

-- Members' accounts on networks, whose new posts are followed.
CREATE TABLE post_accounts (
    id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    member_id      bigint NOT NULL REFERENCES members ON DELETE CASCADE,
    network        text NOT NULL,
    host           text NOT NULL DEFAULT '',
    handle         text NOT NULL,
    key            text NOT NULL DEFAULT '', -- The network's own name for it; '' until it was asked.
    newest_id      text NOT NULL DEFAULT '', -- The newest post that is known.
    state          text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'invalid', 'paused')),
    next_update_at timestamptz,
    leased_until   timestamptz,
    lease_id       bigint,
    attempts       smallint NOT NULL DEFAULT 0,
    looked_at      timestamptz,
    last_error     text NOT NULL DEFAULT '',
    posts          integer NOT NULL DEFAULT 0, -- Found so far.
    added_at       timestamptz NOT NULL
);
CREATE UNIQUE INDEX post_accounts_member ON post_accounts (member_id, network, host, lower(handle));
CREATE INDEX post_accounts_due ON post_accounts (network, host, next_update_at) WHERE next_update_at IS NOT NULL;

INSERT INTO event_sources (source, first_at) VALUES ('posts', 'epoch') ON CONFLICT DO NOTHING;
INSERT INTO event_positions (source, part) SELECT 'posts', part FROM generate_series(0, 15) part ON CONFLICT DO NOTHING;

-- What the numbers were at each look; see models/archive.
CREATE TABLE shard_post_metrics (
    "network" text NOT NULL,
    "host" text NOT NULL,
    "post" text NOT NULL,
    "likes" bigint,
    "reposts" bigint,
    "replies" bigint,
    "quotes" bigint,
    "bookmarks" bigint,
    "views" bigint,
    _from timestamptz NOT NULL,
    _seen bigint[] NOT NULL,
    _aside bigint
) WITH (fillfactor = 50);
CREATE TABLE shard__past_post_metrics (
    "network" text NOT NULL,
    "host" text NOT NULL,
    "post" text NOT NULL,
    "likes" bigint,
    "reposts" bigint,
    "replies" bigint,
    "quotes" bigint,
    "bookmarks" bigint,
    "views" bigint,
    _from timestamptz NOT NULL,
    _until timestamptz NOT NULL,
    _reason text NOT NULL,
    _seen bigint[] NOT NULL,
    _aside bigint,
    _goes_on boolean NOT NULL,
    CHECK (_from < _until)
);
CREATE UNIQUE INDEX shard_post_metrics_key_open ON shard_post_metrics ("network", "host", "post");
CREATE UNIQUE INDEX shard__past_post_metrics_key ON shard__past_post_metrics ("network", "host", "post", _from);
