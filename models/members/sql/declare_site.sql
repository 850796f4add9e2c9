-- Stores a declared site, or changes what is known of it, and says whether it is new. A site keeps
-- its kind: of one that has another, nothing is returned.
INSERT INTO outside_sites AS o (name, title, home, kind, token, handle_pattern, problem_url, declared_at)
VALUES (@name, @title, @home, @kind, CAST(@token AS bytea), @handle_pattern, @problem_url, @now)
ON CONFLICT (name) DO UPDATE SET title = EXCLUDED.title, home = EXCLUDED.home, token = EXCLUDED.token,
    handle_pattern = EXCLUDED.handle_pattern, problem_url = EXCLUDED.problem_url
WHERE o.kind = EXCLUDED.kind
RETURNING xmax = 0
