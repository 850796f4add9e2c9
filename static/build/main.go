// Command build puts what the browser needs into static/dist: styles and script,
// bundled, minified, named by their hash and compressed. Run it from the top of
// the tree; without npm it says so and builds our own files only, with which
// every page works plainly.
package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

const dir = "static"

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "static:", err)
		os.Exit(1)
	}
}

func run() error {
	missing := install()
	bundles := []struct {
		name   string // In the manifest and in front of the hash.
		ours   string
		theirs string // What npm has brought.
		loader api.Loader
	}{
		{"styles", `@import "./app.css";`, `@import "@picocss/pico/css/pico.classless.min.css";`, api.LoaderCSS},
		{"script", `import "./src/app.js";`, `import "./src/htmx.js";`, api.LoaderJS},
		{"awards", `@import "./awards.css";`, "", api.LoaderCSS},
		{"past", `@import "./past.css";`, "", api.LoaderCSS},
		{"forums", `@import "./forums.css"; @import "./compare.css";`, "", api.LoaderCSS},
		{"editor", "", `import "./src/editor.js";`, api.LoaderJS},
		{"posts", `@import "./posts.css";`, `@import "uplot/dist/uPlot.min.css";`, api.LoaderCSS},
		{"curve", "", `import "./src/curve.js";`, api.LoaderJS},
	}
	built := make([][]byte, len(bundles))
	for i, b := range bundles {
		source := b.ours
		if missing == nil {
			source = b.theirs + b.ours
		}
		var err error
		if built[i], err = bundle(source, b.loader); err != nil {
			return err
		}
		if b.loader == api.LoaderCSS {
			built[i] = withoutUnused(built[i])
		}
	}
	if err := clear(); err != nil {
		return err
	}
	manifest, sizes := map[string]string{}, ""
	for i, b := range bundles {
		name, size, err := store("laurel-"+b.name, map[api.Loader]string{api.LoaderCSS: ".css", api.LoaderJS: ".js"}[b.loader], built[i])
		if err != nil {
			return err
		}
		manifest[b.name] = name
		sizes += fmt.Sprintf("%s %.1f KB, ", b.name, float64(size)/1024)
	}
	list, err := json.Marshal(manifest)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "dist", "manifest.json"), append(list, '\n'), 0o644); err != nil {
		return err
	}
	with := "with what npm brings"
	if missing != nil {
		with = fmt.Sprintf("our own files only (%v): pages work plainly", missing)
	}
	fmt.Printf("static/dist: %scompressed, %s\n", sizes, with)
	return nil
}

// install fetches the packages of package-lock.json, unless they are there
// already. Its error says why they are missing.
func install() error {
	have, err := os.Stat(filepath.Join(dir, "node_modules", ".package-lock.json"))
	want, err2 := os.Stat(filepath.Join(dir, "package-lock.json"))
	if err == nil && err2 == nil && !have.ModTime().Before(want.ModTime()) {
		return nil
	}
	if _, err := exec.LookPath("npm"); err != nil {
		return fmt.Errorf("npm is not installed")
	}
	cmd := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		return fmt.Errorf("npm ci: %w: %s", err, lines[len(lines)-1])
	}
	return nil
}

// bundle follows the imports of a source and minifies all of it.
func bundle(source string, loader api.Loader) ([]byte, error) {
	r := api.Build(api.BuildOptions{
		Stdin:             &api.StdinOptions{Contents: source, ResolveDir: dir, Loader: loader},
		Bundle:            true,
		MinifyWhitespace:  true,
		MinifyIdentifiers: true,
		MinifySyntax:      true,
		LegalComments:     api.LegalCommentsEndOfFile,
		Format:            api.FormatIIFE,
		Engines: []api.Engine{{Name: api.EngineChrome, Version: "111"}, {Name: api.EngineFirefox, Version: "113"},
			{Name: api.EngineSafari, Version: "16.4"}},
	})
	if len(r.Errors) > 0 {
		return nil, fmt.Errorf("%s", strings.Join(api.FormatMessages(r.Errors, api.FormatMessagesOptions{}), "\n"))
	}
	return r.OutputFiles[0].Contents, nil
}

// unused are Pico's rules for what no page of ours has: forced darkness, tooltips, dialogs, groups and ranges.
var unused = regexp.MustCompile(`([{};])(?:\[data-theme=dark\]|(?:\[data-tooltip|dialog|\[role=group\]|\[type=range\])[^{}]*)\{[^{}]*\}`)

// withoutUnused takes them out of minified styles, for a first visit fetches all of these.
func withoutUnused(css []byte) []byte {
	for { // Two in a row share the brace between them.
		less := unused.ReplaceAll(css, []byte("$1"))
		if len(less) == len(css) {
			return css
		}
		css = less
	}
}

// clear removes what was built before.
func clear() error {
	old, err := filepath.Glob(filepath.Join(dir, "dist", "[^.]*"))
	if err != nil {
		return err
	}
	for _, name := range old {
		if err := os.Remove(name); err != nil {
			return err
		}
	}
	return nil
}

// store writes a file and its compressed twin, and returns its name and the
// twin's size.
func store(name, ext string, data []byte) (string, int, error) {
	sum := sha256.Sum256(data)
	name += "-" + hex.EncodeToString(sum[:5]) + ext
	var small bytes.Buffer
	z, err := gzip.NewWriterLevel(&small, gzip.BestCompression)
	if err != nil {
		return "", 0, err
	}
	if _, err := z.Write(data); err != nil {
		return "", 0, err
	}
	if err := z.Close(); err != nil {
		return "", 0, err
	}
	path := filepath.Join(dir, "dist", name)
	if err := os.WriteFile(path, data, 0o644); err != nil {
		return "", 0, err
	}
	return name, small.Len(), os.WriteFile(path+".gz", small.Bytes(), 0o644)
}
