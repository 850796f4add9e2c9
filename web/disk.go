package main

import "syscall"

// disk is how many bytes are free on the disk of a folder, for us, and how many it has; 0 where that is
// not known.
func disk(folder string) (free, size uint64) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(folder, &s); err != nil {
		return 0, 0
	}
	block := uint64(s.Bsize) // Its type differs between systems; it is never less than 0.
	return s.Bavail * block, s.Blocks * block
}
