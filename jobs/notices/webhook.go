package notices

import (
	"bytes"
	"context"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"laurel/models/notices"
)

// The webhook is called as https://www.standardwebhooks.com says: with the id of
// the message, the same at every attempt, the time of the attempt, and a
// signature over both and the body. Libraries in many languages check it.

// WebhookKey makes the key that signs calls from the installation's secret. The
// receiver must know it, and must not know the secret.
func WebhookKey(secret string) []byte {
	key, err := hkdf.Key(sha256.New, []byte(secret), nil, "laurel webhook", 32)
	if err != nil {
		panic("jobs: a key of 32 bytes can be made: " + err.Error())
	}
	return key
}

// ShowKey is the key as the receiver's library wants it.
func ShowKey(key []byte) string { return "whsec_" + base64.StdEncoding.EncodeToString(key) }

type webhookBody struct {
	Type      string          `json:"type"`
	Timestamp time.Time       `json:"timestamp"`
	Notices   []webhookNotice `json:"notices"`
}

type webhookNotice struct {
	ID     int64           `json:"id"` // The same in every call.
	Kind   string          `json:"kind"`
	Member string          `json:"member"`
	Name   string          `json:"display_name"`
	At     time.Time       `json:"at"`
	Awards []notices.Award `json:"awards"`
	Reason string          `json:"reason,omitempty"`
	Alarm  string          `json:"alarm,omitempty"` // Of a judge site.
	Words  string          `json:"words,omitempty"` // Of a handle that was renamed.
}

// send makes one attempt to call the webhook.
func (o *Outbox) send(ctx context.Context, d *notices.Delivery, l *notices.Content, now time.Time) notices.DeliveryOutcome {
	body := webhookBody{Type: "laurel.notices", Timestamp: d.CreatedAt.UTC()}
	for i := len(l.Lines) - 1; i >= 0; i-- {
		n := &l.Lines[i]
		c := webhookNotice{ID: n.ID, Kind: n.Kind, Member: n.Member, Name: n.Name, At: n.At.UTC(), Awards: n.Awards, Alarm: n.Alarm,
			Words: n.Text}
		if n.Kind == notices.NoticeRevoked {
			c.Reason = n.Reason
		}
		body.Notices = append(body.Notices, c)
	}
	text, err := json.Marshal(body)
	if err != nil {
		return notices.DeliveryOutcome{Error: err.Error(), Final: true}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, o.Webhook, bytes.NewReader(text))
	if err != nil {
		return notices.DeliveryOutcome{Error: err.Error(), Final: true}
	}
	at := strconv.FormatInt(now.Unix(), 10)
	for name, value := range map[string]string{"Content-Type": "application/json", "User-Agent": "Laurel (+" + o.URL + ")",
		"Webhook-Id": d.Key, "Webhook-Timestamp": at, "Webhook-Signature": sign(o.Key, d.Key+"."+at+"."+string(text))} {
		req.Header.Set(name, value)
	}
	res, err := o.HTTP.Do(req)
	if err != nil {
		if e, ok := errors.AsType[*url.Error](err); ok {
			err = e.Err // Without the address, which may hold a secret.
		}
		return notices.DeliveryOutcome{Error: "the webhook did not answer: " + err.Error()}
	}
	defer func() { _ = res.Body.Close() }()
	begin, _ := io.ReadAll(io.LimitReader(res.Body, 300))
	if res.StatusCode/100 == 2 {
		return notices.DeliveryOutcome{}
	}
	return notices.DeliveryOutcome{Final: res.StatusCode == http.StatusGone, // It wants no more of this one.
		Error: strings.TrimSpace(fmt.Sprintf("the webhook answered %s: %s", res.Status, strings.ToValidUTF8(string(begin), "")))}
}

func sign(key []byte, text string) string {
	mac := hmac.New(sha256.New, key)
	_, _ = mac.Write([]byte(text))
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}
