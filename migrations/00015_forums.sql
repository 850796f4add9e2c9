-- +goose Up

-- Archives of mailing lists and forums. A forum is its own job: it carries when it
-- is due, whether somebody kicked it, and who is at it.
CREATE TABLE forums (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    slug          text NOT NULL UNIQUE,
    name          text NOT NULL,
    kind          text NOT NULL,
    url           text NOT NULL UNIQUE, -- The stable entry point: one harvester per address.
    state         text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'paused', 'finished')),
    gap_ms        integer NOT NULL DEFAULT 1000 CHECK (gap_ms > 0), -- Between two requests, robots.txt's delay included.
    added_at      timestamptz NOT NULL,
    added_by      text NOT NULL DEFAULT '',
    from_period   text NOT NULL DEFAULT '', -- The oldest that is wanted, as its kind names periods by month; '' is all.
    next_run_at   timestamptz, -- Null while it is not open.
    kicked_at     timestamptz, -- Somebody wants it at once.
    burst         boolean NOT NULL DEFAULT false, -- And without gaps.
    burst_at      timestamptz, -- The last burst.
    again         boolean NOT NULL DEFAULT false, -- Finished periods are looked at again, too.
    leased_until  timestamptz,
    lease_id      bigint,
    attempts      smallint NOT NULL DEFAULT 0, -- Failures in a row.
    etag          text NOT NULL DEFAULT '', -- Of the entry point.
    last_modified text NOT NULL DEFAULT '',
    cursor        text NOT NULL DEFAULT '', -- Where a walk that was cut short goes on, for kinds without periods.
    looked_at     timestamptz, -- The last run that reached covered ground.
    outcome       text NOT NULL DEFAULT '',
    message       text NOT NULL DEFAULT '',
    robots        text NOT NULL DEFAULT '', -- What robots.txt says of it, in words.
    messages      integer NOT NULL DEFAULT 0,
    duplicates    integer NOT NULL DEFAULT 0,
    requests      bigint NOT NULL DEFAULT 0,
    not_modified  bigint NOT NULL DEFAULT 0
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
    listed        integer NOT NULL DEFAULT 0,
    stored        integer NOT NULL DEFAULT 0,
    label         text NOT NULL DEFAULT '', -- Its size as the index tells it: another one means that it changed.
    etag          text NOT NULL DEFAULT '',
    last_modified text NOT NULL DEFAULT '',
    checked_at    timestamptz,
    changed_at    timestamptz,
    PRIMARY KEY (forum_id, period)
) WITH (fillfactor = 70);

-- Addresses that never change and were read, by the first 8 bytes of their SHA-256.
-- The address stands beside it: a collision hides nothing.
CREATE TABLE forum_urls (
    hash       bigint NOT NULL,
    forum_id   bigint NOT NULL REFERENCES forums ON DELETE CASCADE,
    period     text NOT NULL,
    status     smallint NOT NULL,
    fetched_at timestamptz NOT NULL,
    url        text NOT NULL,
    PRIMARY KEY (hash, url)
);
CREATE INDEX forum_urls_period ON forum_urls (forum_id, period);

CREATE TABLE messages (
    serial      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    forum_id    bigint NOT NULL REFERENCES forums ON DELETE CASCADE,
    url         text NOT NULL,
    message_id  text NOT NULL DEFAULT '', -- '' where the archive tells none.
    in_reply_to text NOT NULL DEFAULT '',
    thread      text NOT NULL DEFAULT '', -- The message id, or the address, of its first message, as far as it is known.
    period      text NOT NULL DEFAULT '',
    number      bigint NOT NULL DEFAULT 0, -- The archive's own.
    author      text NOT NULL,
    address     text NOT NULL, -- As it is shown, perhaps obfuscated.
    subject     text NOT NULL,
    sent_at     timestamptz,
    sent_shown  text NOT NULL, -- As it is shown: dates lie.
    placed_at   timestamptz NOT NULL, -- Where it stands in lists: never in the future, and at the very end where no date was understood.
    approximate boolean NOT NULL DEFAULT false,
    body        text NOT NULL,
    member_id   bigint REFERENCES members ON DELETE SET NULL,
    compared    text NOT NULL DEFAULT '', -- Of a message that links to a comparison of two members: a/b.
    selectand   text NOT NULL DEFAULT '' CHECK (selectand IN ('', 'a', 'b')), -- Which of them the sender is.
    stored_at   timestamptz NOT NULL,
    words       tsvector GENERATED ALWAYS AS (to_tsvector('simple', left(subject || ' ' || author || ' ' || body, 200000))) STORED,
    UNIQUE (forum_id, url)
);
CREATE UNIQUE INDEX messages_id ON messages (forum_id, message_id) WHERE message_id <> '';
CREATE INDEX messages_placed ON messages (placed_at, serial);
CREATE INDEX messages_forum ON messages (forum_id, placed_at, serial);
CREATE INDEX messages_member ON messages (member_id, placed_at, serial) WHERE member_id IS NOT NULL;
CREATE INDEX messages_thread ON messages (forum_id, thread);
CREATE INDEX messages_words ON messages USING gin (words);

-- What messages talk about.
CREATE TABLE message_references (
    serial bigint NOT NULL REFERENCES messages ON DELETE CASCADE,
    kind   text NOT NULL, -- problem, submission, contest, member, comparison or post.
    key    text NOT NULL,
    url    text NOT NULL,
    PRIMARY KEY (serial, kind, key)
);
CREATE INDEX message_references_key ON message_references (kind, key, serial DESC);

-- Messages that came by a second address: a hint at an archive that was made anew.
CREATE TABLE message_duplicates (
    forum_id bigint NOT NULL REFERENCES forums ON DELETE CASCADE,
    url      text NOT NULL,
    serial   bigint NOT NULL REFERENCES messages ON DELETE CASCADE,
    seen     integer NOT NULL DEFAULT 1,
    seen_at  timestamptz NOT NULL,
    PRIMARY KEY (forum_id, url)
);

-- Who writes under which name and address, as a person has said.
CREATE TABLE message_authors (
    id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    member_id bigint NOT NULL REFERENCES members ON DELETE CASCADE,
    forum_id  bigint REFERENCES forums ON DELETE CASCADE, -- Null: in all.
    name      text NOT NULL DEFAULT '',
    address   text NOT NULL DEFAULT '', -- In small letters, as shown or not obfuscated.
    added_by  text NOT NULL,
    added_at  timestamptz NOT NULL,
    CHECK (name <> '' OR address <> '')
);
CREATE UNIQUE INDEX message_authors_once ON message_authors (coalesce(forum_id, 0), lower(name), address);

-- Addresses that an admin pasted: a job answers what they are.
CREATE TABLE forum_looks (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    url          text NOT NULL,
    asked_by     text NOT NULL,
    asked_at     timestamptz NOT NULL,
    leased_until timestamptz,
    answered_at  timestamptz,
    kind         text NOT NULL DEFAULT '',
    base         text NOT NULL DEFAULT '',
    name         text NOT NULL DEFAULT '',
    robots       text NOT NULL DEFAULT '',
    periods      integer NOT NULL DEFAULT 0,
    messages     integer NOT NULL DEFAULT 0, -- As far as the entry point tells; 0 where it does not.
    message      text NOT NULL DEFAULT '' -- What went wrong.
);
CREATE INDEX forum_looks_open ON forum_looks (asked_at) WHERE answered_at IS NULL;

-- Runs of the harvester, and what they did.
CREATE TABLE forum_runs (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    forum_id     bigint NOT NULL REFERENCES forums ON DELETE CASCADE,
    why          text NOT NULL, -- scheduled, kick, burst or again.
    started_at   timestamptz NOT NULL,
    ended_at     timestamptz,
    requests     integer NOT NULL DEFAULT 0,
    not_modified integer NOT NULL DEFAULT 0,
    new          integer NOT NULL DEFAULT 0,
    duplicates   integer NOT NULL DEFAULT 0,
    missing      integer NOT NULL DEFAULT 0, -- Listed, and still not stored.
    outcome      text NOT NULL DEFAULT '',
    message      text NOT NULL DEFAULT ''
);
CREATE INDEX forum_runs_forum ON forum_runs (forum_id, id DESC);

-- robots.txt of hosts.
CREATE TABLE robots (
    host       text PRIMARY KEY, -- With its scheme.
    body       text NOT NULL,
    verdict    text NOT NULL CHECK (verdict IN ('read', 'absent', 'unreachable')),
    fetched_at timestamptz NOT NULL
);

INSERT INTO event_sources (source, first_at) VALUES ('messages', 'epoch') ON CONFLICT DO NOTHING;
INSERT INTO event_positions (source, part) SELECT 'messages', part FROM generate_series(0, 15) part ON CONFLICT DO NOTHING;
