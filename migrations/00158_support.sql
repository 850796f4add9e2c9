-- +goose Up

-- Between members and admins: support investigates awards, and grants and revokes them with a note.
ALTER TABLE members DROP CONSTRAINT members_role_check;
ALTER TABLE members ADD CONSTRAINT members_role_check CHECK (role IN ('member', 'support', 'admin'));
COMMENT ON COLUMN tokens.admin IS 'Has the role of its member; another one is a member''s.';
