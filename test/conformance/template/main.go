// Command template writes what Helm makes of templates: one file of JSON lines a theme.
//
// Usage: go run . cases
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"
)

// theme is one file of cases.
type theme struct {
	name string
	// helm is the version whose engine answers.
	helm  int
	cases []testCase
}

func themes() []theme {
	return []theme{
		{"actions", 3, actionCases()},
		{"numbers", 3, numberCases()},
		{"pipelines", 3, pipelineCases()},
		{"variables", 3, variableCases()},
		{"range", 3, rangeCases()},
		{"definitions", 3, definitionCases()},
		{"trim", 3, trimCases()},
		{"comparison", 3, comparisonCases()},
		{"printf", 3, printfCases()},
		{"strings", 3, stringCases()},
		{"lists", 3, listCases()},
		{"dicts", 3, dictCases()},
		{"math", 3, mathCases()},
		{"dates", 3, dateCases()},
		{"semver", 3, semverCases()},
		{"regex", 3, regexCases()},
		{"encoding", 3, encodingCases()},
		{"paths", 3, pathCases()},
		{"crypto", 3, cryptoCases()},
		{"defaults", 3, defaultCases()},
		{"files", 3, fileCases()},
		{"tpl", 3, tplCases()},
		{"errors", 3, errorCases()},
		{"matrix", 3, matrixCases()},
		{"values", 3, randomValueCases()},
		{"fuzz", 3, fuzzCases()},
		{"helm4", 4, helm4Cases()},
	}
}

// maxLength of a template and its outcome in bytes, so that the files stay small.
const maxLength = 3200

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: template FOLDER")
	}
	folder := os.Args[1]
	time.Local = time.UTC
	log.SetOutput(discard{})
	writeJSON(filepath.Join(folder, "world.json"), world)
	total := 0
	for _, theme := range themes() {
		total += write(filepath.Join(folder, theme.name+".jsonl"), theme)
	}
	fmt.Fprintln(os.Stderr, total, "cases")
}

func write(path string, theme theme) int {
	file, err := os.Create(path)
	check(err)
	defer file.Close()
	encoder := json.NewEncoder(file)
	encoder.SetEscapeHTML(false)
	count := 0
	seen := map[string]bool{}
	for _, input := range theme.cases {
		key := input.Template + "\x00" + input.Partials + "\x00" + string(input.Values)
		if seen[key] {
			continue
		}
		seen[key] = true
		answer, stable := evaluate(input, theme.helm)
		if answer.failed() || !stable {
			for _, part := range parts(input) {
				partAnswer, partStable := evaluate(part, theme.helm)
				count += encode(encoder, theme.name, part, partAnswer, partStable)
			}
			if len(parts(input)) > 0 {
				continue
			}
		}
		count += encode(encoder, theme.name, input, answer, stable)
	}
	return count
}

// encode writes a case where its outcome can be compared, and gives the number of lines written.
func encode(encoder *json.Encoder, name string, input testCase, answer outcome, stable bool) int {
	if !stable {
		fmt.Fprintf(os.Stderr, "%s: left out, each run gives something else: %s\n", name, input.Template)
		return 0
	}
	if len(input.Template)+len(answer.Output)+len(answer.Error) > maxLength {
		fmt.Fprintf(os.Stderr, "%s: left out, too long: %s\n", name, input.Template)
		return 0
	}
	input.Template, input.TemplateBase64 = inJSON(input.Template)
	check(encoder.Encode(struct {
		testCase
		outcome
	}{input, answer}))
	return 1
}

func writeJSON(path string, content any) {
	file, err := os.Create(path)
	check(err)
	defer file.Close()
	encoder := json.NewEncoder(file)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	check(encoder.Encode(content))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// discard takes what Helm logs about charts.
type discard struct{}

func (discard) Write(data []byte) (int, error) { return len(data), nil }
