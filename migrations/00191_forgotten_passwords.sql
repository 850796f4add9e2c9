-- +goose Up

-- An e-mail with a link to choose a new password. Its link is made when it is sent, so that nobody
-- can read it here.
ALTER TABLE notice_deliveries DROP CONSTRAINT notice_deliveries_channel_check;
ALTER TABLE notice_deliveries ADD CONSTRAINT notice_deliveries_channel_check
    CHECK (channel IN ('mail', 'confirm', 'reset', 'webhook'));
