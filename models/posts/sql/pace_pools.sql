-- Stores the pace of pools, and what it was measured by.
UPDATE post_pools p
SET slowdown = g.slowdown,
    every_days = g.apart,
    demand = g.demand,
    supply = g.supply,
    tiers = CAST(g.tiers AS json),
    measured_at = @now
FROM unnest(
    CAST(@networks AS text[]), CAST(@hosts AS text[]), CAST(@slowdown AS double precision[]),
    CAST(@apart AS double precision[]), CAST(@demand AS double precision[]), CAST(@supply AS double precision[]),
    CAST(@tiers AS text[])
) AS g(network, host, slowdown, apart, demand, supply, tiers)
WHERE p.network = g.network AND p.host = g.host
