-- +goose Up

-- Posts on social networks, and what the networks are asked with.

-- Posts whose numbers are kept fresh. A post is its own job: it carries when it is due
-- and who is fetching it. A number that a network never gave is null, not 0. The
-- fillfactor leaves room for a claim to write its rows anew in their pages.
CREATE TABLE posts (
    id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    network        text NOT NULL,
    host           text NOT NULL DEFAULT '', -- The instance, of a network that has many.
    external_id    text NOT NULL, -- The network's own.
    member_id      bigint REFERENCES members ON DELETE CASCADE, -- Whose it is; null: nobody's here.
    url            text NOT NULL DEFAULT '',
    author         text NOT NULL DEFAULT '',
    text           text NOT NULL DEFAULT '',
    repost_of      text, -- The external id of the original.
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
    asked_at       timestamptz, -- When a member last asked for it at once.
    looks          integer NOT NULL DEFAULT 0, -- Answers of the network so far.
    looked_at      timestamptz, -- The last one.
    attempts       smallint NOT NULL DEFAULT 0, -- Failures in a row.
    missing_count  smallint NOT NULL DEFAULT 0, -- Times in a row that it was not there.
    missing_since  timestamptz,
    last_error     text NOT NULL DEFAULT '',
    UNIQUE (network, host, external_id)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX posts_due ON posts (network, host, next_update_at) INCLUDE (created_at) WHERE next_update_at IS NOT NULL;
CREATE INDEX posts_member ON posts (member_id, created_at DESC) WHERE member_id IS NOT NULL;
CREATE INDEX posts_recent ON posts (created_at) WHERE member_id IS NOT NULL;

-- Other names of a post, under which it was known before its first fetch: by its
-- author's handle, or by a copy on another server.
CREATE TABLE post_names (
    network text NOT NULL,
    host    text NOT NULL DEFAULT '',
    name    text NOT NULL,
    post_id bigint NOT NULL REFERENCES posts ON DELETE CASCADE,
    PRIMARY KEY (network, host, name)
);
CREATE INDEX post_names_post ON post_names (post_id);

-- What a network's posts of one host have in common: how many requests they need, and
-- how many there are.
CREATE TABLE post_pools (
    network     text NOT NULL,
    host        text NOT NULL DEFAULT '',
    stretch     double precision NOT NULL DEFAULT 1, -- All intervals are this many times longer, for want of requests or money.
    every_days  double precision NOT NULL DEFAULT 0, -- Least days between fetches of a post older than a day, for want of money.
    demand      double precision NOT NULL DEFAULT 0, -- Requests an hour that the tiers ask for.
    supply      double precision NOT NULL DEFAULT 0, -- Requests an hour that there are.
    tiers       json NOT NULL DEFAULT '[]', -- How many posts there are in each tier, the youngest first.
    measured_at timestamptz,
    batch       integer NOT NULL DEFAULT 0, -- Posts in a request, where the server takes fewer than its network says; 0: it does not.
    PRIMARY KEY (network, host)
);

-- What the networks are asked with. A network that needs none has one without a token.
CREATE TABLE credentials (
    id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    network        text NOT NULL,
    host           text NOT NULL DEFAULT '',
    name           text NOT NULL, -- The admin's name for it.
    token          bytea, -- Encrypted; null: none is needed.
    legacy         boolean NOT NULL DEFAULT false, -- Speaks X's v1.1 look-up.
    fields         text NOT NULL DEFAULT '', -- The name of X's parameter; '' is tweet.fields.
    state          text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'paused', 'disabled')),
    reason         text NOT NULL DEFAULT '', -- Why it is not active, or cools down.
    cooldown_until timestamptz,
    quota          integer NOT NULL CHECK (quota > 0), -- Requests a window.
    window_seconds integer NOT NULL CHECK (window_seconds > 0),
    remaining      integer NOT NULL, -- Requests, in the present window.
    reset_at       timestamptz, -- Its end; null until its first request.
    failures       smallint NOT NULL DEFAULT 0, -- In a row.
    monthly_posts  bigint CHECK (monthly_posts > 0), -- Posts that may be read in a UTC month; null: no budget.
    budget_month   date, -- The month of budget_used; null without a budget.
    budget_used    bigint NOT NULL DEFAULT 0, -- Posts paid for, or reserved for requests under way.
    used_at        timestamptz,
    created_at     timestamptz NOT NULL,
    UNIQUE (network, host, name)
) WITH (fillfactor = 50);

-- What each credential was used for on a UTC day.
CREATE TABLE credential_days (
    credential_id bigint NOT NULL REFERENCES credentials ON DELETE CASCADE,
    day           date NOT NULL,
    requests      bigint NOT NULL DEFAULT 0,
    posts         bigint NOT NULL DEFAULT 0, -- Read.
    charged       bigint NOT NULL DEFAULT 0, -- Paid for: a post is charged once a day.
    PRIMARY KEY (credential_id, day)
) WITH (fillfactor = 50);

-- Each request to a network, for a week.
CREATE TABLE post_polls (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    network       text NOT NULL,
    host          text NOT NULL,
    credential_id bigint REFERENCES credentials ON DELETE SET NULL,
    at            timestamptz NOT NULL,
    asked         integer NOT NULL, -- Posts.
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
    newest_id      text NOT NULL DEFAULT '', -- The newest known post.
    state          text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'invalid', 'paused')),
    next_update_at timestamptz,
    leased_until   timestamptz,
    lease_id       bigint,
    attempts       smallint NOT NULL DEFAULT 0, -- Failures in a row.
    looked_at      timestamptz, -- The last answer.
    last_error     text NOT NULL DEFAULT '',
    posts          integer NOT NULL DEFAULT 0, -- Found so far.
    added_at       timestamptz NOT NULL
);
CREATE UNIQUE INDEX post_accounts_member ON post_accounts (member_id, network, host, lower(handle));
CREATE INDEX post_accounts_due ON post_accounts (network, host, next_update_at) WHERE next_update_at IS NOT NULL;
