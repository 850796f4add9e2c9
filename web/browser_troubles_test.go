package main

import (
	"fmt"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
)

// troubles is what a browser complains about: errors and warnings on its
// console, what its scripts threw, requests that failed, and what the content
// security policy forbade, which it also writes on the console.
type troubles struct {
	mu       sync.Mutex
	requests map[network.RequestID]string
	said     []string
	bytes    float64 // Received since the last reset, as they came over the wire.
}

// take returns the complaints since the last take.
func (x *troubles) take() []string {
	x.mu.Lock()
	defer x.mu.Unlock()
	said := x.said
	x.said = nil
	return said
}

// weigh returns the bytes received since the last weigh.
func (x *troubles) weigh() float64 {
	x.mu.Lock()
	defer x.mu.Unlock()
	n := x.bytes
	x.bytes = 0
	return n
}

func (x *troubles) hear(ev any) {
	x.mu.Lock()
	defer x.mu.Unlock()
	say := func(format string, args ...any) { x.said = append(x.said, fmt.Sprintf(format, args...)) }
	switch ev := ev.(type) {
	case *log.EventEntryAdded:
		if e := ev.Entry; e.Level == log.EntryLevelError || e.Level == log.EntryLevelWarning {
			if e.Source == "network" && strings.Contains(e.Text, "the server responded with a status of") {
				return // Said below for what a page needs; the page itself may be an error page.
			}
			say("%s %s: %s (%s)", e.Source, e.Level, e.Text, e.URL)
		}
	case *runtime.EventConsoleAPICalled:
		if ev.Type == "error" || ev.Type == "warning" || ev.Type == "assert" {
			var words []string
			for _, a := range ev.Args {
				words = append(words, string(a.Value)+a.Description)
			}
			say("console.%s: %s", ev.Type, strings.Join(words, " "))
		}
	case *runtime.EventExceptionThrown:
		say("exception: %s", exception(ev.ExceptionDetails))
	case *network.EventRequestWillBeSent:
		x.requests[ev.RequestID] = ev.Request.URL
	case *network.EventResponseReceived:
		if ev.Response.Status >= 400 && ev.Type != network.ResourceTypeDocument {
			say("status %d of %s", ev.Response.Status, ev.Response.URL)
		}
	case *network.EventLoadingFinished:
		x.bytes += ev.EncodedDataLength
	case *network.EventLoadingFailed:
		if !ev.Canceled && ev.ErrorText != "net::ERR_ABORTED" {
			say("%s %s of %s", ev.ErrorText, ev.BlockedReason, x.requests[ev.RequestID])
		}
	}
}
