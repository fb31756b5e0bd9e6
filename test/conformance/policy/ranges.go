package main

import (
	"fmt"
	"math/rand"
	"strings"

	"github.com/Masterminds/semver/v3"
)

// rangesOverVersions holds every range against every version.
type rangesOverVersions struct {
	Versions []versionCase `json:"versions"`
	Ranges   []rangeCase   `json:"ranges"`
}

type versionCase struct {
	Text  string `json:"text"`
	Error string `json:"error,omitempty"`
	// Compared holds the order against each version that is one: <, = or >.
	Compared string `json:"compared,omitempty"`
}

type rangeCase struct {
	Range string `json:"range"`
	Error string `json:"error,omitempty"`
	// Within holds 1 or 0 for each version that is one.
	Within string `json:"within,omitempty"`
}

var curatedVersions = []string{
	"1.0.0", "v1.0.0", "1.0.0-0", "1.0.0-rc.1", "1.0.0-rc.10", "1.0.0-rc.2", "1.0.0-alpha", "1.0.0-alpha.beta",
	"1.0.0+build", "v1.0.0+b.1", "1.0.0-rc.1+build", "1.0.0_build1", "1.0", "1", "v1", "v", "", "1.2.3", "1.2.4-beta",
	"1.5.0", "1.5.9", "1.9.99", "2.0.0", "2.0.0-rc.1", "2.0.0-0", "0.0.0", "0.0.1", "0.0.2", "0.1.0", "0.1.5", "0.2.0",
	"3.1.4", "5.0.0", "10.0.0", "2025.02.03", "2025.2.3", "01.02.03", "1.02.3", "1.2.03", "1.2.3-01", "1.2.3-0a",
	"1.2.3-a.01", "9007199254740993.0.0", "9007199254740992.0.0", "18446744073709551615.0.0",
	"18446744073709551616.0.0", "1.0.0-18446744073709551616", "1.0.0-99999999999999999999", "V1.0.0", "1.0.0.0",
	"latest", "1.0.0-", "1.0.0+", "1.0.0-rc..1", " 1.0.0", "1.0.0 ", "1.x.0", "1.0.0-rc_1", "1-rc.1.2", "1.2-rc.1",
	"v1.2.3-alpine", "1.2.3-alpine3.19", "1.2.3-20240101", "1.2.3-debian-12-r0",
}

var curatedRanges = []string{
	"", "*", "x", "X", ">=1.0.0", ">=1.0.0-0", ">=1.0.0-0 <2.0.0", ">=1.0.0-0, <2.0.0", ">= 1.0.0, < 2.0.0", "^1.x-0",
	"*-0", "~0.0.0", "~0.0.1", "~0", "~0.0", "~1", "~1.2", "~1.2.3", "~>1.2", "~> 1.2.3", "^0", "^0.0", "^0.0.0",
	"^0.0.1", "^0.1", "^0.1.2", "^1", "^1.2", "^1.2.3", "^1.2.3-beta", "^v1", "!=1.5.x", "!=1.5.0", "!=1", "!= 1.x",
	"=>1.0", "=<1.5", "<=1", "<=1.5", "<=1.5.x", ">1", ">1.2", ">1.2.3", "<1", "<1.5", "<2.0.0-rc.1", "=1.2.3", "1.2.3",
	"v1.2.3", "1.2.x", "1.x", "1", "1.2", "1.0 - 2.0", "1.2.3 - 2", "1 - 3 || 5.x", "1.x || >=5", "<1 || >=2 <3",
	">=1.0.0-0 || >=2.0.0", "1.x||2.x", "|| 1.x", "1.x ||", "1.0.0 2.0.0", "1.0.0,2.0.0", ",1.0.0", "1.0.0,", ">=",
	"foo", ">=1.0.0 foo", "1.2.3.4", ">1.0.0-beta <1.0.0", ">= 9007199254740993", "18446744073709551616", "> *", "< *",
	"!=*", ">=*", "<=x", "^*", "~*", "~1.x.x", "^1.x.x", ">=1.x", "<1.x", "1.*.3", "==1.0.0", "><1", "<>1", "!1",
	"2025.02.x", ">=2025.02.03", ">=01.2.3", "~1.2.3-0", "1.2.3-0 - 2.0.0", ">=1.0.0-rc.1 <1.0.0 || ^2", "\t>=1.0.0\n",
	">=1.0.0 <2.0.0 !=1.5.0", "~1.2.3+build", ">=1.0.0+b", "1.2.3-alpine", "~1.2.3-alpine", ">=1.2.3-alpine3.0",
}

func rangeTable() rangesOverVersions {
	random := rand.New(rand.NewSource(41))
	texts := append([]string{}, curatedVersions...)
	for range 60 {
		texts = append(texts, randomVersion(random))
	}
	var table rangesOverVersions
	var versions []*semver.Version
	for _, text := range texts {
		version, err := semver.NewVersion(text)
		if err != nil {
			table.Versions = append(table.Versions, versionCase{Text: text, Error: err.Error()})
			continue
		}
		table.Versions = append(table.Versions, versionCase{Text: text})
		versions = append(versions, version)
	}
	for index, one := range table.Versions {
		if one.Error == "" {
			table.Versions[index].Compared = compared(semver.MustParse(one.Text), versions)
		}
	}
	ranges := append([]string{}, curatedRanges...)
	for range 250 {
		ranges = append(ranges, randomRange(random))
	}
	for _, text := range ranges {
		table.Ranges = append(table.Ranges, rangeOver(text, versions))
	}
	return table
}

func compared(version *semver.Version, others []*semver.Version) string {
	var signs strings.Builder
	for _, other := range others {
		signs.WriteByte("<=>"[version.Compare(other)+1])
	}
	return signs.String()
}

func rangeOver(text string, versions []*semver.Version) rangeCase {
	constraint, err := semver.NewConstraint(text)
	if err != nil {
		return rangeCase{Range: text, Error: err.Error()}
	}
	var within strings.Builder
	for _, version := range versions {
		if constraint.Check(version) {
			within.WriteByte('1')
		} else {
			within.WriteByte('0')
		}
	}
	return rangeCase{Range: text, Within: within.String()}
}

func pick(random *rand.Rand, texts ...string) string {
	return texts[random.Intn(len(texts))]
}

func randomVersion(random *rand.Rand) string {
	text := pick(random, "", "", "v") + fmt.Sprintf("%d.%d.%d", random.Intn(4), random.Intn(4), random.Intn(4))
	text += pick(random, "", "", "", "-0", "-rc.1", "-rc.2", "-alpha", "-beta.11", "-1", "-a-b")
	return text + pick(random, "", "", "", "+1", "+a.b")
}

func randomRange(random *rand.Rand) string {
	groups := make([]string, 1+random.Intn(2))
	for group := range groups {
		bounds := make([]string, 1+random.Intn(3))
		for bound := range bounds {
			bounds[bound] = randomBound(random)
		}
		groups[group] = strings.Join(bounds, pick(random, " ", ", ", ",", "  "))
	}
	return strings.Join(groups, pick(random, "||", " || "))
}

func randomBound(random *rand.Rand) string {
	operator := pick(random, "", "=", "!=", ">", "<", ">=", "=>", "<=", "=<", "~", "~>", "^") + pick(random, "", "", " ")
	version := pick(random, "", "", "v") + pick(random, "0", "1", "2", "3", "x", "*")
	if random.Intn(5) > 0 {
		version += "." + pick(random, "0", "1", "2", "3", "x")
		if random.Intn(4) > 0 {
			version += "." + pick(random, "0", "1", "2", "3", "*")
		}
	}
	return operator + version + pick(random, "", "", "", "", "-0", "-rc.1", "-alpha", "+b")
}
