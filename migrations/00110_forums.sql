-- +goose Up

-- Forums and mailing lists: harvesting their archives, messages, discussions, authors.

-- A forum is its own job: it carries when it is due, whether somebody kicked it, and
-- who is harvesting it.
CREATE TABLE forums (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    slug          text NOT NULL UNIQUE,
    name          text NOT NULL,
    kind          text NOT NULL, -- The software of the archive: pipermail, discourse, ...
    url           text NOT NULL UNIQUE, -- The stable entry point: one harvester per address.
    state         text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'paused', 'finished')),
    gap_ms        integer NOT NULL DEFAULT 1000 CHECK (gap_ms > 0), -- Between two requests, robots.txt's delay included.
    added_at      timestamptz NOT NULL,
    added_by      text NOT NULL DEFAULT '',
    from_period   text NOT NULL DEFAULT '', -- The oldest that is wanted, as its kind names periods by month; '' is all.
    next_run_at   timestamptz, -- Null while it is not open.
    kicked_at     timestamptz, -- Somebody wants a run at once.
    burst         boolean NOT NULL DEFAULT false, -- And without gaps.
    burst_at      timestamptz, -- The last burst.
    again         boolean NOT NULL DEFAULT false, -- The next run reads finished periods, too.
    leased_until  timestamptz,
    lease_id      bigint,
    attempts      smallint NOT NULL DEFAULT 0, -- Failures in a row.
    etag          text NOT NULL DEFAULT '', -- Of the entry point.
    last_modified text NOT NULL DEFAULT '', -- Of the entry point.
    cursor        text NOT NULL DEFAULT '', -- Where an interrupted run goes on, for kinds without periods.
    looked_at     timestamptz, -- The last run that reached what was read before.
    outcome       text NOT NULL DEFAULT '', -- Of the last run.
    message       text NOT NULL DEFAULT '',
    robots        text NOT NULL DEFAULT '', -- What robots.txt says of it, in words.
    messages      integer NOT NULL DEFAULT 0, -- Stored.
    duplicates    integer NOT NULL DEFAULT 0,
    requests      bigint NOT NULL DEFAULT 0,
    not_modified  bigint NOT NULL DEFAULT 0, -- Requests answered with 304.
    hook_hash     bytea, -- SHA-256 of the secret in its webhook's address; null: it has none.
    detected_at   timestamptz -- When somebody last reported that something new is there.
) WITH (fillfactor = 50);
CREATE INDEX forums_due ON forums (next_run_at) WHERE next_run_at IS NOT NULL;
CREATE INDEX forums_kicked ON forums (kicked_at) WHERE kicked_at IS NOT NULL;

-- The parts of an archive, such as months. One that is finished stands for all its
-- addresses, which are forgotten.
CREATE TABLE forum_periods (
    forum_id      bigint NOT NULL REFERENCES forums ON DELETE CASCADE,
    period        text NOT NULL,
    place         integer NOT NULL, -- In the index, the newest first, from 0.
    state         text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'closed', 'finished')),
    listed        integer NOT NULL DEFAULT 0, -- Messages in its list.
    stored        integer NOT NULL DEFAULT 0,
    label         text NOT NULL DEFAULT '', -- Its size in the index: another one means that it changed.
    etag          text NOT NULL DEFAULT '',
    last_modified text NOT NULL DEFAULT '',
    checked_at    timestamptz,
    changed_at    timestamptz,
    PRIMARY KEY (forum_id, period)
) WITH (fillfactor = 70);

-- Addresses that never change and were read. Only the hash is compared: of two
-- addresses with one hash, which nobody has seen yet, the second is asked for again.
CREATE TABLE forum_urls (
    hash       bigint PRIMARY KEY, -- The first 8 bytes of the SHA-256.
    forum_id   bigint NOT NULL REFERENCES forums ON DELETE CASCADE,
    period     text NOT NULL,
    status     smallint NOT NULL, -- Of HTTP.
    fetched_at timestamptz NOT NULL,
    url        text NOT NULL
);
CREATE INDEX forum_urls_period ON forum_urls (forum_id, period);

-- Pages that could not be fetched: tried again, after pauses that grow.
CREATE TABLE forum_gaps (
    forum_id bigint NOT NULL REFERENCES forums ON DELETE CASCADE,
    address  text NOT NULL, -- With # and its place, counted from the end, where addresses shift.
    period   text NOT NULL DEFAULT '', -- To which it belongs; '' where there are none.
    step     text NOT NULL DEFAULT '', -- How to ask for it again, as JSON, where no index leads to it.
    reason   text NOT NULL,
    tries    integer NOT NULL DEFAULT 1,
    first_at timestamptz NOT NULL,
    tried_at timestamptz NOT NULL,
    due_at   timestamptz NOT NULL, -- Not tried before.
    PRIMARY KEY (forum_id, address)
);
CREATE INDEX forum_gaps_period ON forum_gaps (forum_id, period, due_at);

-- Runs of the harvester, and what they did.
CREATE TABLE forum_runs (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    forum_id     bigint NOT NULL REFERENCES forums ON DELETE CASCADE,
    why          text NOT NULL, -- scheduled, kick, burst or again.
    started_at   timestamptz NOT NULL,
    ended_at     timestamptz,
    requests     integer NOT NULL DEFAULT 0,
    not_modified integer NOT NULL DEFAULT 0,
    new          integer NOT NULL DEFAULT 0, -- Messages.
    duplicates   integer NOT NULL DEFAULT 0,
    missing      integer NOT NULL DEFAULT 0, -- Listed, and still not stored.
    outcome      text NOT NULL DEFAULT '',
    message      text NOT NULL DEFAULT ''
);
CREATE INDEX forum_runs_forum ON forum_runs (forum_id, id DESC);

-- Addresses that an admin pasted: a job answers which kind of archive each is.
CREATE TABLE forum_looks (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    url          text NOT NULL,
    asked_by     text NOT NULL,
    asked_at     timestamptz NOT NULL,
    leased_until timestamptz,
    answered_at  timestamptz,
    kind         text NOT NULL DEFAULT '',
    base         text NOT NULL DEFAULT '', -- The entry point.
    name         text NOT NULL DEFAULT '',
    robots       text NOT NULL DEFAULT '',
    periods      integer NOT NULL DEFAULT 0,
    messages     integer NOT NULL DEFAULT 0, -- As the entry point says; 0: it does not.
    message      text NOT NULL DEFAULT '' -- What went wrong.
);
CREATE INDEX forum_looks_open ON forum_looks (asked_at) WHERE answered_at IS NULL;

-- Discussions: messages of a forum that answer each other, as far as archives say, or
-- else those of one subject within a month. A message found later may join two.
CREATE TABLE forum_threads (
    id       bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    forum_id bigint NOT NULL REFERENCES forums ON DELETE CASCADE,
    plain    text NOT NULL, -- Its subject without the prefixes of answers.
    headed   boolean NOT NULL, -- A message is known that answers nothing.
    head     bigint NOT NULL DEFAULT 0, -- The serial of the first known message.
    messages integer NOT NULL DEFAULT 0,
    people   integer NOT NULL DEFAULT 0,
    first_at timestamptz NOT NULL DEFAULT '0001-01-01',
    last_at  timestamptz NOT NULL DEFAULT '0001-01-01'
) WITH (fillfactor = 70);
CREATE INDEX forum_threads_last ON forum_threads (forum_id, last_at, id);
CREATE INDEX forum_threads_plain ON forum_threads (forum_id, plain);

-- How many messages of a forum are dated in a month: pages draw its whole history.
CREATE TABLE forum_months (
    forum_id bigint NOT NULL REFERENCES forums ON DELETE CASCADE,
    month    date NOT NULL, -- Its first day, in UTC.
    messages integer NOT NULL,
    PRIMARY KEY (forum_id, month)
) WITH (fillfactor = 70);

-- plain_address returns an address without what archives do to it: "ada at example.org",
-- "Ada (a) example.org" and "ada [at] example dot org" are ada@example.org.
-- +goose StatementBegin
CREATE FUNCTION plain_address(shown text) RETURNS text IMMUTABLE PARALLEL SAFE LANGUAGE sql AS $$
    SELECT CASE WHEN s LIKE '%@%' THEN s
        ELSE regexp_replace(regexp_replace(s, ' ?(\(a\)|\(at\)|\[at\]|&#64;) ?| at ', '@'), ' ?(\(dot\)|\[dot\]) ?| dot ', '.', 'g') END
    FROM btrim(regexp_replace(lower(shown), '\s+', ' ', 'g')) s
$$;
-- +goose StatementEnd

-- Messages of all forums.
CREATE TABLE messages (
    serial      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- In the order of storing.
    forum_id    bigint NOT NULL REFERENCES forums ON DELETE CASCADE,
    url         text NOT NULL,
    message_id  text NOT NULL DEFAULT '', -- '' where the archive shows none.
    in_reply_to text NOT NULL DEFAULT '', -- The message id that it answers.
    thread      text NOT NULL DEFAULT '', -- The message id, or the address, of its first message, as far as it is known.
    thread_id   bigint REFERENCES forum_threads ON DELETE SET NULL,
    period      text NOT NULL DEFAULT '',
    number      bigint NOT NULL DEFAULT 0, -- The archive's own.
    author      text NOT NULL,
    address     text NOT NULL, -- As it is shown, perhaps obfuscated.
    subject     text NOT NULL,
    sent_at     timestamptz,
    sent_shown  text NOT NULL, -- As it is shown: dates may be wrong.
    placed_at   timestamptz NOT NULL, -- Where it stands in lists: never in the future, and at the very end without a readable date.
    approximate boolean NOT NULL DEFAULT false, -- sent_at is not to be relied on.
    body        text NOT NULL,
    member_id   bigint REFERENCES members ON DELETE SET NULL, -- Its author, where that is a member.
    compared    text NOT NULL DEFAULT '', -- a/b: the members of a comparison that it links to.
    selectand   text NOT NULL DEFAULT '' CHECK (selectand IN ('', 'a', 'b')), -- Which of them the sender is.
    stored_at   timestamptz NOT NULL,
    version     integer NOT NULL DEFAULT 0, -- Counts edits from 1; 0 where messages are not edited.
    edited_at   timestamptz,
    words       tsvector GENERATED ALWAYS AS ( -- For search.
        to_tsvector('simple', left(subject || ' ' || author || ' ' || body, 200000))
    ) STORED,
    UNIQUE (forum_id, url)
);
CREATE UNIQUE INDEX messages_id ON messages (forum_id, message_id) WHERE message_id <> '';
CREATE INDEX messages_placed ON messages (placed_at, serial);
CREATE INDEX messages_forum ON messages (forum_id, placed_at, serial);
CREATE INDEX messages_member ON messages (member_id, placed_at, serial) WHERE member_id IS NOT NULL;
CREATE INDEX messages_thread ON messages (forum_id, thread);
CREATE INDEX messages_in_thread ON messages (thread_id, placed_at, serial);
CREATE INDEX messages_answers ON messages USING hash (in_reply_to) WHERE in_reply_to <> ''; -- A hash: ids may have any length.
CREATE INDEX messages_words ON messages USING gin (words);
CREATE INDEX messages_plain ON messages (plain_address(address)) WHERE address <> '';
CREATE INDEX messages_author ON messages (lower(author));

-- What messages talk about, as their links say it: a member and an account by name, in
-- small letters, whether or not anybody has it. Who joins, or adds an account, later is
-- found in old messages, too; who leaves is not.
CREATE TABLE message_references (
    serial bigint NOT NULL REFERENCES messages ON DELETE CASCADE,
    kind   text NOT NULL, -- problem, submission, contest, member, account, comparison or post.
    key    text NOT NULL,
    url    text NOT NULL,
    PRIMARY KEY (serial, kind, key)
);
CREATE INDEX message_references_key ON message_references (kind, key, serial DESC);

-- The same with the members of today.
CREATE VIEW message_things AS
    SELECT serial, kind, key, url FROM message_references WHERE kind NOT IN ('member', 'account')
    UNION ALL
    SELECT r.serial, 'member', m.name, r.url
    FROM message_references r
    JOIN members m ON lower(m.name) = r.key
    WHERE r.kind = 'member'
    UNION ALL
    SELECT r.serial, 'member', m.name, r.url
    FROM message_references r
    JOIN accounts a ON a.site = split_part(r.key, '/', 1) AND lower(a.handle) = substr(r.key, strpos(r.key, '/') + 1)
    JOIN members m ON m.id = a.member_id
    WHERE r.kind = 'account'
        AND NOT EXISTS (SELECT FROM message_references s WHERE s.serial = r.serial AND s.kind = 'member' AND s.key = lower(m.name));

-- Messages that came by a second address: a hint that an archive was made anew.
CREATE TABLE message_duplicates (
    forum_id bigint NOT NULL REFERENCES forums ON DELETE CASCADE,
    url      text NOT NULL, -- The second address.
    serial   bigint NOT NULL REFERENCES messages ON DELETE CASCADE,
    seen     integer NOT NULL DEFAULT 1,
    seen_at  timestamptz NOT NULL,
    PRIMARY KEY (forum_id, url)
);

-- Who writes under which name and address. It holds once a person who may has said so;
-- what a member asked for waits for an admin, and what was dismissed stays so that it is
-- not suggested again.
CREATE TABLE message_authors (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    member_id  bigint REFERENCES members ON DELETE CASCADE, -- Null: nobody, as of lists and bots.
    forum_id   bigint REFERENCES forums ON DELETE CASCADE, -- Null: in all.
    name       text NOT NULL DEFAULT '',
    address    text NOT NULL DEFAULT '', -- In small letters, as shown or not obfuscated.
    state      text NOT NULL DEFAULT 'said' CHECK (state IN ('said', 'asked', 'dismissed')),
    added_by   text NOT NULL,
    added_at   timestamptz NOT NULL,
    decided_by text NOT NULL DEFAULT '',
    decided_at timestamptz,
    CHECK (name <> '' OR address <> ''),
    CHECK (member_id IS NOT NULL OR state = 'said')
);
CREATE UNIQUE INDEX message_authors_once ON message_authors (coalesce(member_id, 0), coalesce(forum_id, 0), lower(name), address);
CREATE UNIQUE INDEX message_authors_said ON message_authors (coalesce(forum_id, 0), lower(name), address) WHERE state = 'said';
CREATE INDEX message_authors_address ON message_authors (address) WHERE address <> '';
CREATE INDEX message_authors_open ON message_authors (id) WHERE state = 'asked';
