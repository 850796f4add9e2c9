-- Takes in what an answer said of a credential. Its quota is what the headers say where
-- that is less than what was counted. Mostly it is known already: then nothing is written.
UPDATE credentials
SET quota = coalesce(CAST(@limit AS integer), quota),
    remaining = least(
        remaining + greatest(coalesce(CAST(@limit AS integer), quota) - quota, 0),
        coalesce(CAST(@remaining AS integer), remaining)
    ),
    reset_at = greatest(reset_at, CAST(@reset AS timestamptz)),
    failures = CASE WHEN @failed THEN failures + 1 ELSE 0 END,
    state = CASE WHEN @then IN ('paused', 'disabled') THEN @then ELSE state END,
    cooldown_until = CASE
        WHEN CAST(@cooldown AS timestamptz) IS NOT NULL THEN greatest(cooldown_until, CAST(@cooldown AS timestamptz))
        WHEN @failed AND failures + 1 >= @many THEN greatest(cooldown_until, CAST(@break AS timestamptz))
        ELSE cooldown_until
    END,
    reason = CASE
        WHEN @reason <> '' THEN @reason
        WHEN state = 'active' AND (cooldown_until IS NULL OR cooldown_until <= @now) THEN ''
        ELSE reason
    END
WHERE id = @id
    AND (
        @failed
        OR failures > 0
        OR @then <> ''
        OR @reason <> ''
        OR quota <> CAST(@limit AS integer)
        OR remaining > CAST(@remaining AS integer)
        OR (reset_at IS NULL AND CAST(@reset AS timestamptz) IS NOT NULL)
        OR reset_at < CAST(@reset AS timestamptz)
        OR (reason <> '' AND state = 'active' AND (cooldown_until IS NULL OR cooldown_until <= @now))
    )
