// Package views turns structs into HTML: templ components, and charts as SVG
// written by plain Go functions.
//
// It imports nothing of ours. A component takes one struct; wording lives in
// plain functions that can be tested without tags; nothing is shown unescaped.
package views

//go:generate go tool templ generate
