-- +goose Up

-- The outbox: what a member is to be told, written in the transaction of what it
-- tells. Once each, whatever goes back and forth. It is told when it is due and
-- still true.
CREATE TABLE notices (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    member_id  bigint NOT NULL, -- Deleted with the member by hand: a reference would lock members while awards are granted.
    award_id   bigint NOT NULL REFERENCES awards ON DELETE CASCADE,
    period     text NOT NULL,
    level      integer NOT NULL, -- 0 where it is about the award as a whole.
    kind       text NOT NULL CHECK (kind IN ('granted', 'older', 'revoked', 'near', 'new')),
    progress   numeric, -- Of near: how far it was.
    created_at timestamptz NOT NULL,
    due_at     timestamptz NOT NULL,
    state      text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'told', 'dropped')),
    reason     text NOT NULL DEFAULT '', -- Why it was dropped.
    told_at    timestamptz,
    shown      boolean NOT NULL DEFAULT false, -- On the member's page.
    read_at    timestamptz,
    mail       text NOT NULL DEFAULT '' CHECK (mail IN ('', 'due', 'packed', 'dropped')),
    mail_id    bigint,
    hook       text NOT NULL DEFAULT '' CHECK (hook IN ('', 'due', 'packed')),
    hook_id    bigint,
    UNIQUE (member_id, award_id, period, level, kind)
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

-- New awards that are yet to be announced to those whom they fit.
CREATE TABLE notice_announcements (
    award_id   bigint PRIMARY KEY REFERENCES awards ON DELETE CASCADE,
    created_at timestamptz NOT NULL,
    due_at     timestamptz NOT NULL,
    member_id  bigint NOT NULL DEFAULT 0, -- How far it has come.
    ended_at   timestamptz
);

-- How a member wants to be told. Without a row: on the page, of everything.
CREATE TABLE notice_settings (
    member_id    bigint PRIMARY KEY REFERENCES members ON DELETE CASCADE,
    page_kinds   text[] NOT NULL,
    mail_kinds   text[] NOT NULL,
    daily        boolean NOT NULL DEFAULT false, -- One e-mail a day, in the morning.
    address      text NOT NULL DEFAULT '', -- Confirmed.
    confirmed_at timestamptz,
    unsubscribe  text NOT NULL DEFAULT '', -- The secret in the link at the end of every e-mail.
    asked        text NOT NULL DEFAULT '', -- An address that is to be confirmed.
    asked_secret text NOT NULL DEFAULT '',
    asked_at     timestamptz,
    mail_due_at  timestamptz, -- When the next e-mail may be packed; null: nothing waits.
    mailed_at    timestamptz,
    day_began_at timestamptz, -- Of counting e-mails, which are few a day.
    day_mails    integer NOT NULL DEFAULT 0
);
CREATE INDEX notice_settings_due ON notice_settings (mail_due_at) WHERE mail_due_at IS NOT NULL;
CREATE UNIQUE INDEX notice_settings_unsubscribe ON notice_settings (unsubscribe) WHERE unsubscribe <> '';
CREATE UNIQUE INDEX notice_settings_asked ON notice_settings (asked_secret) WHERE asked_secret <> '';

-- An e-mail, or a message to the webhook, on its way.
CREATE TABLE notice_deliveries (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key          text NOT NULL UNIQUE, -- The same at every attempt: who gets it twice knows it.
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
    error        text NOT NULL DEFAULT ''
);
CREATE INDEX notice_deliveries_due ON notice_deliveries (due_at, id) WHERE state = 'waiting';
CREATE INDEX notice_deliveries_member ON notice_deliveries (member_id, id) WHERE member_id IS NOT NULL;
CREATE INDEX notice_deliveries_ended ON notice_deliveries (ended_at) WHERE state <> 'waiting';
