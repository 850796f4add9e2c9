package web

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/alexedwards/scs/pgxstore"
	"github.com/alexedwards/scs/v2"
	"github.com/labstack/echo/v4"

	pg "laurel/models/db"
	"laurel/models/events"
	"laurel/models/members"
)

// NewSessions returns the sessions of those who signed in, kept in Postgres
// under the hash of their token. A session ends 30 days after sign-in. Looking at
// a page writes nothing but when the session was last used, seldom: see members.InSession.
func NewSessions(db *pg.DB, url string) *scs.SessionManager {
	s := scs.New()
	s.Store = pgxstore.NewWithCleanupInterval(db.Pool, 0) // models.CleanUp does it.
	s.HashTokenInStore = true
	s.Lifetime = 30 * 24 * time.Hour
	s.Cookie.Name = "laurel"
	if strings.HasPrefix(url, "https://") {
		s.Cookie.Name, s.Cookie.Secure = "__Host-laurel", true
	}
	return s
}

// Keys of a session, and of what a request remembers.
const (
	keyHeld   = "held"
	keyViewer = "viewer"
	keySource = "source"
)

// Viewer returns who asks, or nil for a visitor. The role is what this request
// may do: an admin with a token that is not an admin's is a member here.
func (h *Base) Viewer(c echo.Context) *members.Member {
	m, _ := c.Get(keyViewer).(*members.Member)
	return m
}

// loadViewer finds out who asks, once, for guard. Without a token and without
// a cookie it costs no query.
func (h *Base) loadViewer(c echo.Context, who Role) error {
	if token, ok := bearer(c.Request()); ok {
		if strings.HasPrefix(token, events.TokenPrefix) {
			return h.loadSourceToken(c, token, who)
		}
		return h.loadBearer(c, token)
	}
	if token := c.QueryParam("token"); who == Feed && token != "" {
		return h.loadFeedToken(c, token)
	}
	cookie, err := c.Cookie(h.Sessions.Cookie.Name)
	if err != nil || cookie.Value == "" {
		return nil
	}
	ctx, err := h.Sessions.Load(c.Request().Context(), cookie.Value)
	if err != nil {
		return fmt.Errorf("load session: %w", err)
	}
	if h.Sessions.GetString(ctx, keyHeld) == "" {
		return nil // Ended, or never was.
	}
	m, err := members.InSession(ctx, h.DB.DB, storedToken(cookie.Value), h.Now())
	if errors.Is(err, pg.ErrNotFound) || err == nil && h.Sessions.GetString(ctx, keyHeld) != held(&m) {
		return nil // Suspended, deleted, or the password was changed since.
	}
	if err != nil {
		return err
	}
	c.Set(keyViewer, &m)
	return nil
}

func (h *Base) loadBearer(c echo.Context, token string) error {
	m, err := members.ByToken(c.Request().Context(), h.DB.DB, token)
	if errors.Is(err, pg.ErrNotFound) {
		c.Response().Header().Set("WWW-Authenticate", "Bearer")
		return echo.NewHTTPError(http.StatusUnauthorized, "this token does not exist or was revoked; make a new one in the settings")
	}
	if err != nil {
		return err
	}
	c.Set(keyViewer, &m)
	return nil
}

// TokenSource is the source whose events alone a request may push, or "" where an admin asks.
func (h *Base) TokenSource(c echo.Context) string {
	source, _ := c.Get(keySource).(string)
	return source
}

// loadSourceToken is for who sends events of one source, which is nobody here.
func (h *Base) loadSourceToken(c echo.Context, token string, who Role) error {
	source, err := events.ByToken(c.Request().Context(), h.DB.DB, token)
	switch {
	case errors.Is(err, pg.ErrNotFound):
		c.Response().Header().Set("WWW-Authenticate", "Bearer")
		return echo.NewHTTPError(http.StatusUnauthorized, "this token does not exist or was revoked; ask an admin for a new one")
	case err != nil:
		return err
	case who != Pusher:
		return echo.NewHTTPError(http.StatusForbidden, "this token may only push events of the source "+source+", to /api/v1/events")
	}
	c.Set(keySource, source)
	return nil
}

// loadFeedToken is for programs that read feeds, which know addresses and nothing else.
func (h *Base) loadFeedToken(c echo.Context, token string) error {
	m, err := members.ByFeedToken(c.Request().Context(), h.DB.DB, token)
	if errors.Is(err, pg.ErrNotFound) {
		return echo.NewHTTPError(http.StatusUnauthorized, "this feed's token does not exist or was revoked; make a new one in the settings")
	}
	if err != nil {
		return err
	}
	c.Set(keyViewer, &m)
	return nil
}

// bearer returns the token of a program. A request with one never uses a
// cookie, so a foreign page cannot forge it. Pages are for people: there a token
// is worth nothing, so one that leaked cannot make others.
func bearer(r *http.Request) (token string, ok bool) {
	if !isAPI(r) && r.URL.Path != "/metrics" {
		return "", false
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.TrimSpace(token), strings.EqualFold(scheme, "Bearer")
}

// held is what a session remembers of the password: with another password the
// session is over.
func held(m *members.Member) string {
	sum := sha256.Sum256([]byte(m.PasswordHash))
	return hex.EncodeToString(sum[:8])
}

// BeginSession begins a session of m with a new token; the one that the browser came
// with, if any, is over.
func (h *Base) BeginSession(c echo.Context, m *members.Member) error {
	ctx, err := h.Sessions.Load(c.Request().Context(), h.sessionToken(c))
	if err != nil {
		return fmt.Errorf("load session: %w", err)
	}
	if err := h.Sessions.RenewToken(ctx); err != nil {
		return fmt.Errorf("renew session: %w", err)
	}
	h.Sessions.Put(ctx, keyHeld, held(m))
	token, expiry, err := h.Sessions.Commit(ctx)
	if err != nil {
		return fmt.Errorf("store session: %w", err)
	}
	started := members.Session{Token: storedToken(token), MemberID: m.ID, Device: Device(c.Request().UserAgent()), StartedAt: h.Now()}
	if err := members.StartSession(ctx, h.DB.DB, started); err != nil {
		return err
	}
	h.Sessions.WriteSessionCookie(ctx, c.Response(), token, expiry)
	return nil
}

// storedToken is a session's token as the database has it: scs hashes it so.
func storedToken(token string) string {
	sum := sha256.Sum256([]byte(token))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// SessionKey is the session that asks, as members.Session names it; "" for none.
func (h *Base) SessionKey(c echo.Context) string {
	if token := h.sessionToken(c); token != "" {
		return storedToken(token)
	}
	return ""
}

// EndSession ends the session, here and in the browser.
func (h *Base) EndSession(c echo.Context) error {
	if token := h.sessionToken(c); token != "" {
		ctx, err := h.Sessions.Load(c.Request().Context(), token)
		if err != nil {
			return fmt.Errorf("load session: %w", err)
		}
		if err := h.Sessions.Destroy(ctx); err != nil {
			return fmt.Errorf("end session: %w", err)
		}
		h.Sessions.WriteSessionCookie(ctx, c.Response(), "", time.Time{})
	}
	return nil
}

func (h *Base) sessionToken(c echo.Context) string {
	cookie, err := c.Cookie(h.Sessions.Cookie.Name)
	if err != nil {
		return ""
	}
	return cookie.Value
}
