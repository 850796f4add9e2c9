-- +goose Up

-- People without an account who proved a handle can let everybody see their pages. See docs/design/proof.md.

CREATE TABLE shown_handles (
    site   text NOT NULL,
    handle text NOT NULL, -- In small letters.
    since  timestamptz NOT NULL,
    PRIMARY KEY (site, handle)
);
COMMENT ON TABLE shown_handles IS 'Handles whose owners, who have no account, let everybody see the pages of them.';
COMMENT ON COLUMN members.proved_at IS
    'Of a custom member: since when everybody may see them, as the owners of all their handles let it; null: some did not. Kept by triggers.';

-- show_custom keeps members.proved_at of custom members, from which their audience follows. It holds the handles that
-- it read until its transaction ends: an owner who takes one back waits, and then sees what the transaction made of it.
-- +goose StatementBegin
CREATE FUNCTION show_custom(ids bigint[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    ids := ARRAY(SELECT id FROM members WHERE id = ANY(ids) AND custom);
    IF ids = '{}' THEN
        RETURN;
    END IF;
    PERFORM FROM accounts a JOIN shown_handles s ON s.site = a.site AND s.handle = lower(a.handle)
    WHERE a.member_id = ANY(ids) FOR KEY SHARE OF s;
    UPDATE members m SET proved_at = shown.since
    FROM (
        SELECT i.id, CASE WHEN count(s.site) = count(a.id) THEN max(s.since) END AS since
        FROM unnest(ids) i(id)
        LEFT JOIN accounts a ON a.member_id = i.id
        LEFT JOIN shown_handles s ON s.site = a.site AND s.handle = lower(a.handle)
        GROUP BY i.id
    ) shown
    WHERE m.id = shown.id AND m.proved_at IS DISTINCT FROM shown.since;
END
$$;

CREATE FUNCTION show_custom_of_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM show_custom(ARRAY[OLD.member_id, NEW.member_id]);
    RETURN NULL;
END
$$;

CREATE FUNCTION show_custom_of_handle() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM show_custom(ARRAY(
        SELECT member_id FROM accounts
        WHERE (site, lower(handle)) IN ((OLD.site, OLD.handle), (NEW.site, NEW.handle))
        ORDER BY member_id
    ));
    RETURN NULL;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER show_custom_of_account AFTER INSERT OR DELETE OR UPDATE OF member_id, site, handle ON accounts
    FOR EACH ROW EXECUTE FUNCTION show_custom_of_account();
CREATE TRIGGER show_custom_of_handle AFTER INSERT OR DELETE OR UPDATE ON shown_handles
    FOR EACH ROW EXECUTE FUNCTION show_custom_of_handle();
