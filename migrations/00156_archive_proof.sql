-- +goose Up

-- What `laurel archive check` proves the archive by.

-- A response's hash is from here on made of its facts and its complete scopes in a way
-- that rows can be put together to again. Responses from before have another hash: like
-- those of which something was erased on purpose, they are checked by counts alone.
ALTER TABLE archive_retrievals
ADD COLUMN altered boolean NOT NULL DEFAULT true; -- Something that it showed was erased, or is not in its hash: only facts are counted.
ALTER TABLE archive_retrievals ALTER COLUMN altered SET DEFAULT false;

-- No page has shown something with such a hash yet.
UPDATE archive_pages SET base = NULL, hash = NULL;

-- The text of a row of the log: all that must never change unseen, the same in every session.
-- +goose StatementBegin
CREATE FUNCTION archive_line(r archive_retrievals) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_array(
        r.id, r.page_id, CAST(extract(epoch FROM r.at) * 1000000 AS bigint),
        CAST(extract(epoch FROM r.stored_at) * 1000000 AS bigint), r.outcome, encode(r.hash, 'hex'), r.same_as, r.facts,
        r.altered, r.locks, r.message, r.content
    )::text
$$;

-- The SHA-256 of a text, as bits that can be added to others by XOR.
CREATE FUNCTION archive_sum(line text) RETURNS bit(256) LANGUAGE sql IMMUTABLE AS $$
    SELECT CAST('x' || encode(sha256(convert_to(line, 'UTF8')), 'hex') AS bit(256))
$$;
-- +goose StatementEnd

-- The sum of a page's log: the XOR of the sums of its lines, kept by the statements that
-- add or remove one. A chain would not do: sampling takes lines from the middle.
CREATE TABLE archive_heads (
    page_id bigint PRIMARY KEY, -- Of archive_pages.
    sum     bit(256) NOT NULL
) WITH (fillfactor = 50);

INSERT INTO archive_heads (page_id, sum)
SELECT page_id, bit_xor(archive_sum(archive_line(r))) FROM archive_retrievals r GROUP BY page_id;

-- A check keeps the first findings and how many there are, and where the next one goes on.
ALTER TABLE archive_checks
ADD COLUMN total integer NOT NULL DEFAULT 0, -- Findings, also those that are not kept.
ADD COLUMN newest bigint, -- The newest response that was there.
ADD COLUMN part text NOT NULL DEFAULT 'everything'; -- What was checked.
UPDATE archive_checks SET total = jsonb_array_length(findings);
