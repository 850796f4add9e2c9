package main

import (
	"strings"
	"testing"
)

func TestOutboxSettings(t *testing.T) {
	for _, tt := range []struct {
		name string
		args []string
		want string // In the error; "" for none.
	}{
		{"none", nil, ""},
		{"e-mail", []string{"--smtp-url=smtp://u:topsecret@mail.example.org", "--mail-from=Laurel <l@example.org>"}, ""},
		{"e-mail without a sender", []string{"--smtp-url=smtp://127.0.0.1:25"}, ""},
		{"no address", []string{"--smtp-url=mail.example.org"}, "LAUREL_SMTP_URL"},
		{"no port", []string{"--smtp-url=smtp://u:topsecret@host:x"}, "LAUREL_SMTP_URL"},
		{"a webhook", []string{"--webhook-url=https://example.org/x", "--secret-key=0123456789abcdef"}, ""},
		{"a webhook without a key", []string{"--webhook-url=https://example.org/topsecret"}, "LAUREL_SECRET_KEY"},
		{"no webhook", []string{"--webhook-url=topsecret", "--secret-key=0123456789abcdef"}, "LAUREL_WEBHOOK_URL"},
	} {
		s, _, err := readSettings(tt.args)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if (tt.want == "") != (err == nil) || !strings.Contains(got, tt.want) || strings.Contains(got, "topsecret") {
			t.Errorf("%s: error %q, want %q", tt.name, got, tt.want)
		}
		if err == nil && (s.mail != nil) != (s.SMTP != "") {
			t.Errorf("%s: mail %v", tt.name, s.mail)
		}
	}
}
