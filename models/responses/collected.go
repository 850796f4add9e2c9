package responses

// Collected are answers that came and are not stored yet.
type Collected struct{ list []Answer }

// Add adds an answer, as understood until Unreadable says otherwise.
func (c *Collected) Add(a Answer) {
	a.Readable = true
	c.list = append(c.list, a)
}

// Ask notes what was asked, where the request does not tell.
func (c *Collected) Ask(question string) {
	for i := range c.list {
		c.list[i].Question = question
	}
}

// Take returns the answers that it has not returned before.
func (c *Collected) Take() []Answer {
	taken := c.list
	c.list = nil
	return taken
}

// Unreadable says that the newest answer was not understood.
func (c *Collected) Unreadable() {
	if n := len(c.list); n > 0 {
		c.list[n-1].Readable = false
	}
}
