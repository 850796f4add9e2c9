// Package views turns structs into HTML: templ components, and charts as SVG
// written by plain Go functions.
//
// Every folder below is a domain with its pages, over parts (what pages share) and
// charts; viewstest holds what their tests share. They import nothing else of ours.
// A component takes one struct; wording lives in plain functions that can be tested
// without tags; nothing is shown unescaped.
package views

//go:generate go tool templ generate
//go:generate go run ./texts/extract
