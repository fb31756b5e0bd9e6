package main

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Changes are written as the resourceVersion that they gave, but for those whose version a writer is not told: API
// servers mark a pod before they delete it.
const (
	deleting = "deleting"
	deleted  = "deleted"
)

// history keeps the changes of objects by their keys, each in its order.
type history struct {
	mutex   sync.Mutex
	changes map[string][]string
	count   int
}

func newHistory() *history {
	return &history{changes: map[string][]string{}}
}

func (h *history) add(key string, next string) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.changes[key] = append(h.changes[key], next)
	h.count++
}

func (h *history) copy() map[string][]string {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	copied := make(map[string][]string, len(h.changes))
	for key, changes := range h.changes {
		copied[key] = slices.Clone(changes)
	}
	return copied
}

// differences compares what was seen with what was written. Who came late may lack the start of each history, but
// nothing after what it saw first.
func differences(written, seen map[string][]string, late bool) []string {
	var found []string
	for key, expected := range written {
		actual := seen[key]
		start := 0
		if late {
			start = len(expected) - len(actual)
		}
		if start < 0 || !slices.Equal(expected[start:], actual) || (len(actual) == 0 && expected[len(expected)-1] != deleted) {
			found = append(found, fmt.Sprintf("%s: written %s, seen %s", key, strings.Join(expected, " "), strings.Join(actual, " ")))
		}
	}
	for key := range seen {
		if _, known := written[key]; !known {
			found = append(found, key+": seen and never written")
		}
	}
	slices.Sort(found)
	return found
}
