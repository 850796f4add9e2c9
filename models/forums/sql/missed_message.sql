-- Finds a message by its address, or by who sent it when; 0 where it is not stored.
SELECT coalesce(
    (SELECT serial FROM messages WHERE forum_id = @forum AND url = @url AND @url <> ''),
    (SELECT serial FROM message_duplicates WHERE forum_id = @forum AND url = @url AND @url <> ''),
    (
        SELECT m.serial
        FROM messages m
        WHERE m.forum_id = @forum
            AND @url = ''
            AND @sender <> ''
            AND (lower(m.author) = lower(@sender) OR plain_address(m.address) = plain_address(@sender))
            AND m.placed_at BETWEEN CAST(@at AS timestamptz) - CAST(@about AS interval)
                AND CAST(@at AS timestamptz) + CAST(@about AS interval)
        ORDER BY m.placed_at DESC
        LIMIT 1
    ),
    0
)
