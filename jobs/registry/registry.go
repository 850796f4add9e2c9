// Package registry keeps the things of one sort (judge sites, post networks,
// kinds of forums) by name. Each of them registers itself from its own file, so
// that adding one touches no list. It imports nothing of ours.
package registry

import (
	"fmt"
	"maps"
	"slices"
)

// A Registry is filled while packages are initialised and only read afterwards,
// so it needs no lock.
type Registry[T any] struct {
	sort   string
	name   func(T) string
	byName map[string]T
}

// New returns an empty registry. Sort says what is kept in it, for the panic of Add.
func New[T any](sort string, name func(T) string) *Registry[T] {
	return &Registry[T]{sort, name, map[string]T{}}
}

// Add registers one. It panics where the name is taken: that is a mistake in the program.
func (r *Registry[T]) Add(one T) {
	name := r.name(one)
	if _, taken := r.byName[name]; taken {
		panic(fmt.Sprintf("registry: a second %s is named %q", r.sort, name))
	}
	r.byName[name] = one
}

// All returns every one, sorted by name.
func (r *Registry[T]) All() []T {
	all := make([]T, 0, len(r.byName))
	for _, name := range slices.Sorted(maps.Keys(r.byName)) {
		all = append(all, r.byName[name])
	}
	return all
}

// ByName returns the one of that name, or false.
func (r *Registry[T]) ByName(name string) (T, bool) {
	one, ok := r.byName[name]
	return one, ok
}
