// Package simulate asks the production code how many requests a community costs
// and how late its submissions are seen, months of it in minutes: its tests claim,
// fetch, check in bulk, read streams and store with jobs and models on a real database, whose time
// is passed in. Only the sites are made up, and what their members do is drawn
// from real traces.
//
// What is assumed is beside the table that TestSimulate prints.
package simulate
