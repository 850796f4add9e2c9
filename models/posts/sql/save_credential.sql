-- Adds a credential, or gives the one of that name another token and settings, and lets it
-- begin afresh.
INSERT INTO credentials AS c (
    network, host, name, token, legacy, fields, quota, window_seconds, remaining, monthly_posts, created_at
)
VALUES (@network, @host, @name, @token, @legacy, @fields, @quota, @window, @quota, @posts, @now)
ON CONFLICT (network, host, name) DO UPDATE
SET token = EXCLUDED.token,
    legacy = EXCLUDED.legacy,
    fields = EXCLUDED.fields,
    quota = EXCLUDED.quota,
    window_seconds = EXCLUDED.window_seconds,
    remaining = least(c.remaining, EXCLUDED.quota),
    monthly_posts = EXCLUDED.monthly_posts,
    state = 'active',
    reason = '',
    cooldown_until = NULL,
    failures = 0
RETURNING id
