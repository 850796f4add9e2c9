-- +goose Up

ALTER TABLE members ADD language text NOT NULL DEFAULT '';
COMMENT ON COLUMN members.language IS 'Of pages, as the member chose it: de. Empty: what their browser says.';
