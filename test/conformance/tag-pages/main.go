// A registry that has nothing but pages of tags, for measurements: what it takes is hardly its own time.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
)

const maxPage = 1000

func main() {
	count := flag.Int("tags", 100_000, "how many tags each repository has")
	flag.Parse()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(listener.Addr())
	// It ends with whoever has started it.
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	log.Fatal(http.Serve(listener, &pages{tags: tagsOf(*count)}))
}

// Tags as pipelines give them, a commit and a time, in byte order as registries list them.
func tagsOf(count int) []string {
	tags := make([]string, count)
	for index := range tags {
		tags[index] = fmt.Sprintf("main-%07x-%d", index*2654435761%(1<<28), 1_600_000_000+31*index)
	}
	slices.Sort(tags)
	return tags
}

type pages struct{ tags []string }

// ServeHTTP answers `GET /v2/` and `GET /v2/<name>/tags/list?n=&last=` by the distribution specification.
func (p *pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name, isList := strings.CutSuffix(strings.TrimPrefix(r.URL.Path, "/v2/"), "/tags/list")
	if r.URL.Path == "/v2/" {
		return
	}
	if !isList {
		http.NotFound(w, r)
		return
	}
	size, err := strconv.Atoi(r.URL.Query().Get("n"))
	if err != nil || size < 1 || size > maxPage {
		size = maxPage
	}
	start := p.after(r.URL.Query().Get("last"))
	end := min(start+size, len(p.tags))
	if end < len(p.tags) {
		w.Header().Set("Link", fmt.Sprintf(`</v2/%s/tags/list?n=%d&last=%s>; rel="next"`, name, size, p.tags[end-1]))
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = fmt.Fprintf(w, `{"name":%q,"tags":["%s"]}`, name, strings.Join(p.tags[start:end], `","`))
}

// How many tags come before those after the given one.
func (p *pages) after(last string) int {
	index, found := slices.BinarySearch(p.tags, last)
	if found {
		return index + 1
	}
	return index
}
