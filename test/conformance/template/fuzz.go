package main

import (
	"encoding/json"
	"fmt"
	"strings"
)

// kind is the type of an expression that the fuzzer makes.
type kind string

const (
	text    kind = "text"
	integer kind = "integer"
	float   kind = "float"
	boolean kind = "boolean"
	list    kind = "list"
	dict    kind = "dict"
	any_    kind = "any"
)

var kinds = []kind{text, integer, float, boolean, list, dict}

// writer makes one random template that mostly makes sense.
type writer struct {
	picker
	variables map[string]kind
	defined   []string
	serial    int
	inRange   bool
}

func fuzzCases() []testCase {
	cases := []testCase{}
	for i := 0; i < 1150; i++ {
		writer := &writer{picker: newPicker(20261203 + int64(i)), variables: map[string]kind{}}
		partials := ""
		if i%3 == 0 {
			partials = writer.definition() + writer.of("", "\n") + writer.definition()
		}
		fuzzed := testCase{Partials: partials, Template: writer.block(2 + writer.Intn(3))}
		if i%4 == 0 {
			fuzzed.Values = writer.values()
		}
		cases = append(cases, fuzzed)
	}
	return cases
}

// values have the world's keys that expressions use, with other content.
func (writer *writer) values() json.RawMessage {
	object := map[string]any{"map": map[string]any{}}
	for _, key := range strings.Fields("text word mixed lines padded quoted version") {
		object[key] = writer.text()
	}
	for _, key := range strings.Fields("one three minus half pi zero") {
		object[key] = writer.number()
	}
	object["yes"] = writer.value(0)
	object["names"] = []any{writer.text(), writer.text()}
	object["numbers"] = []any{writer.number(), writer.number(), writer.number()}
	object["any"] = []any{writer.value(1), writer.value(1)}
	object["map"] = map[string]any{"a": writer.value(1), writer.text(): writer.value(1), "b": writer.text()}
	object["labels"] = map[string]any{"x": writer.text(), "y/z": writer.text()}
	encoded, err := json.Marshal(object)
	check(err)
	return encoded
}

func (writer *writer) definition() string {
	outer := writer.variables
	writer.variables = map[string]kind{}
	name := fmt.Sprintf("d%d", len(writer.defined))
	body := writer.block(1 + writer.Intn(2))
	writer.variables = outer
	writer.defined = append(writer.defined, name)
	return writer.action(`define "`+name+`"`) + body + writer.action("end")
}

func (writer *writer) action(content string) string {
	left, right := " ", " "
	if writer.chance(15) {
		left = "- "
	}
	if writer.chance(15) {
		right = " -"
	}
	return "{{" + left + content + right + "}}"
}

func (writer *writer) block(statements int) string {
	outer := map[string]kind{}
	for name, kind := range writer.variables {
		outer[name] = kind
	}
	var block strings.Builder
	for i := 0; i < statements; i++ {
		block.WriteString(writer.statement())
		block.WriteString(writer.of("", "", " ", "\n", "\n  ", "; ", "k: ", "\n- "))
	}
	writer.variables = outer
	return block.String()
}

func (writer *writer) statement() string {
	switch writer.Intn(12) {
	case 0:
		return writer.of("text", "a: b\n", "\n", "é", "{ }", "# c\n")
	case 1:
		branches := writer.action("if "+writer.expression(boolean, 2)) + writer.block(1+writer.Intn(2))
		if writer.chance(30) {
			branches += writer.action("else if "+writer.expression(any_, 2)) + writer.block(1)
		}
		if writer.chance(50) {
			branches += writer.action("else") + writer.block(1)
		}
		return branches + writer.action("end")
	case 2:
		branches := writer.action("with "+writer.expression(any_, 2)) + writer.action(writer.of(".", "kindOf .", "toJson .")) + writer.block(1)
		if writer.chance(40) {
			branches += writer.action("else") + writer.block(1)
		}
		return branches + writer.action("end")
	case 3:
		return writer.loop()
	case 4, 5:
		writer.serial++
		name, kind := fmt.Sprintf("$v%d", writer.serial), kinds[writer.Intn(len(kinds))]
		value := writer.expression(kind, 2)
		writer.variables[name] = kind
		return writer.action(name + " := " + value)
	case 6:
		for name, kind := range writer.variables {
			if len(writer.variables) == 1 {
				return writer.action(name + " = " + writer.expression(kind, 2))
			}
		}
		return writer.action("/* comment */")
	case 7:
		if len(writer.defined) > 0 {
			return writer.action(`template "` + writer.of(writer.defined...) + `" $`)
		}
	case 8:
		return writer.action(writer.expression(dict, 2) + " | toYaml | nindent " + writer.of("0", "2", "4"))
	}
	return writer.action(writer.expression(any_, 3))
}

func (writer *writer) loop() string {
	head := writer.expression(list, 2)
	if writer.chance(30) {
		head = writer.expression(dict, 2)
	}
	body := writer.action(".")
	if writer.chance(50) {
		writer.serial++
		key, item := fmt.Sprintf("$k%d", writer.serial), fmt.Sprintf("$e%d", writer.serial)
		head = key + ", " + item + " := " + head
		body = writer.action("print "+key+` "=" `+item) + writer.of(",", "\n", "")
	}
	outer := writer.inRange
	writer.inRange = true
	if writer.chance(25) {
		body += writer.action("if "+writer.expression(boolean, 1)) + writer.action(writer.of("break", "continue")) + writer.action("end")
	}
	body += writer.block(1)
	writer.inRange = outer
	if writer.chance(25) {
		body += writer.action("else") + writer.block(1)
	}
	return writer.action("range "+head) + body + writer.action("end")
}

// call writes a function's call, at times as a pipeline.
func (writer *writer) call(name string, arguments ...string) string {
	if writer.chance(40) {
		last := arguments[len(arguments)-1]
		return "(" + strings.Join(append([]string{last, "|", name}, arguments[:len(arguments)-1]...), " ") + ")"
	}
	return "(" + strings.Join(append([]string{name}, arguments...), " ") + ")"
}

// rule makes an expression: `t` in a rule stands for a text, `i`, `f`, `b`, `l`, `d`, `a` for the other kinds,
// what is quoted stands for itself.
var rules = map[kind][]string{
	text:    strings.Split(`upper t;lower t;title t;trim t;quote a;squote a;toString a;toJson a;toYaml l;toYaml d;trunc '5' t;trunc '-3' t;substr '1' '4' t;replace '"a"' '"é"' t;printf '"%s-%v"' t a;printf '"%5d|"' i;printf '"%q"' t;printf '"%v"' a;join '","' l;default t t;default t a;ternary t t b;b64enc t;b64dec t;sha256sum t;indent '2' t;nindent '1' t;trimSuffix '"b"' t;trimPrefix t t;trimAll '"a "' t;nospace t;cat t a;kindOf a;typeOf a;regexReplaceAll '"[a-e]+"' t '"<$0>"';regexFind '"[a-z]+"' t;repeat '2' t;snakecase t;camelcase t;kebabcase t;initials t;abbrev '8' t;wrap '10' t;print t a;print a a;first (sortAlpha l);get d t;toPrettyJson d;toToml d;toRawJson a;coalesce a t t;html t;urlquery t;js t;swapcase t;untitle t;plural t t i;dig '"a"' t (deepCopy d);required t a;regexQuoteMeta t;base t;dir t;println a;adler32sum t;b32enc t`, ";"),
	integer: strings.Split(`len l;len d;len t;add i i;add1 i;sub i i;mul i i;div i '3';mod i '4';int f;int t;int64 a;max i i;min i i;atoi t;add i f;floor f;(semver '"1.2.3"').Minor;default i i;ternary i i b`, ";"),
	float:   strings.Split(`addf f i;mulf f f;divf f '3';subf f i;round f '2';float64 t;ceil f;floor f;maxf f i;float64 i`, ";"),
	boolean: strings.Split(`eq t t;ne t t;lt i i;gt f f;le t t;not a;and b b;or b a;contains t t;hasPrefix t t;hasSuffix t t;empty a;hasKey d t;has a l;kindIs '"string"' a;deepEqual a a;regexMatch '"^[a-z]"' t;semverCompare '">=1.2"' '"1.2.3"';eq a a;typeIs '"float64"' a;and a a a;eq i i i;any a b;all a b`, ";"),
	list:    strings.Split(`list a a;list;list t t t;splitList '","' t;splitList '""' t;until '3';reverse l;uniq l;sortAlpha l;rest l;initial l;append l a;prepend l t;concat l l;without l a;compact l;slice l '0' '1';sortAlpha (keys d);fromYamlArray (toYaml l);fromJsonArray (toJson l);regexSplit '"[ ,]"' t '-1';tuple a t;toStrings l;chunk '2' l;default l l;pluck '"a"' d d;values (pick d '"a"')`, ";"),
	dict:    strings.Split(`dict '"a"' a;dict '"a"' a '"b"' l;dict t a;pick d '"a"' t;omit d '"a"';merge (deepCopy d) d;mergeOverwrite (deepCopy d) d;set (deepCopy d) t a;unset (deepCopy d) '"a"';fromYaml (toYaml d);fromJson (toJson d);deepCopy d;default d d;split '","' t;fromToml (toToml d);dict;urlParse t`, ";"),
}

var leaves = map[kind][]string{
	text:    {`"abc"`, `"B,c a"`, `""`, `"é😀"`, `"x\ny"`, `"1.5"`, `"12"`, `$.Values.text`, `$.Values.word`, `$.Values.mixed`, `$.Values.lines`, `$.Values.padded`, `$.Values.quoted`, `$.Release.Name`, `$.Chart.Name`, `$.Values.version`, `(index $.Values.names 0)`, "`raw\"`"},
	integer: {`0`, `1`, `2`, `7`, `-3`, `0x10`, `(int $.Values.three)`, `(int64 $.Values.minus)`, `(len $.Values.names)`, `'a'`},
	float:   {`1.5`, `-0.25`, `1e6`, `$.Values.one`, `$.Values.three`, `$.Values.pi`, `$.Values.half`, `$.Values.minus`, `2.0`, `100.0`},
	boolean: {`true`, `false`, `$.Values.yes`, `$.Values.no`, `$.Release.IsInstall`},
	list:    {`$.Values.names`, `$.Values.numbers`, `$.Values.any`, `$.Values.emptyList`, `(list 3 1 2)`, `(list "b" "a")`, `$.Values.ports`, `(list)`},
	dict:    {`$.Values.map`, `$.Values.labels`, `$.Values.emptyMap`, `$.Values.image`, `(dict "a" "A" "b" 2)`, `(dict)`, `$.Values.single`, `$.Values.deep`},
}

func (writer *writer) expression(wanted kind, depth int) string {
	if wanted == any_ || writer.chance(2) {
		if writer.chance(6) {
			return writer.of("nil", "$.Values.absent", "$.Values.nothing", "$.Values.absent.x", "$.Chart", "$.Values.map.a", "(index $.Values.any 0)")
		}
		if writer.inRange && writer.chance(25) {
			return "."
		}
		wanted = kinds[writer.Intn(len(kinds))]
	}
	if writer.chance(25) {
		for i := 1; i <= writer.serial; i++ {
			name := fmt.Sprintf("$v%d", i)
			if writer.variables[name] == wanted && writer.chance(60) {
				return name
			}
		}
	}
	if wanted == text && len(writer.defined) > 0 && writer.chance(8) {
		return writer.call("include", `"`+writer.of(writer.defined...)+`"`, "$")
	}
	if wanted == text && writer.chance(5) {
		return writer.of("(tpl $.Values.template $)", "(tpl \"{{ .Values.word }}\" $)", "(tpl (toYaml $.Values.labels) $)", "(tpl \"{{ . | quote }}\" "+writer.expression(text, 0)+")")
	}
	if depth <= 0 {
		return writer.of(leaves[wanted]...)
	}
	return writer.apply(writer.of(rules[wanted]...), depth-1)
}

func (writer *writer) apply(rule string, depth int) string {
	name, rest, _ := strings.Cut(rule, " ")
	if strings.HasPrefix(name, "(") {
		return writer.inner(rule, depth)
	}
	arguments := []string{}
	for rest != "" {
		var word string
		word, rest = nextWord(rest)
		arguments = append(arguments, writer.inner(word, depth))
	}
	if len(arguments) == 0 {
		return "(" + name + ")"
	}
	return writer.call(name, arguments...)
}

func nextWord(rule string) (word, rest string) {
	end := strings.IndexByte(rule, ' ')
	switch rule[0] {
	case '\'':
		end = strings.IndexByte(rule[1:], '\'') + 2
	case '(':
		end = strings.LastIndexByte(rule, ')') + 1
		if close := strings.IndexByte(rule, ')'); !strings.Contains(rule[1:close], "(") {
			end = close + 1
		}
	}
	if end < 0 || end >= len(rule) {
		return rule, ""
	}
	return rule[:end], strings.TrimPrefix(rule[end:], " ")
}

var letters = map[string]kind{"t": text, "i": integer, "f": float, "b": boolean, "l": list, "d": dict, "a": any_}

func (writer *writer) inner(word string, depth int) string {
	if kind, known := letters[word]; known {
		return writer.expression(kind, depth)
	}
	if strings.HasPrefix(word, "'") {
		return strings.Trim(word, "'")
	}
	if content, found := strings.CutPrefix(word, "("); found && strings.HasSuffix(word, ")") {
		return writer.apply(strings.TrimSuffix(content, ")"), depth)
	}
	return strings.ReplaceAll(word, "'", "")
}
