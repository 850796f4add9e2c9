-- +goose Up

-- An address without what archives do to it: "ada at example.org", "Ada (a) example.org"
-- and "ada [at] example dot org" are ada@example.org.
-- +goose StatementBegin
CREATE FUNCTION plain_address(shown text) RETURNS text IMMUTABLE PARALLEL SAFE LANGUAGE sql AS $$
    SELECT CASE WHEN s LIKE '%@%' THEN s
        ELSE regexp_replace(regexp_replace(s, ' ?(\(a\)|\(at\)|\[at\]|&#64;) ?| at ', '@'), ' ?(\(dot\)|\[dot\]) ?| dot ', '.', 'g') END
    FROM btrim(regexp_replace(lower(shown), '\s+', ' ', 'g')) s
$$;
-- +goose StatementEnd
CREATE INDEX messages_plain ON messages (plain_address(address)) WHERE address <> '';
CREATE INDEX messages_author ON messages (lower(author));

-- Who writes under which name and address. It holds once a person who may has said
-- so; what a member asked for waits for an admin, and what one said no to is kept so
-- that it is not suggested again.
ALTER TABLE message_authors ALTER COLUMN member_id DROP NOT NULL; -- Null: nobody, as of lists and bots.
ALTER TABLE message_authors ADD COLUMN state text NOT NULL DEFAULT 'said' CHECK (state IN ('said', 'asked', 'dismissed'));
ALTER TABLE message_authors ADD COLUMN decided_by text NOT NULL DEFAULT '';
ALTER TABLE message_authors ADD COLUMN decided_at timestamptz;
ALTER TABLE message_authors ADD CHECK (member_id IS NOT NULL OR state = 'said');
DROP INDEX message_authors_once;
CREATE UNIQUE INDEX message_authors_once ON message_authors (coalesce(member_id, 0), coalesce(forum_id, 0), lower(name), address);
CREATE UNIQUE INDEX message_authors_said ON message_authors (coalesce(forum_id, 0), lower(name), address) WHERE state = 'said';
CREATE INDEX message_authors_address ON message_authors (address) WHERE address <> '';
CREATE INDEX message_authors_open ON message_authors (id) WHERE state = 'asked';

-- What messages talk about is kept as their links say it: a member and an account by
-- name, in small letters, whether or not somebody is called so. Who joins, or names an
-- account, later is found in old messages, too; who leaves is not.
UPDATE message_references SET key = lower(key) WHERE kind IN ('member', 'comparison');
CREATE VIEW message_things AS
    SELECT serial, kind, key, url FROM message_references WHERE kind NOT IN ('member', 'account')
    UNION ALL
    SELECT r.serial, 'member', m.name, r.url FROM message_references r JOIN members m ON lower(m.name) = r.key WHERE r.kind = 'member'
    UNION ALL
    SELECT r.serial, 'member', m.name, r.url FROM message_references r
    JOIN accounts a ON a.site = split_part(r.key, '/', 1) AND lower(a.handle) = substr(r.key, strpos(r.key, '/') + 1) JOIN members m ON m.id = a.member_id
    WHERE r.kind = 'account'
        AND NOT EXISTS (SELECT FROM message_references s WHERE s.serial = r.serial AND s.kind = 'member' AND s.key = lower(m.name));
CREATE INDEX accounts_handle ON accounts (site, lower(handle));
CREATE INDEX submissions_problem ON submissions (problem_id, member_id);
