// Command reference writes how github.com/distribution/reference parses a table of curated texts and a seeded
// run of generated ones: one JSON object a line.
package main

import (
	"bufio"
	_ "crypto/sha256"
	_ "crypto/sha512"
	"encoding/json"
	"log"
	"os"

	"github.com/distribution/reference"
)

// generatedCases is the number of texts beyond the curated ones.
const generatedCases = 12_000

// testCase is one text; a text that is refused has no parts.
type testCase struct {
	Text     string `json:"text"`
	Accepted *parts `json:"accepted,omitempty"`
}

type parts struct {
	Domain string `json:"domain"`
	Path   string `json:"path"`
	Tag    string `json:"tag,omitempty"`
	Digest string `json:"digest,omitempty"`
	// Familiar is set where it differs from the text.
	Familiar string `json:"familiar,omitempty"`
}

func main() {
	out := bufio.NewWriter(os.Stdout)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	write := func(text string) {
		if err := encoder.Encode(testCase{Text: text, Accepted: parse(text)}); err != nil {
			log.Fatal(err)
		}
	}
	seen := map[string]bool{}
	for _, text := range curated() {
		seen[text] = true
		write(text)
	}
	generator := newGenerator()
	for count := 0; count < generatedCases; {
		text := generator.text()
		if seen[text] {
			continue
		}
		seen[text] = true
		write(text)
		count++
	}
	if err := out.Flush(); err != nil {
		log.Fatal(err)
	}
}

func parse(text string) *parts {
	named, err := reference.ParseNormalizedNamed(text)
	if err != nil {
		return nil
	}
	found := &parts{Domain: reference.Domain(named), Path: reference.Path(named)}
	if tagged, ok := named.(reference.Tagged); ok {
		found.Tag = tagged.Tag()
	}
	if digested, ok := named.(reference.Digested); ok {
		found.Digest = digested.Digest().String()
	}
	if familiar := reference.FamiliarString(named); familiar != text {
		found.Familiar = familiar
	}
	return found
}
