package main

import (
	"math/rand"
	"regexp"
	"strings"
)

// patternCase is what Go finds of a pattern in a tag, and what it expands a template to.
type patternCase struct {
	Pattern string `json:"pattern"`
	Error   string `json:"error,omitempty"`
	Tag     string `json:"tag,omitempty"`
	Extract string `json:"extract,omitempty"`
	// Match holds where the match and its groups begin and end; absent where there is none.
	Match    []int    `json:"match,omitempty"`
	Names    []string `json:"names,omitempty"`
	Expanded string   `json:"expanded,omitempty"`
}

var curatedPatterns = []string{
	`^pr-(?P<pr>.*)-(?P<ts>\d*)-(?P<sha1>.*)$`, `^main-[a-f0-9]+-(?P<ts>[0-9]+)`, `.*`, ``, `(?P<a_>.)(?P<b>.*)`,
	`(?P<n>x)|(?P<n>y)|(?P<n>\d+)`, `(?<ts>\d+)`, `(?P<tag>.*)-(?P<name>.*)`, `(?P<digest>\w+)`, `\pL+`, `[[:digit:]]+`,
	`\Q.\E(\d)`, `(\d+)\z`, `(?i)RC(\d)?`, `^v?(?P<major>\d+)\.(?P<minor>\d+)(?:\.(?P<patch>\d+))?`, `(a|ab)(c|bcd)?`,
	`(?P<opt>x)?-(?P<rest>.*)`, `^(?P<env>dev|stg)-(?P<n>\d{1,3})$`, `(?s).(?-s:.)`, `(?m)^(.+)$`, `\b(\d+)\b`, `(\B.)+`,
	`(?U)(a+)(.*)`, `(a*?)(\d*)`, `((a)|(b)|(\d))+`, `[^-]+-([^-]+)`, `(?P<__proto__>\d+)`, `(?P<constructor>.)`,
	`x{1000}`, `x{1001}`, `(x{100}){11}`, `a++`, `a**`, `(?=a)`, `(?!a)`, `(?<=a)`, `(?<!a)`, `\1`, `(a)\1`, `\Z`, `\z`,
	`(`, `)`, `[`, `[a`, `]`, `*`, `+a`, `?`, `a{2,1}`, `{`, `a{,2}`, `(?P<1>a)`, `(?P<é>a)`, `(?P<>a)`, `(?P<a b>a)`,
	`(?P=a)`, `(?P<a`, `(?P<a>`, `(?<a`, `\`, `\8`, `\y`, `\x{41}`, `\x41`, `\x{110000}`, `[z-a]`, `[\d-z]`, `[[:foo:]]`,
	`(?z)`, `(?i`, `\pZ`, `\p{Greek}`, `\p{Foo}`, `é`, `\C`, `(?#c)a`, `\Aa`, `a|*`, `(|a)+`, `(?:)`, `^$`, `$^`, `\d+?$`,
}

var curatedTags = []string{
	"pr-12-1600000000-abc", "pr--1-x", "main-0123abc-1600000001", "x-dev-7", "v1.2.3-rc.1", "1.2", "abcd", "y", "Rc2",
	"2024-01-02_a.b",
}

var curatedExtracts = []string{
	"", "$ts", "${ts}", "$pr-$ts", "$a_$b", "${a_}$b", "$1", "${1}", "$1x", "${1}x", "$0", "$2", "$01", "$10", "$$", "$$1",
	"$", "a$", "${", "${1", "${}", "$-", "$é", "é$1", "$n", "$major.$minor.$patch", "$opt", "$none", "$rest", "lit",
	"$__proto__", "$constructor", "${1}.0.0", "$1$1", "$999999999", "$1000000000",
}

func patternCases() []patternCase {
	var cases []patternCase
	for _, pattern := range curatedPatterns {
		compiled, err := regexp.Compile(pattern)
		if err != nil {
			cases = append(cases, patternCase{Pattern: pattern, Error: err.Error()})
			continue
		}
		for index, tag := range curatedTags {
			cases = append(cases, find(compiled, tag, curatedExtracts[(index*7+len(pattern))%len(curatedExtracts)]))
		}
	}
	for _, pattern := range curatedPatterns[:12] {
		for index, extract := range curatedExtracts {
			cases = append(cases, find(regexp.MustCompile(pattern), curatedTags[index%len(curatedTags)], extract))
		}
	}
	random := rand.New(rand.NewSource(43))
	for len(cases) < 2200 {
		pattern := randomPattern(random, 3)
		compiled, err := regexp.Compile(pattern)
		if err != nil {
			cases = append(cases, patternCase{Pattern: pattern, Error: err.Error()})
			continue
		}
		cases = append(cases, find(compiled, randomTag(random), pick(random, curatedExtracts...)))
	}
	return cases
}

func find(compiled *regexp.Regexp, tag, extract string) patternCase {
	found := patternCase{Pattern: compiled.String(), Tag: tag, Extract: extract}
	if strings.Join(compiled.SubexpNames(), "") != "" {
		found.Names = compiled.SubexpNames()
	}
	if match := compiled.FindStringSubmatchIndex(tag); match != nil {
		found.Match = match
		found.Expanded = string(compiled.ExpandString(nil, extract, tag, match))
	}
	return found
}

func randomTag(random *rand.Rand) string {
	var tag strings.Builder
	for range 1 + random.Intn(10) {
		tag.WriteString(pick(random, "a", "b", "x", "1", "2", "0", "-", ".", "_", "A", "rc"))
	}
	return tag.String()
}

func randomPattern(random *rand.Rand, depth int) string {
	if depth == 0 || random.Intn(4) == 0 {
		return pick(random, "a", "b", "x", `\d`, `\w`, "[ab]", "[^a]", ".", "-", `\.`, "^", "$", `\b`, "rc", "(?i:a)", "")
	}
	inner := randomPattern(random, depth-1)
	switch random.Intn(6) {
	case 0:
		return "(" + inner + ")" + pick(random, "", "*", "+", "?", "*?", "+?", "??", "{2}", "{0,2}", "{1,}?")
	case 1:
		return "(?P<" + pick(random, "n", "ts", "a_", "b") + ">" + inner + ")" + pick(random, "", "", "*", "?")
	case 2:
		return "(?:" + inner + "|" + randomPattern(random, depth-1) + ")"
	default:
		return inner + randomPattern(random, depth-1)
	}
}
