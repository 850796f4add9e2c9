-- Submissions that were stored without the site's number, and the number that it shows now.
SELECT coalesce(CAST(json_agg(s.id) AS text), '') AS ids,
    coalesce(CAST(json_agg(json_build_object('id', s.id, 'number', f.id)) AS text), '') AS numbers
FROM found_submissions(CAST(@rows AS jsonb)) f
JOIN submissions s ON s.account_id = @account AND s.site_id = f.formerly
WHERE f.formerly <> '' AND f.formerly <> f.id
    AND NOT EXISTS (SELECT FROM submissions o WHERE o.account_id = @account AND o.site_id = f.id)
