-- +goose Up

-- The awards that members show first on their page.
CREATE TABLE award_pins (
    member_id bigint NOT NULL REFERENCES members ON DELETE CASCADE,
    award_id  bigint NOT NULL REFERENCES awards ON DELETE CASCADE,
    place     smallint NOT NULL CHECK (place BETWEEN 1 AND 3),
    PRIMARY KEY (member_id, award_id),
    UNIQUE (member_id, place)
);
