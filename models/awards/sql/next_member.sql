-- The member up to whom at least @limit items behind @member go, own rows and what others sent; 0: there is none.
SELECT coalesce(max(member_id), 0)
FROM (
    SELECT member_id
    FROM (
        SELECT member_id, source FROM own_items
        UNION ALL
        SELECT member_id, source FROM items
    ) i
    WHERE member_id > @member AND (@any OR source = ANY(CAST(@sources AS text[])))
    ORDER BY member_id
    LIMIT @limit
) i
