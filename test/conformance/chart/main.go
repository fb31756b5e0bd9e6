// Command chart prints what Helm makes of the scenarios beside it: the tree of enabled charts and the values
// their templates get, the outcome of version ranges, and of file name patterns.
//
//	go run . scenarios.json > expected.json
//	go run . random > random.jsonl
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"reflect"
	"sort"

	"github.com/Masterminds/semver/v3"
	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
)

// Chart is a chart in short: its file content is JSON, which is YAML.
type Chart struct {
	Metadata     map[string]any    `json:"metadata,omitempty"`
	Requirements []any             `json:"requirements,omitempty"`
	Values       any               `json:"values,omitempty"`
	Files        map[string]string `json:"files,omitempty"`
	Charts       map[string]Chart  `json:"charts,omitempty"`
}

// Scenario is a chart with the values its user gives.
type Scenario struct {
	Name   string         `json:"name"`
	Chart  Chart          `json:"chart"`
	Values map[string]any `json:"values"`
}

// Input is the file of scenarios.
type Input struct {
	Scenarios []Scenario `json:"scenarios"`
	Versions  []string   `json:"versions"`
	Ranges    []string   `json:"ranges"`
	Patterns  []string   `json:"patterns"`
	FileNames []string   `json:"fileNames"`
}

// Tree is a chart as Helm would render it.
type Tree struct {
	Name   string `json:"name"`
	Charts []Tree `json:"charts,omitempty"`
}

// Outcome is what Helm made of a scenario.
type Outcome struct {
	Name     string         `json:"name"`
	Failed   bool           `json:"failed,omitempty"`
	Unstable bool           `json:"unstable,omitempty"`
	Tree     *Tree          `json:"tree,omitempty"`
	Values   map[string]any `json:"values,omitempty"`
	Metadata map[string]any `json:"metadata,omitempty"`
}

// Output is the file of expectations. Ranges and patterns map to the versions and names that match;
// what is malformed maps to null.
type Output struct {
	Scenarios []Outcome           `json:"scenarios"`
	Versions  []string            `json:"versions"`
	Ranges    map[string][]string `json:"ranges"`
	Patterns  map[string][]string `json:"patterns"`
}

func main() {
	log.SetOutput(io.Discard)
	if os.Args[1] == "random" {
		printRandom()
		return
	}
	data, err := os.ReadFile(os.Args[1])
	exitOn(err)
	var input Input
	exitOn(json.Unmarshal(data, &input))
	output := Output{Ranges: map[string][]string{}, Patterns: map[string][]string{}}
	for _, scenario := range input.Scenarios {
		output.Scenarios = append(output.Scenarios, settle(scenario))
	}
	for _, version := range input.Versions {
		if _, err := semver.NewVersion(version); err == nil {
			output.Versions = append(output.Versions, version)
		}
	}
	for _, text := range input.Ranges {
		output.Ranges[text] = matchRange(text, input.Versions)
	}
	for _, pattern := range input.Patterns {
		output.Patterns[pattern] = matchPattern(pattern, input.FileNames)
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	exitOn(encoder.Encode(output))
}

// printRandom prints made-up scenarios with their outcomes. Left out are those that Helm itself decides by
// chance, most of those it refuses, and large ones.
func printRandom() {
	printed, failed := 0, 0
	for _, scenario := range randomScenarios(2000, 20261121) {
		outcome := settle(scenario)
		if outcome.Unstable || outcome.Failed && failed == 20 {
			continue
		}
		line, err := json.Marshal(map[string]any{"scenario": scenario, "outcome": outcome})
		exitOn(err)
		if len(line) > 2500 || printed == 200 {
			continue
		}
		if outcome.Failed {
			failed++
		}
		printed++
		fmt.Println(string(line))
	}
}

func exitOn(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// settle runs a scenario several times: Helm visits undeclared subcharts in random order.
func settle(scenario Scenario) Outcome {
	first := run(scenario)
	for range 8 {
		if !reflect.DeepEqual(first, run(scenario)) {
			return Outcome{Name: scenario.Name, Unstable: true}
		}
	}
	return first
}

func run(scenario Scenario) Outcome {
	failed := Outcome{Name: scenario.Name, Failed: true}
	loaded, err := loader.LoadFiles(filesOf(scenario.Chart, ""))
	if err != nil {
		return failed
	}
	for _, dependency := range loaded.Metadata.Dependencies {
		if !isPresent(loaded, dependency.Name) {
			return failed
		}
	}
	metadata := map[string]any{"version": loaded.Metadata.Version, "appVersion": loaded.Metadata.AppVersion}
	user := copyOf(scenario.Values)
	if err := chartutil.ProcessDependenciesWithMerge(loaded, user); err != nil {
		return failed
	}
	values, err := chartutil.CoalesceValues(loaded, user)
	if err != nil {
		return failed
	}
	tree := treeOf(loaded)
	return Outcome{Name: scenario.Name, Tree: &tree, Values: copyOf(values), Metadata: metadata}
}

func isPresent(parent *chart.Chart, name string) bool {
	for _, child := range parent.Dependencies() {
		if child.Name() == name {
			return true
		}
	}
	return false
}

func filesOf(description Chart, prefix string) []*loader.BufferedFile {
	var files []*loader.BufferedFile
	add := func(name string, content any) {
		data, err := json.Marshal(content)
		exitOn(err)
		files = append(files, &loader.BufferedFile{Name: prefix + name, Data: data})
	}
	if description.Metadata != nil {
		add("Chart.yaml", description.Metadata)
	}
	if description.Requirements != nil {
		add("requirements.yaml", map[string]any{"dependencies": description.Requirements})
	}
	if description.Values != nil {
		add("values.yaml", description.Values)
	}
	for name, text := range description.Files {
		files = append(files, &loader.BufferedFile{Name: prefix + name, Data: []byte(text)})
	}
	for name, child := range description.Charts {
		files = append(files, filesOf(child, prefix+"charts/"+name+"/")...)
	}
	return files
}

func treeOf(parent *chart.Chart) Tree {
	tree := Tree{Name: parent.Name()}
	for _, child := range parent.Dependencies() {
		tree.Charts = append(tree.Charts, treeOf(child))
	}
	sort.Slice(tree.Charts, func(i, j int) bool { return tree.Charts[i].Name < tree.Charts[j].Name })
	return tree
}

func copyOf(values map[string]any) map[string]any {
	data, err := json.Marshal(values)
	exitOn(err)
	copied := map[string]any{}
	exitOn(json.Unmarshal(data, &copied))
	return copied
}

func matchRange(text string, versions []string) []string {
	constraint, err := semver.NewConstraint(text)
	if err != nil {
		return nil
	}
	matching := []string{}
	for _, version := range versions {
		if parsed, err := semver.NewVersion(version); err == nil && constraint.Check(parsed) {
			matching = append(matching, version)
		}
	}
	return matching
}

func matchPattern(pattern string, names []string) []string {
	matching := []string{}
	for _, name := range names {
		ok, err := filepath.Match(pattern, name)
		if err != nil {
			return nil
		}
		if ok {
			matching = append(matching, name)
		}
	}
	return matching
}
