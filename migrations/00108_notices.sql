-- +goose Up

-- Notices: what members are notified of, on their page, by e-mail and by webhook.

-- The outbox, written in the transaction of what it reports. A notice is delivered
-- once it is due, if it is still true; each exists once, whatever goes back and forth.
CREATE TABLE notices (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    member_id  bigint NOT NULL, -- Deleted with the member by hand: a reference would lock members while awards are granted.
    award_id   bigint REFERENCES awards ON DELETE CASCADE,
    period     text NOT NULL,
    level      integer NOT NULL, -- 0: about the award as a whole.
    kind       text NOT NULL CHECK (kind IN ('granted', 'older', 'revoked', 'near', 'new', 'site', 'renamed')),
    progress   numeric, -- Of near: the progress then.
    alarm_id   bigint REFERENCES site_alarms ON DELETE CASCADE, -- Of site, which goes to admins.
    words      text NOT NULL DEFAULT '', -- Of renamed: what it says.
    created_at timestamptz NOT NULL,
    due_at     timestamptz NOT NULL,
    state      text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'told', 'dropped')),
    reason     text NOT NULL DEFAULT '', -- Why it was dropped.
    told_at    timestamptz, -- When it was released for delivery.
    shown      boolean NOT NULL DEFAULT false, -- On the member's page.
    read_at    timestamptz,
    mail       text NOT NULL DEFAULT '' CHECK (mail IN ('', 'due', 'packed', 'dropped')), -- '': goes into no e-mail.
    mail_id    bigint, -- The delivery it is packed into.
    hook       text NOT NULL DEFAULT '' CHECK (hook IN ('', 'due', 'packed')), -- '': goes to no webhook.
    hook_id    bigint, -- The delivery it is packed into.
    UNIQUE (member_id, award_id, period, level, kind),
    CONSTRAINT notices_about_check CHECK (
        (kind = 'site') = (alarm_id IS NOT NULL)
        AND (kind IN ('site', 'renamed')) = (award_id IS NULL)
        AND (kind = 'renamed') = (words <> '')
    )
);
CREATE INDEX notices_due ON notices (due_at, id) WHERE state = 'waiting';
CREATE INDEX notices_shown ON notices (member_id, told_at DESC, id DESC) WHERE shown;
CREATE INDEX notices_unread ON notices (member_id) WHERE shown AND read_at IS NULL;
CREATE INDEX notices_mail ON notices (member_id, id) WHERE mail = 'due';
CREATE INDEX notices_hook ON notices (id) WHERE hook = 'due';
CREATE INDEX notices_mail_id ON notices (mail_id) WHERE mail_id IS NOT NULL;
CREATE INDEX notices_hook_id ON notices (hook_id) WHERE hook_id IS NOT NULL;
CREATE INDEX notices_old ON notices (created_at);
CREATE INDEX notices_award ON notices (award_id);
CREATE UNIQUE INDEX notices_alarm ON notices (alarm_id, member_id) WHERE alarm_id IS NOT NULL;

-- New awards that are yet to be announced to the members whom they fit.
CREATE TABLE notice_announcements (
    award_id   bigint PRIMARY KEY REFERENCES awards ON DELETE CASCADE,
    created_at timestamptz NOT NULL,
    due_at     timestamptz NOT NULL,
    member_id  bigint NOT NULL DEFAULT 0, -- All members up to this one are done.
    ended_at   timestamptz
);

-- How a member wants to be notified. No row: on the page, of everything.
CREATE TABLE notice_settings (
    member_id    bigint PRIMARY KEY REFERENCES members ON DELETE CASCADE,
    page_kinds   text[] NOT NULL, -- Of notices.kind.
    mail_kinds   text[] NOT NULL,
    daily        boolean NOT NULL DEFAULT false, -- One e-mail a day, in the morning.
    address      text NOT NULL DEFAULT '', -- Confirmed.
    confirmed_at timestamptz,
    unsubscribe  text NOT NULL DEFAULT '', -- The secret in the link at the end of every e-mail.
    asked        text NOT NULL DEFAULT '', -- An address that is to be confirmed.
    asked_secret text NOT NULL DEFAULT '', -- In the link that confirms it.
    asked_at     timestamptz,
    mail_due_at  timestamptz, -- When the next e-mail may be packed; null: nothing waits.
    mailed_at    timestamptz, -- The last e-mail.
    day_began_at timestamptz, -- The day whose e-mails are counted.
    day_mails    integer NOT NULL DEFAULT 0 -- On that day; there is a limit.
);
CREATE INDEX notice_settings_due ON notice_settings (mail_due_at) WHERE mail_due_at IS NOT NULL;
CREATE UNIQUE INDEX notice_settings_unsubscribe ON notice_settings (unsubscribe) WHERE unsubscribe <> '';
CREATE UNIQUE INDEX notice_settings_asked ON notice_settings (asked_secret) WHERE asked_secret <> '';

-- An e-mail, or a message to the webhook, on its way.
CREATE TABLE notice_deliveries (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key          text NOT NULL UNIQUE, -- The same at every attempt: who gets it twice can tell.
    channel      text NOT NULL CHECK (channel IN ('mail', 'confirm', 'webhook')),
    member_id    bigint REFERENCES members ON DELETE CASCADE,
    address      text NOT NULL DEFAULT '',
    created_at   timestamptz NOT NULL,
    due_at       timestamptz NOT NULL,
    attempts     integer NOT NULL DEFAULT 0,
    lease_id     text NOT NULL DEFAULT '',
    leased_until timestamptz,
    state        text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sent', 'failed', 'dropped')),
    ended_at     timestamptz,
    error        text NOT NULL DEFAULT '' -- Of the last attempt.
);
CREATE INDEX notice_deliveries_due ON notice_deliveries (due_at, id) WHERE state = 'waiting';
CREATE INDEX notice_deliveries_member ON notice_deliveries (member_id, id) WHERE member_id IS NOT NULL;
CREATE INDEX notice_deliveries_ended ON notice_deliveries (ended_at) WHERE state <> 'waiting';
