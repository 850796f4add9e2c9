-- +goose Up

ALTER TABLE members ADD COLUMN hidden_cards text NOT NULL DEFAULT '';
COMMENT ON COLUMN members.hidden_cards IS 'The cards that the member has taken off Today, by name, with spaces between.';
