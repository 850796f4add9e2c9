-- +goose Up

-- Leaderboards that are kept: see docs/design/standings.md.

CREATE TABLE solved (
    member_id     bigint NOT NULL REFERENCES members ON DELETE CASCADE,
    problem_id    bigint NOT NULL, -- Of problems.
    first_at      timestamptz NOT NULL,
    submission_id bigint NOT NULL, -- Of submissions: the first accepted one.
    PRIMARY KEY (member_id, problem_id)
);
CREATE INDEX solved_member ON solved (member_id, first_at DESC);
COMMENT ON TABLE solved IS 'What each member solved, and when first. Written with days, when submissions are stored.';

INSERT INTO solved (member_id, problem_id, first_at, submission_id)
SELECT DISTINCT ON (member_id, problem_id) member_id, problem_id, submitted_at, id
FROM submissions
WHERE status = 'AC'
ORDER BY member_id, problem_id, submitted_at, id;

CREATE TABLE standings (
    member_id    bigint PRIMARY KEY REFERENCES members ON DELETE CASCADE,
    name         text COLLATE "C" NOT NULL,
    display_name text NOT NULL,
    custom       boolean NOT NULL,
    shown        smallint NOT NULL,
    solved       integer NOT NULL,
    submissions  integer NOT NULL,
    accepted     integer NOT NULL,
    streak       integer NOT NULL,
    incomplete   text[] NOT NULL,
    turns_at     timestamptz
);
CREATE INDEX standings_turns ON standings (turns_at);
COMMENT ON TABLE standings IS 'What a leaderboard shows of a member beside the place, so that a row of it is a row of this.';
COMMENT ON COLUMN standings.name IS 'As the members table has it.';
COMMENT ON COLUMN standings.shown IS 'The member''s audience; 3: off the boards, so in no ranking.';
COMMENT ON COLUMN standings.solved IS 'Ever, as on the profile; so are submissions and accepted.';
COMMENT ON COLUMN standings.streak IS 'Days in a row that still count today.';
COMMENT ON COLUMN standings.incomplete IS 'The sites of which something is not read.';
COMMENT ON COLUMN standings.turns_at IS 'The next midnight of the member''s at which a day leaves a window; null: none will.';

CREATE TABLE standing_places (
    member_id   bigint NOT NULL REFERENCES members ON DELETE CASCADE,
    board       text COLLATE "C" NOT NULL,
    shown       smallint NOT NULL,
    name        text COLLATE "C" NOT NULL,
    value       integer NOT NULL,
    behind      integer NOT NULL GENERATED ALWAYS AS (-value) STORED,
    was         integer,
    submissions integer NOT NULL,
    accepted    integer NOT NULL,
    PRIMARY KEY (member_id, board)
);
CREATE INDEX standing_places_order ON standing_places (board, shown, behind, name);
COMMENT ON TABLE standing_places IS 'Who is on which leaderboard, with what.';
COMMENT ON COLUMN standing_places.board IS 'solved:week, solved:month, solved:year, solved:all, streak, awards, or rating: and a site.';
COMMENT ON COLUMN standing_places.name IS 'In lower case: equal values follow by it.';
COMMENT ON COLUMN standing_places.behind IS 'The value, so that the index has the best first and equal ones by name.';
COMMENT ON COLUMN standing_places.was IS 'The value at the end of the member''s day seven days ago, as known now; null: not on the board then.';
COMMENT ON COLUMN standing_places.submissions IS 'In the window of the board, as accepted.';

-- How many places have more than a value, by a tree: a level counts values in buckets of four times
-- the size of the level below, so an answer is at most three rows of each.
CREATE TABLE standing_counts (
    board        text COLLATE "C" NOT NULL,
    level        smallint NOT NULL,
    bucket       integer NOT NULL,
    for_everyone integer NOT NULL,
    for_members  integer NOT NULL,
    kept         integer NOT NULL,
    PRIMARY KEY (board, level, bucket)
);
COMMENT ON TABLE standing_counts IS 'How many places of a board have a value of a bucket: value >> 2 * level.';
COMMENT ON COLUMN standing_counts.for_everyone IS 'Of members whom everybody may see; for_members: whom those who signed in may see; kept: whom nobody but admins may.';

CREATE TABLE standing_moves (
    id    bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    board text COLLATE "C" NOT NULL,
    shown smallint NOT NULL,
    value integer NOT NULL,
    n     integer NOT NULL
);
COMMENT ON TABLE standing_moves IS 'Changes of places that standing_counts does not have yet: nobody waits for a counter. A job adds them within seconds.';

-- +goose StatementBegin
CREATE FUNCTION count_places() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO standing_moves (board, shown, value, n) SELECT board, shown, value, 1 FROM became WHERE shown < 3;
    ELSIF TG_OP = 'DELETE' THEN
        INSERT INTO standing_moves (board, shown, value, n) SELECT board, shown, value, -1 FROM been WHERE shown < 3;
    ELSE
        INSERT INTO standing_moves (board, shown, value, n)
        SELECT board, shown, value, sum(n)
        FROM (SELECT board, shown, value, 1 AS n FROM became UNION ALL SELECT board, shown, value, -1 FROM been) x
        WHERE shown < 3
        GROUP BY board, shown, value
        HAVING sum(n) <> 0;
    END IF;
    RETURN NULL;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER count_inserted AFTER INSERT ON standing_places REFERENCING NEW TABLE AS became
    FOR EACH STATEMENT EXECUTE FUNCTION count_places();
CREATE TRIGGER count_updated AFTER UPDATE ON standing_places REFERENCING NEW TABLE AS became OLD TABLE AS been
    FOR EACH STATEMENT EXECUTE FUNCTION count_places();
CREATE TRIGGER count_deleted AFTER DELETE ON standing_places REFERENCING OLD TABLE AS been
    FOR EACH STATEMENT EXECUTE FUNCTION count_places();

-- standing_better is how many members whom a viewer sees have more than a value on a board.
-- +goose StatementBegin
CREATE FUNCTION standing_better(of_board text, than integer, viewer bigint) RETURNS bigint STABLE LANGUAGE sql AS $$
    SELECT coalesce(sum(n), 0)
    FROM (
        SELECT (
            SELECT sum(
                c.for_everyone
                + CASE WHEN viewer <> 0 THEN c.for_members ELSE 0 END
                + CASE WHEN viewer < 0 THEN c.kept ELSE 0 END
            )
            FROM standing_counts c
            WHERE c.board = of_board AND c.level = l
                AND c.bucket > (than >> (2 * l))
                AND c.bucket <= CASE WHEN l = 11 THEN 2147483647 ELSE (than >> (2 * l)) | 3 END -- The last has all the rest.
        ) AS n
        FROM generate_series(0, 11) AS l
        UNION ALL
        SELECT n FROM standing_moves
        WHERE board = of_board AND value > than AND (shown = 0 OR shown = 1 AND viewer <> 0 OR viewer < 0)
    ) x
$$;
-- +goose StatementEnd

-- Of whom the standing must be counted again, beside those whose day turns.
CREATE TABLE standing_due (
    id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    member_id bigint NOT NULL REFERENCES members ON DELETE CASCADE
);
CREATE INDEX standing_due_member ON standing_due (member_id);
COMMENT ON TABLE standing_due IS 'Members whose awards changed, or who were here before standings were.';

INSERT INTO standing_due (member_id) SELECT member_id FROM member_stats WHERE submissions > 0;

-- +goose StatementBegin
CREATE FUNCTION standing_of_grants() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO standing_due (member_id) SELECT DISTINCT m.id FROM changed JOIN members m ON m.id = changed.member_id;
    RETURN NULL;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER standing_granted AFTER INSERT ON award_grants REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION standing_of_grants();
CREATE TRIGGER standing_regranted AFTER UPDATE ON award_grants REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION standing_of_grants();
CREATE TRIGGER standing_ungranted AFTER DELETE ON award_grants REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION standing_of_grants();

-- Names, who may see a member, and bans show at once.
-- +goose StatementBegin
CREATE FUNCTION standing_of_member() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    is_shown smallint := CASE WHEN NEW.off_boards THEN 3 ELSE NEW.audience END;
BEGIN
    UPDATE standings SET name = NEW.name, display_name = NEW.display_name, custom = NEW.custom, shown = is_shown
    WHERE member_id = NEW.id;
    UPDATE standing_places SET name = lower(NEW.name), shown = is_shown
    WHERE member_id = NEW.id AND (name, shown) IS DISTINCT FROM (lower(NEW.name), is_shown);
    IF NEW.banned_at IS DISTINCT FROM OLD.banned_at THEN
        INSERT INTO standing_due (member_id) VALUES (NEW.id);
    END IF;
    RETURN NULL;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER standing_of_member AFTER UPDATE ON members FOR EACH ROW
    WHEN ((NEW.name, NEW.display_name, NEW.custom, NEW.audience, NEW.off_boards, NEW.banned_at)
        IS DISTINCT FROM (OLD.name, OLD.display_name, OLD.custom, OLD.audience, OLD.off_boards, OLD.banned_at))
    EXECUTE FUNCTION standing_of_member();

-- standing_gaps are the sites of a member's accounts of which something is not read.
-- +goose StatementBegin
CREATE FUNCTION standing_gaps(member bigint) RETURNS text[] STABLE LANGUAGE sql AS $$
    SELECT coalesce(array_agg(site ORDER BY site), '{}')
    FROM account_details
    WHERE member_id = member
        AND (state IN ('new', 'invalid', 'paused') OR outcome NOT IN ('', 'ok') OR missing > 0 OR unread > 0)
$$;
-- +goose StatementEnd

-- What a board was on a day, so that a rank of then is found without asking anybody.
CREATE TABLE standing_steps (
    board        text COLLATE "C" NOT NULL,
    day          date NOT NULL,
    amounts      integer[] NOT NULL,
    for_everyone integer[] NOT NULL,
    for_members  integer[] NOT NULL,
    for_admins   integer[] NOT NULL,
    PRIMARY KEY (board, day)
);
COMMENT ON TABLE standing_steps IS 'The different values of a board as a day of UTC began, ascending, and how many members had at least each.';
COMMENT ON COLUMN standing_steps.for_members IS 'Whom those who signed in may see; for_everyone: whom visitors may, too; for_admins: all.';
