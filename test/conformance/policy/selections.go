package main

import (
	"errors"
	"fmt"
	"math/rand"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/Masterminds/semver/v3"
)

// policy says how a tag is chosen; one of Range and Kind is given.
type policy struct {
	Kind    string  `json:"kind"`
	Range   string  `json:"range,omitempty"`
	Order   string  `json:"order,omitempty"`
	Pattern *string `json:"pattern,omitempty"`
	Extract string  `json:"extract,omitempty"`
}

// selectionCase is a policy over tags, with what Flux chooses. Where the order of a Go map decides, Latest holds
// every tag that can be chosen.
type selectionCase struct {
	policy
	Tags   []string `json:"tags"`
	Latest []string `json:"latest,omitempty"`
	Error  string   `json:"error,omitempty"`
}

// byteDescending gives tags as Flux's database does.
func byteDescending(tags []string) []string {
	tags = slices.Clone(tags)
	sort.Sort(sort.Reverse(sort.StringSlice(tags)))
	return tags
}

// latest chooses among tags, in the order that shuffle leaves what a filter extracts of them.
func latest(p policy, tags []string, shuffle func([]string)) (string, error) {
	choose, err := chooser(p)
	if err != nil {
		return "", fmt.Errorf("invalid policy: %w", err)
	}
	if len(tags) == 0 {
		return "", errors.New("no tags in database")
	}
	if p.Pattern == nil {
		return choose(tags)
	}
	compiled, err := regexp.Compile(*p.Pattern)
	if err != nil {
		return "", fmt.Errorf("failed to filter tags: invalid regular expression pattern '%s': %w", *p.Pattern, err)
	}
	originals := map[string]string{}
	for _, tag := range tags {
		if match := compiled.FindStringSubmatchIndex(tag); match != nil {
			text := tag
			if p.Extract != "" {
				text = string(compiled.ExpandString(nil, p.Extract, tag, match))
			}
			originals[text] = tag
		}
	}
	var texts []string
	for text := range originals {
		texts = append(texts, text)
	}
	shuffle(texts)
	text, err := choose(texts)
	return originals[text], err
}

// chooser gives what chooses one of some texts.
func chooser(p policy) (func([]string) (string, error), error) {
	switch p.Kind {
	case "semver":
		constraint, err := semver.NewConstraint(p.Range)
		if err != nil {
			return nil, err
		}
		return notEmpty(func(texts []string) (string, error) { return latestVersion(texts, constraint) }), nil
	case "numerical":
		return notEmpty(func(texts []string) (string, error) { return latestNumber(texts, p.Order == "desc") }), nil
	default:
		return notEmpty(func(texts []string) (string, error) {
			if p.Order == "desc" {
				return slices.Min(texts), nil
			}
			return slices.Max(texts), nil
		}), nil
	}
}

func notEmpty(choose func([]string) (string, error)) func([]string) (string, error) {
	return func(texts []string) (string, error) {
		if len(texts) == 0 {
			return "", errors.New("version list argument cannot be empty")
		}
		return choose(texts)
	}
}

func latestVersion(texts []string, constraint *semver.Constraints) (string, error) {
	var best *semver.Version
	for _, text := range texts {
		if strings.Count(text, ".") < 2 {
			continue
		}
		version, err := semver.NewVersion(text)
		if err == nil && constraint.Check(version) && (best == nil || version.GreaterThan(best)) {
			best = version
		}
	}
	if best == nil {
		return "", errors.New("unable to determine latest version from provided list")
	}
	return best.Original(), nil
}

func latestNumber(texts []string, descending bool) (string, error) {
	best, bestValue := "", 0.0
	for index, text := range texts {
		value, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return "", fmt.Errorf("failed to parse invalid numeric value '%s'", text)
		}
		if index > 0 && ((!descending && value < bestValue) || (descending && value > bestValue)) {
			continue
		}
		best, bestValue = text, value
	}
	return best, nil
}

var selectionTags = [][]string{
	{},
	{"1.0.0", "v1.0.0", "1.0.0_a", "1.0.0_b", "0.9.0"},
	{"1.0.0", "2.0.0-rc.1", "1.5.0", "latest", "1.2"},
	{"2025.02.03", "2025.2.10", "2024.12.31"},
	{"pr-1-100-a", "pr-2-300-b", "pr-3-200-c", "main-400-d"},
	{"pr-1-100-a", "pr-2-100-b", "pr-10-100-c"},
	{"100", "99", "1e3", "0x1p4"},
	{"100", "0100", "1e2"},
	{"20240102030405678901", "20240102030405678902", "20240102030405678900"},
	{"a", "B", "b", "A", "_", "0"},
	{"inf", "1", "Infinity"},
	{"nan", "1", "2"},
	{"1.2.3-alpine", "1.2.4-alpine", "1.2.4", "1.3.0-debian"},
	{"v1", "v2", "v10"},
	{"build-7", "build-08", "build-9", "build-x"},
}

var selectionFilters = [][2]string{
	{`^pr-(?P<pr>.*)-(?P<ts>\d*)-(?P<sha1>.*)$`, "$ts"},
	{`^pr-(?P<pr>\d+)`, "$pr"},
	{`^v?(?P<v>.*)$`, "$v"},
	{`^(?P<v>[0-9.]+)-alpine$`, "$v"},
	{`^[0-9]+$`, ""},
	{`\d+`, "$0"},
	{`^build-(\d+)$`, "${1}"},
	{`^(?P<v>[\d.]+)_(?P<build>.*)$`, "${v}+$build"},
	{`^(\d+)$`, "-$1"},
	{`(`, "$1"},
	{`none`, ""},
}

func selectionCases() []selectionCase {
	policies := []policy{
		{Kind: "semver", Range: "*"}, {Kind: "semver", Range: ">=1.0.0-0"}, {Kind: "semver", Range: "^1.0.0 || >=2025"},
		{Kind: "semver", Range: "foo"}, {Kind: "alphabetical", Order: "asc"}, {Kind: "alphabetical", Order: "desc"},
		{Kind: "numerical", Order: "asc"}, {Kind: "numerical", Order: "desc"},
	}
	random := rand.New(rand.NewSource(53))
	var cases []selectionCase
	for _, p := range policies {
		for _, tags := range selectionTags {
			cases = append(cases, selection(p, tags))
			for _, filter := range selectionFilters {
				filtered := p
				filtered.Pattern, filtered.Extract = &filter[0], filter[1]
				cases = append(cases, selection(filtered, tags))
			}
		}
		for range 60 {
			cases = append(cases, selection(p, randomTags(random, p.Kind)))
		}
	}
	return cases
}

// selection runs a case in many orders of the map that a filter fills.
func selection(p policy, tags []string) selectionCase {
	random := rand.New(rand.NewSource(59))
	found := selectionCase{policy: p, Tags: tags}
	chosen := map[string]bool{}
	for range 40 {
		tag, err := latest(p, byteDescending(tags), func(texts []string) {
			sort.Strings(texts)
			random.Shuffle(len(texts), func(i, j int) { texts[i], texts[j] = texts[j], texts[i] })
		})
		if err != nil {
			found.Error = err.Error()
			return found
		}
		chosen[tag] = true
	}
	for tag := range chosen {
		found.Latest = append(found.Latest, tag)
	}
	sort.Strings(found.Latest)
	return found
}

func randomTags(random *rand.Rand, kind string) []string {
	tags := []string{}
	for range 1 + random.Intn(8) {
		tag := randomVersion(random)
		if kind == "numerical" {
			tag = strconv.Itoa(random.Intn(2000))
		}
		if kind == "alphabetical" {
			tag = strings.TrimLeft(randomTag(random), "-.")
		}
		if tag = strings.ReplaceAll(tag, "+", "_"); tag != "" && !slices.Contains(tags, tag) {
			tags = append(tags, tag)
		}
	}
	return tags
}
