package main

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"strings"

	"sigs.k8s.io/yaml"
)

// yamlCase is one document: its value as JSON, or the error that Helm's reader gives.
type yamlCase struct {
	YAML  string          `json:"yaml"`
	Value json.RawMessage `json:"value,omitempty"`
	Error string          `json:"error,omitempty"`
}

func evaluateYAML(text string) yamlCase {
	var value any
	if err := yaml.Unmarshal([]byte(text), &value); err != nil {
		return yamlCase{YAML: text, Error: err.Error()}
	}
	encoded, err := json.Marshal(value)
	if err != nil {
		return yamlCase{YAML: text, Error: err.Error()}
	}
	return yamlCase{YAML: text, Value: encoded}
}

// scalars are texts that some YAML reader takes for something else than a string, and their neighbours.
func scalars() []string {
	words := strings.Fields(`
y Y n N yes Yes YES yEs no No NO nO on On ON oN off Off OFF oFF true True TRUE tRue false False FALSE fAlse
t f T F ~ null Null NULL nULL nil none None Null1 ~a undefined
0 00 000 1 -1 +1 -0 +0 01 07 08 09 010 0777 -017 +017 0o17 0O17 -0o17 0o 0o8 0x1F 0X1f -0xff +0xff 0x 0xg
0b101 0B101 -0b11 +0b11 0b 0b2 0b-1 0b+1 -0b-1 0b_1 0x_1 0o_7 1_000 1__000 1_ _1 -_1 -1_0 1_0.5 1_000.5_5
9007199254740991 9007199254740992 9007199254740993 -9007199254740993 9223372036854775807 9223372036854775808
-9223372036854775808 -9223372036854775809 18446744073709551615 18446744073709551616 +18446744073709551615
123456789012345678901234567890 0x7fffffffffffffff 0xffffffffffffffff 0x10000000000000000 -0x8000000000000000
0777777777777777777777 01777777777777777777777 07777777777777777777777 08888888888888888888888
0b1111111111111111111111111111111111111111111111111111111111111111
1.0 1.10 1.1 0.1 .1 .5 -.5 +.5 1. -1. +1. 1.. .. . ... -. +. 1.e3 1e3 1E3 1e+3 1e-3 1e 1e+ .e3 e3 1e3.5 1.5e3
1.5E-10 1e21 1e20 1e-6 1e-7 1e308 1e309 -1e309 1e400 1e-400 .5e3 .5e400 .5e-400 ._5 .5_ .5_0 .5__0 5_.5 0.0 -0.0
-0e5 +0.0 00.5 01.5 09.5 0x1.8 0x1p2 0x1p-2 1f 1d 1_2e3 12e0_3 4.14 4.140 16 16.0 1.2.3 1.2.3.4 v1.2.3 1.2.3-alpine
20240101 2024.01 1.23456789012345678 0.1234567891 3.4028235e39 1e39 123456.7 1234567.8 0.00001 0.0001
.inf .Inf .INF .iNf -.inf -.Inf -.INF +.inf +.INF .nan .NaN .NAN .Nan -.nan inf Inf -inf NaN nan Infinity -Infinity
.infinity .a -.a
1:30 1:30:45 190:20:30 190:20:30.15 -1:30 12:34 0:0 1:60 :1 1: a:1
2001-01-01 2001-1-1 2001-13-01 2001-02-30 2001-01-01T00:00:00Z 2001-12-14t21:59:43.10-05:00 2001-01 2001-
2001-01-01T1:2:3Z 2001-01-01T25:00:00Z 01-01-2001
= << < > | - -- --- -a -1a +a ? ?a : :a % %a @ @a & &a * *a ! !a !!a # #a , ,a [ ] { } [] {} ' " '' "" 'a' "a" '1' "1"
'true' "null" "\x31" "\u0041" "\q" "\/" "\ " "\N" 'it''s' "a\tb" "a\nb" "\e" "\0" "\U0001F600" "\ud83d\ude00"
a a.b a/b a_b a-b a@b a=b a,b a;b a?b a!b a#b a&b a*b a|b a>b a%b a~b a\b a'b a"b $a (a) ü 日本 😀
sha256:0123456789abcdef docker.io/library/nginx:1.27 nginx:1.27@sha256:abc registry.example.com:5000/x/y
http://example.com/?a=b#c {{a}} a{b}c a[0] a}b 0.0.0.0 127.0.0.1 10.0.0.0/8 ::1 fe80::1 50m 128Mi 1Gi 100% 1e3Mi
__proto__ constructor toString hasOwnProperty prototype
! !!str !!int !!null !!float !!bool !!binary !!timestamp !!map !!seq !!set !!omap !local !!str&a &a!!str
`)
	return append(words,
		"", " ", "a b", "a  b", "a #b", "a# b", "a: b", "a :b", "a : b", "- a", "-  a", "? a", "1 2", "true false", "null a",
		"'a' b", "\"a\" b", "'a", "\"a", "'a'b", "a'", "[a", "{a", "a]", "[a, b]", "[a b]", "{a: b}", "{a}", "{a, b: c}", "{a:b}",
		"{a: }", "{: a}", "[a: b]", "[a, [b, c]]", "[,]", "[a,]", "[a,,b]", "{a: b,}", "{,}", "[ ]", "{ }", "{\"a\":1}", "{\"a\":b}",
		"{'a':'b'}", "[a:b]", "{a: {b: {c: d}}}", "[?a]", "[-a]", "[- a]", "[a#b]", "[a #b]", "{a: 1, a: 2}", "[1, 0x10, 1_0, y]",
		"\tb", "a\tb", "a\t", " a ", "2001-01-01 00:00:00", "2001-01-01 1:2:3.5", "2001-12-14 21:59:43.10 -5", "2001-12-15T02:59:43.1Z",
		"|", ">", "|-", "|+", "|2", "|a", "&x", "*x", "&x a", "&x 1", "&x [*x]", "@a b", "`a`", "`", "%a b",
		"!!str 1", "!!str true", "!!str", "!!int 1", "!!int \"1\"", "!!int a", "!!int 1.5", "!!int 0x1F", "!!float 1", "!!float 1.5",
		"!!float a", "!!float .inf", "!!float 18446744073709551615", "!!float \"1\"", "!!bool yes", "!!bool \"true\"", "!!bool 1",
		"!!null null", "!!null ''", "!!null a", "!!null ~", "!!binary aGVsbG8=", "!!binary aGVsbG8", "!!binary a b", "!!binary ''",
		"!!timestamp 2001-01-01", "!!timestamp \"2001-01-01\"", "!!timestamp 2001-02-30", "!!timestamp a", "!!timestamp 2000-02-29",
		"!!timestamp 2001-01-01T00:00:00Z", "!!timestamp 2001-01-01 00:00:00", "!!timestamp 2001-01-01T24:00:00Z",
		"!a 1", "!a true", "!<tag:yaml.org,2002:str> 1", "!<tag:yaml.org,2002:int> \"1\"", "!<x> 1", "!e!x 1", "! 1", "! \"1\"", "! a",
		"!!map {a: b}", "!!seq [a]", "!!set {a, b}", "!!omap [a: b]", "!!str [a]", "!!int {a: b}", "!!merge <<", "!!foo 1",
		"&a !!str 1", "!!str &a 1", "\"a\\\n  b\"", "'a\n  b'", "\"a\n\n  b\"", "a\n  b", "a\n  b: c", "a\n  - b",
	)
}

// placements put a scalar where a value, a key, a list item and a flow item stand.
var placements = []string{"a: %s\n", "%s: v\n", "- %s\n", "[%s]\n", "{a: %s}\n", "%s\n"}

func yamlTexts() []string {
	texts := append([]string{}, documents...)
	for _, scalar := range scalars() {
		for _, placement := range placements {
			texts = append(texts, fmt.Sprintf(placement, scalar))
		}
	}
	texts = append(texts, randomDocuments(600)...)
	return unique(texts)
}

func unique(texts []string) []string {
	seen := map[string]bool{}
	kept := []string{}
	for _, text := range texts {
		if !seen[text] {
			seen[text] = true
			kept = append(kept, text)
		}
	}
	return kept
}

// randomDocuments are well-formed block documents over the scalars, seeded so that every run gives the same.
func randomDocuments(count int) []string {
	random := rand.New(rand.NewSource(20261101))
	plain := scalars()
	texts := make([]string, count)
	for i := range texts {
		texts[i] = randomBlock(random, plain, "", 0)
	}
	return texts
}

func randomBlock(random *rand.Rand, plain []string, indent string, depth int) string {
	var text strings.Builder
	isList := random.Intn(3) == 0
	for i := 0; i < 1+random.Intn(4); i++ {
		prefix := indent + "- "
		if !isList {
			prefix = fmt.Sprintf("%skey%d: ", indent, i)
			if random.Intn(20) == 0 {
				prefix = indent + "key0: "
			}
		}
		if depth < 3 && random.Intn(3) == 0 {
			text.WriteString(strings.TrimRight(prefix, " ") + "\n" + randomBlock(random, plain, indent+"  ", depth+1))
			continue
		}
		switch random.Intn(8) {
		case 0:
			style := []string{"|", "|-", "|+", ">", ">-", ">+"}[random.Intn(6)]
			text.WriteString(prefix + style + "\n" + randomLines(random, indent+"  "))
		case 1:
			text.WriteString(prefix + "'" + strings.ReplaceAll(plain[random.Intn(len(plain))], "'", "''") + "'\n")
		case 2:
			text.WriteString(prefix + plain[random.Intn(len(plain))] + " # comment\n")
		default:
			text.WriteString(prefix + plain[random.Intn(len(plain))] + "\n")
		}
		if random.Intn(10) == 0 {
			text.WriteString("\n" + indent + "# comment\n")
		}
	}
	return text.String()
}

func randomLines(random *rand.Rand, indent string) string {
	var text strings.Builder
	for i := 0; i < 1+random.Intn(4); i++ {
		switch random.Intn(5) {
		case 0:
			text.WriteString("\n")
		case 1:
			text.WriteString(indent + "  more: indented # text\n")
		default:
			text.WriteString(indent + "line one: 'two'\n")
		}
	}
	return text.String()
}
