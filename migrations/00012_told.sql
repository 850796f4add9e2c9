-- +goose Up

-- Whether what there was before awards came was told to them, too. What is new
-- is told as it is stored.
ALTER TABLE accounts ADD COLUMN told boolean NOT NULL DEFAULT false;
ALTER TABLE accounts ALTER COLUMN told SET DEFAULT true;
CREATE INDEX accounts_untold ON accounts (id) WHERE NOT told;

-- An award that a program could not read while events went by: it is counted anew
-- by one that can.
ALTER TABLE awards ADD COLUMN stopped boolean NOT NULL DEFAULT false;
