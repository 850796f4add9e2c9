-- +goose Up

-- What each reckoning of awards anew, from the ledger, found to differ.
CREATE TABLE award_checks (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    started_at  timestamptz NOT NULL,
    took        double precision NOT NULL, -- Seconds.
    slice       integer NOT NULL, -- Which seventh of the members.
    members     integer NOT NULL,
    items       bigint NOT NULL,
    differences jsonb NOT NULL -- [{"member", "what", "is", "should"}]; none is the proof.
);
