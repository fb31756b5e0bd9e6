package main

import (
	"encoding/json"
	"math"
	"math/rand"
	"strings"
)

// picker makes random choices that are the same in every run.
type picker struct{ *rand.Rand }

func newPicker(seed int64) picker { return picker{rand.New(rand.NewSource(seed))} }

func (picker picker) of(words ...string) string { return words[picker.Intn(len(words))] }

// chance is true in so many of a hundred cases.
func (picker picker) chance(percent int) bool { return picker.Intn(100) < percent }

var awkwardTexts = []string{
	"", "a", "yes", "no", "null", "~", "true", "1", "1.0", "01", "0x1f", "1e3", "-", "- a", "a: b", "#", "a #b", "*a", "&a", "!x", "%a", "@x", "|", ">", "?", "'", "\"", "[", "{}", ",", " lead", "trail ",
	"two\nlines", "end\n", "\nstart", "a\n\nb\n\n", "tab\there", "\t", "ä ö", "日本", "😀", "\u2028", "\u0085", "\u00a0", "\ufeff", "\x01", "\x7f", "\\", "a\\b", "{{ x }}", "<a href=\"b\">&amp;</a>", "2001-01-01", "12:30:45", "=", "<<",
	"http://example.com/?a=b&c=d#e", "docker.io/library/nginx:1.27@sha256:abc", "very long text with many words that does not fit into one line of eighty characters, and then some more words", "a\r\nb", "it's", "key: value: more", "...", "---", "  \n  x\n", "x\n  y\n", ":", "a:", ".5", "+1", "0o17", "0b1", ".inf", "NaN",
}

func (picker picker) text() string {
	if picker.chance(60) {
		return awkwardTexts[picker.Intn(len(awkwardTexts))]
	}
	var text strings.Builder
	alphabet := []rune("abcXYZ019 -_.:/#'\"\\\n\t,{}[]&*!|>%@`~=+$äß😀\u00a0\u2028\x00")
	for i := picker.Intn(12); i >= 0; i-- {
		text.WriteRune(alphabet[picker.Intn(len(alphabet))])
	}
	return text.String()
}

func (picker picker) number() float64 {
	switch picker.Intn(5) {
	case 0:
		return float64(picker.Intn(10))
	case 1:
		return float64(picker.Intn(2_000_000_000)) - 1e9
	case 2:
		return math.Trunc(picker.Float64()*1e6) / 1000
	case 3:
		return picker.NormFloat64() * math.Pow(10, float64(picker.Intn(50)-20))
	}
	return math.Trunc(picker.Float64() * math.Pow(10, float64(picker.Intn(24))))
}

// value is what JSON can hold.
func (picker picker) value(depth int) any {
	kind := picker.Intn(10)
	if depth <= 0 && kind >= 6 {
		kind = picker.Intn(6)
	}
	switch kind {
	case 0:
		return picker.number()
	case 1:
		return picker.chance(50)
	case 2:
		if picker.chance(40) {
			return nil
		}
		return picker.text()
	case 3, 4, 5:
		return picker.text()
	case 6, 7:
		list := make([]any, picker.Intn(4))
		for i := range list {
			list[i] = picker.value(depth - 1)
		}
		return list
	}
	object := map[string]any{}
	for i := picker.Intn(4); i > 0; i-- {
		key := picker.text()
		if picker.chance(50) {
			key = picker.of("name", "image", "tag", "a", "b", "c.d", "e/f")
		}
		object[key] = picker.value(depth - 1)
	}
	return object
}

// randomValueCases print and encode random values in every way.
func randomValueCases() []testCase {
	picker := newPicker(20261202)
	templates := []string{
		"{{ toYaml .Values.v }}\n{{ toJson .Values.v }}",
		"{{ toYamlPretty .Values.v }}",
		"{{ toToml (dict \"v\" .Values.v) }}",
		"{{ .Values.v }} {{ printf \"%q\" .Values.v }} {{ quote .Values.v }} {{ printf \"%#v\" .Values.v }}",
		"{{ toPrettyJson .Values.v }} {{ toRawJson .Values.v | b64enc | len }} {{ deepEqual .Values.v (dict \"v\" .Values.v | toYaml | fromYaml).v }} {{ deepEqual .Values.v (dict \"v\" .Values.v | toJson | fromJson).v }}",
	}
	cases := []testCase{}
	for i := 0; i < 450; i++ {
		values, err := json.Marshal(map[string]any{"v": picker.value(3)})
		check(err)
		first := i % len(templates)
		for _, template := range []string{templates[first], templates[(first+1+picker.Intn(4))%len(templates)]} {
			cases = append(cases, testCase{Template: template, Values: values})
		}
	}
	return cases
}
