package main

import (
	"encoding/base64"
	"encoding/json"
)

// worldFile is a file of the chart; base64 where it is no UTF-8.
type worldFile struct {
	Name   string `json:"name"`
	Text   string `json:"text,omitempty"`
	Base64 string `json:"base64,omitempty"`
}

func (file worldFile) data() []byte {
	if file.Base64 == "" {
		return []byte(file.Text)
	}
	data, err := base64.StdEncoding.DecodeString(file.Base64)
	check(err)
	return data
}

// world is what every template sees that says nothing else.
var world = struct {
	Values json.RawMessage `json:"values"`
	Files  []worldFile     `json:"files"`
}{
	Values: json.RawMessage(`{
		"text": "hello world", "empty": "", "word": "web", "mixed": "Hello, Wörld – ✓", "emoji": "a😀b🎉",
		"padded": "  padded\t\n", "lines": "one\ntwo\n\nthree\n", "quoted": "it's \"quoted\" \\ done", "long": "The quick brown fox jumps over the lazy dog",
		"number": "42", "float": "3.14", "hex": "0x1F", "bool": "true", "version": "1.2.3-rc.1+build.5",
		"url": "https://user:pw@example.com:8080/a/b?x=1&y=2#frag", "path": "/usr/local/../lib/x.tar.gz",
		"yaml": "a: 1\nb:\n  - x\n  - y: true\n", "json": "{\"a\":1,\"b\":[\"x\",null,1.5]}",
		"zero": 0, "one": 1, "three": 3, "minus": -7, "big": 1234567890123, "huge": 1e21, "pi": 3.14159, "tiny": 1e-7, "half": 0.5, "million": 1000000,
		"yes": true, "no": false, "nothing": null,
		"numbers": [3, 1, 2], "names": ["pear", "apple", "fig", "apple"], "any": [1, "two", true, null, 2.5, {"a": 1}, ["x"]],
		"nested": [[1, 2], [3, [4]]], "emptyList": [], "ports": [{"name": "http", "port": 80}, {"name": "https", "port": 443}],
		"map": {"a": 1, "b": "two", "c": {"d": [1, 2]}, "e": null}, "single": {"k": "v"}, "emptyMap": {}, "deep": {"l1": {"l2": {"l3": "leaf"}}},
		"labels": {"app.kubernetes.io/name": "web", "tier": "front"}, "odd": {"key with space": 1, "1": 2, "true": 3, "": 4, "ä": 5, "a.b": 6},
		"image": {"registry": "docker.io", "repository": "library/nginx", "tag": "1.27", "digest": ""},
		"template": "{{ .Values.word | upper }}-{{ .Release.Name }}"
	}`),
	Files: []worldFile{
		{Name: "config/a.conf", Text: "a=1\nb=2\n"},
		{Name: "config/b.conf", Text: "no end of line"},
		{Name: "config/sub/c.conf", Text: "deep\n"},
		{Name: "config/sub/d.conf", Text: "beside it\n"},
		{Name: "lines.txt", Text: "one\r\ntwo\n\nthree"},
		{Name: "empty.txt"},
		{Name: "blank.txt", Text: "\n"},
		{Name: "data.bin", Base64: "AAH//oCBaGk="},
		{Name: "umlaut-ä.txt", Text: "grüße 😀\n"},
		{Name: "multi.yaml", Text: "a: 1\nb: |\n  x\n  y\n"},
		{Name: "README.md", Text: "# Title\n"},
	},
}
