-- +goose Up

-- The built-in shards of the archive: what was known of each thing, and from when until
-- when. Their declarations are models/archive/shard_*.go, and a test holds these tables
-- against them.
--
-- shard_NAME has one row a key, of what holds now; its rows are written anew in their
-- place, which the fillfactor leaves room for. shard__past_NAME has the rows that have
-- ended, and is only added to. The archive's own columns are the same everywhere:
--
--   _from     when it was first seen so
--   _until    when it was seen to be otherwise
--   _reason   why it ended
--   _seen     the responses (archive_retrievals) that showed it, oldest first
--   _aside    where older parts of _seen are (archive_seen); null: nowhere
--   _goes_on  its key went on, after _until, with the same unique values: left out of their indexes

-- Rated contests of an account.
CREATE TABLE shard_account_contest (
    site     text NOT NULL,
    handle   text NOT NULL,
    contest  text NOT NULL,
    name     text,
    url      text,
    rank     bigint,
    rating   bigint,
    rated_at timestamptz,
    _from timestamptz NOT NULL, _seen bigint[] NOT NULL, _aside bigint
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX shard_account_contest_key_open ON shard_account_contest (site, handle, contest);
CREATE TABLE shard__past_account_contest (
    site     text NOT NULL,
    handle   text NOT NULL,
    contest  text NOT NULL,
    name     text,
    url      text,
    rank     bigint,
    rating   bigint,
    rated_at timestamptz,
    _from timestamptz NOT NULL, _until timestamptz NOT NULL, _reason text NOT NULL,
    _seen bigint[] NOT NULL, _aside bigint, _goes_on boolean NOT NULL,
    CHECK (_from < _until)
);
CREATE UNIQUE INDEX shard__past_account_contest_key ON shard__past_account_contest (site, handle, contest, _from);

-- Solved and submitted, as the site shows them.
CREATE TABLE shard_account_counts (
    site      text NOT NULL,
    handle    text NOT NULL,
    solved    bigint,
    submitted bigint,
    _from timestamptz NOT NULL, _seen bigint[] NOT NULL, _aside bigint
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX shard_account_counts_key_open ON shard_account_counts (site, handle);
CREATE TABLE shard__past_account_counts (
    site      text NOT NULL,
    handle    text NOT NULL,
    solved    bigint,
    submitted bigint,
    _from timestamptz NOT NULL, _until timestamptz NOT NULL, _reason text NOT NULL,
    _seen bigint[] NOT NULL, _aside bigint, _goes_on boolean NOT NULL,
    CHECK (_from < _until)
);
CREATE UNIQUE INDEX shard__past_account_counts_key ON shard__past_account_counts (site, handle, _from);

-- Name on a profile.
CREATE TABLE shard_account_name (
    site   text NOT NULL,
    handle text NOT NULL,
    name   text,
    _from timestamptz NOT NULL, _seen bigint[] NOT NULL, _aside bigint
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX shard_account_name_key_open ON shard_account_name (site, handle);
CREATE TABLE shard__past_account_name (
    site   text NOT NULL,
    handle text NOT NULL,
    name   text,
    _from timestamptz NOT NULL, _until timestamptz NOT NULL, _reason text NOT NULL,
    _seen bigint[] NOT NULL, _aside bigint, _goes_on boolean NOT NULL,
    CHECK (_from < _until)
);
CREATE UNIQUE INDEX shard__past_account_name_key ON shard__past_account_name (site, handle, _from);

-- Country and organisation on a profile.
CREATE TABLE shard_account_place (
    site         text NOT NULL,
    handle       text NOT NULL,
    country      text,
    organisation text,
    _from timestamptz NOT NULL, _seen bigint[] NOT NULL, _aside bigint
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX shard_account_place_key_open ON shard_account_place (site, handle);
CREATE TABLE shard__past_account_place (
    site         text NOT NULL,
    handle       text NOT NULL,
    country      text,
    organisation text,
    _from timestamptz NOT NULL, _until timestamptz NOT NULL, _reason text NOT NULL,
    _seen bigint[] NOT NULL, _aside bigint, _goes_on boolean NOT NULL,
    CHECK (_from < _until)
);
CREATE UNIQUE INDEX shard__past_account_place_key ON shard__past_account_place (site, handle, _from);

-- Rank in a site's rating list.
CREATE TABLE shard_account_rank (
    site   text NOT NULL,
    handle text NOT NULL,
    rank   bigint,
    _from timestamptz NOT NULL, _seen bigint[] NOT NULL, _aside bigint
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX shard_account_rank_key_open ON shard_account_rank (site, handle);
CREATE TABLE shard__past_account_rank (
    site   text NOT NULL,
    handle text NOT NULL,
    rank   bigint,
    _from timestamptz NOT NULL, _until timestamptz NOT NULL, _reason text NOT NULL,
    _seen bigint[] NOT NULL, _aside bigint, _goes_on boolean NOT NULL,
    CHECK (_from < _until)
);
CREATE UNIQUE INDEX shard__past_account_rank_key ON shard__past_account_rank (site, handle, _from);

-- Rating of an account.
CREATE TABLE shard_account_rating (
    site   text NOT NULL,
    handle text NOT NULL,
    rating bigint,
    best   bigint,
    _from timestamptz NOT NULL, _seen bigint[] NOT NULL, _aside bigint
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX shard_account_rating_key_open ON shard_account_rating (site, handle);
CREATE TABLE shard__past_account_rating (
    site   text NOT NULL,
    handle text NOT NULL,
    rating bigint,
    best   bigint,
    _from timestamptz NOT NULL, _until timestamptz NOT NULL, _reason text NOT NULL,
    _seen bigint[] NOT NULL, _aside bigint, _goes_on boolean NOT NULL,
    CHECK (_from < _until)
);
CREATE UNIQUE INDEX shard__past_account_rating_key ON shard__past_account_rating (site, handle, _from);

-- Title that a site gives.
CREATE TABLE shard_account_title (
    site   text NOT NULL,
    handle text NOT NULL,
    title  text,
    _from timestamptz NOT NULL, _seen bigint[] NOT NULL, _aside bigint
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX shard_account_title_key_open ON shard_account_title (site, handle);
CREATE TABLE shard__past_account_title (
    site   text NOT NULL,
    handle text NOT NULL,
    title  text,
    _from timestamptz NOT NULL, _until timestamptz NOT NULL, _reason text NOT NULL,
    _seen bigint[] NOT NULL, _aside bigint, _goes_on boolean NOT NULL,
    CHECK (_from < _until)
);
CREATE UNIQUE INDEX shard__past_account_title_key ON shard__past_account_title (site, handle, _from);

-- Submissions of an account.
CREATE TABLE shard_account_totals (
    member      text NOT NULL,
    site        text NOT NULL,
    handle      text,
    submissions bigint,
    accepted    bigint,
    solved      bigint,
    statuses    jsonb,
    _from timestamptz NOT NULL, _seen bigint[] NOT NULL, _aside bigint
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX shard_account_totals_key_open ON shard_account_totals (member, site);
CREATE TABLE shard__past_account_totals (
    member      text NOT NULL,
    site        text NOT NULL,
    handle      text,
    submissions bigint,
    accepted    bigint,
    solved      bigint,
    statuses    jsonb,
    _from timestamptz NOT NULL, _until timestamptz NOT NULL, _reason text NOT NULL,
    _seen bigint[] NOT NULL, _aside bigint, _goes_on boolean NOT NULL,
    CHECK (_from < _until)
);
CREATE UNIQUE INDEX shard__past_account_totals_key ON shard__past_account_totals (member, site, _from);

-- Places of a ranking.
CREATE TABLE shard_ladder (
    ladder text NOT NULL,
    player text NOT NULL,
    rank   bigint,
    score  double precision,
    _from timestamptz NOT NULL, _seen bigint[] NOT NULL, _aside bigint
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX shard_ladder_key_open ON shard_ladder (ladder, player);
CREATE UNIQUE INDEX shard_ladder_u1_open ON shard_ladder (ladder, rank);
CREATE TABLE shard__past_ladder (
    ladder text NOT NULL,
    player text NOT NULL,
    rank   bigint,
    score  double precision,
    _from timestamptz NOT NULL, _until timestamptz NOT NULL, _reason text NOT NULL,
    _seen bigint[] NOT NULL, _aside bigint, _goes_on boolean NOT NULL,
    CHECK (_from < _until)
);
CREATE UNIQUE INDEX shard__past_ladder_key ON shard__past_ladder (ladder, player, _from);
CREATE UNIQUE INDEX shard__past_ladder_u1 ON shard__past_ladder (ladder, rank, _from) WHERE NOT _goes_on;

-- Lists of a ranking.
CREATE TABLE shard_ladder_list (
    ladder text NOT NULL,
    list   text,
    size   bigint,
    _from timestamptz NOT NULL, _seen bigint[] NOT NULL, _aside bigint
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX shard_ladder_list_key_open ON shard_ladder_list (ladder);
CREATE TABLE shard__past_ladder_list (
    ladder text NOT NULL,
    list   text,
    size   bigint,
    _from timestamptz NOT NULL, _until timestamptz NOT NULL, _reason text NOT NULL,
    _seen bigint[] NOT NULL, _aside bigint, _goes_on boolean NOT NULL,
    CHECK (_from < _until)
);
CREATE UNIQUE INDEX shard__past_ladder_list_key ON shard__past_ladder_list (ladder, _from);

-- Name and time zone of a member.
CREATE TABLE shard_member_person (
    member       text NOT NULL,
    display_name text,
    time_zone    text,
    _from timestamptz NOT NULL, _seen bigint[] NOT NULL, _aside bigint
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX shard_member_person_key_open ON shard_member_person (member);
CREATE TABLE shard__past_member_person (
    member       text NOT NULL,
    display_name text,
    time_zone    text,
    _from timestamptz NOT NULL, _until timestamptz NOT NULL, _reason text NOT NULL,
    _seen bigint[] NOT NULL, _aside bigint, _goes_on boolean NOT NULL,
    CHECK (_from < _until)
);
CREATE UNIQUE INDEX shard__past_member_person_key ON shard__past_member_person (member, _from);

-- Streaks of a member.
CREATE TABLE shard_member_streaks (
    member               text NOT NULL,
    day_streak           bigint,
    best_day_streak      bigint,
    last_day             text,
    accepted_streak      bigint,
    best_accepted_streak bigint,
    newest_at            timestamptz,
    _from timestamptz NOT NULL, _seen bigint[] NOT NULL, _aside bigint
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX shard_member_streaks_key_open ON shard_member_streaks (member);
CREATE TABLE shard__past_member_streaks (
    member               text NOT NULL,
    day_streak           bigint,
    best_day_streak      bigint,
    last_day             text,
    accepted_streak      bigint,
    best_accepted_streak bigint,
    newest_at            timestamptz,
    _from timestamptz NOT NULL, _until timestamptz NOT NULL, _reason text NOT NULL,
    _seen bigint[] NOT NULL, _aside bigint, _goes_on boolean NOT NULL,
    CHECK (_from < _until)
);
CREATE UNIQUE INDEX shard__past_member_streaks_key ON shard__past_member_streaks (member, _from);

-- Totals of a member.
CREATE TABLE shard_member_totals (
    member      text NOT NULL,
    submissions bigint,
    accepted    bigint,
    solved      bigint,
    _from timestamptz NOT NULL, _seen bigint[] NOT NULL, _aside bigint
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX shard_member_totals_key_open ON shard_member_totals (member);
CREATE TABLE shard__past_member_totals (
    member      text NOT NULL,
    submissions bigint,
    accepted    bigint,
    solved      bigint,
    _from timestamptz NOT NULL, _until timestamptz NOT NULL, _reason text NOT NULL,
    _seen bigint[] NOT NULL, _aside bigint, _goes_on boolean NOT NULL,
    CHECK (_from < _until)
);
CREATE UNIQUE INDEX shard__past_member_totals_key ON shard__past_member_totals (member, _from);

-- Numbers of a post, as its network gave them.
CREATE TABLE shard_post_metrics (
    network   text NOT NULL,
    host      text NOT NULL,
    post      text NOT NULL,
    likes     bigint,
    reposts   bigint,
    replies   bigint,
    quotes    bigint,
    bookmarks bigint,
    views     bigint,
    _from timestamptz NOT NULL, _seen bigint[] NOT NULL, _aside bigint
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX shard_post_metrics_key_open ON shard_post_metrics (network, host, post);
CREATE TABLE shard__past_post_metrics (
    network   text NOT NULL,
    host      text NOT NULL,
    post      text NOT NULL,
    likes     bigint,
    reposts   bigint,
    replies   bigint,
    quotes    bigint,
    bookmarks bigint,
    views     bigint,
    _from timestamptz NOT NULL, _until timestamptz NOT NULL, _reason text NOT NULL,
    _seen bigint[] NOT NULL, _aside bigint, _goes_on boolean NOT NULL,
    CHECK (_from < _until)
);
CREATE UNIQUE INDEX shard__past_post_metrics_key ON shard__past_post_metrics (network, host, post, _from);
