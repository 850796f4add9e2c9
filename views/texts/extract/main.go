// Extract collects the texts of pages in views/texts/laurel.pot, and gives the files of other languages what is new
// in it. go generate ./views/... runs it, in views.
package main

import (
	"log"
	"os"
	"path/filepath"
)

// folders have texts of pages.
var folders = []string{"views", "handlers"}

func main() {
	if err := write("..", "texts"); err != nil {
		log.Fatal(err)
	}
}

// write makes the files of a folder anew, of the texts below root.
func write(root, to string) error {
	uses, err := usesBelow(root, folders...)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(to, "laurel.pot"), []byte(catalogue(uses)), 0o600); err != nil {
		return err
	}
	others, err := filepath.Glob(filepath.Join(to, "*.po"))
	if err != nil {
		return err
	}
	for _, name := range others {
		old, err := os.ReadFile(name) //nolint:gosec // A file of this repository.
		if err != nil {
			return err
		}
		if err := os.WriteFile(name, []byte(translated(string(old), uses)), 0o600); err != nil {
			return err
		}
	}
	return nil
}
