-- +goose Up

-- Posts of a UTC month that a credential with a budget has paid for, or may have to for
-- requests that are under way: processes that reserve at once see what each has reserved.
ALTER TABLE credentials
    ADD COLUMN budget_month date, -- NULL where nobody counts: there is no budget.
    ADD COLUMN budget_used bigint NOT NULL DEFAULT 0;
