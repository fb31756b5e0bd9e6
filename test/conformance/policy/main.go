// Command policy writes what Masterminds/semver, regexp and strconv make of tables of curated and of seeded random
// cases, and which tag Flux's policies choose. With the argument "time" it reads a selection from standard input and
// writes how long it takes.
package main

import (
	"encoding/json"
	"log"
	"os"
	"path/filepath"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: policy FOLDER|time")
	}
	if os.Args[1] == "time" {
		timeSelection(os.Stdin, os.Stdout)
		return
	}
	write(os.Args[1], "ranges.json", []any{rangeTable()})
	write(os.Args[1], "patterns.jsonl", patternCases())
	write(os.Args[1], "floats.jsonl", floatCases())
	write(os.Args[1], "selections.jsonl", selectionCases())
}

// write puts one case on a line.
func write[Case any](folder, name string, cases []Case) {
	file, err := os.Create(filepath.Join(folder, name))
	if err != nil {
		log.Fatal(err)
	}
	encoder := json.NewEncoder(file)
	encoder.SetEscapeHTML(false)
	for _, one := range cases {
		if err := encoder.Encode(one); err != nil {
			log.Fatal(err)
		}
	}
	if err := file.Close(); err != nil {
		log.Fatal(err)
	}
}
