package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// generated gives texts from a fixed seed: documents of every style of scalar, with markers that count, markers
// that do not, and other comments.
func generated() []source {
	sources := make([]source, 0, generatedCases)
	for number := range generatedCases {
		writer := &textWriter{random: rand.New(rand.NewPCG(5, uint64(number)))}
		writer.documents()
		text := writer.text.String()
		if writer.random.IntN(5) == 0 {
			text = strings.ReplaceAll(text, "\n", "\r\n")
		}
		if writer.random.IntN(6) == 0 {
			text = strings.TrimRight(text, "\r\n")
		}
		sources = append(sources, source{fmt.Sprintf("generated %d", number), text})
	}
	return sources
}

type textWriter struct {
	random *rand.Rand
	text   strings.Builder
	number int
}

func (w *textWriter) documents() {
	for document := range 1 + w.random.IntN(3) {
		if document > 0 || w.random.IntN(2) == 0 {
			w.text.WriteString("---\n")
		}
		w.mapping(0, 3)
	}
}

func (w *textWriter) key() string {
	w.number++
	return w.pick("key%d", "\"key %d\"", "k.8s/io-%d", "'k%d'")
}

func (w *textWriter) pick(formats ...string) string {
	format := formats[w.random.IntN(len(formats))]
	if strings.Contains(format, "%d") {
		return fmt.Sprintf(format, w.number)
	}
	return format
}

// comment is empty, or what stands behind a value on its line.
func (w *textWriter) comment() string {
	if w.random.IntN(2) == 0 {
		return w.pick("", "", " # keep", "   #", "\t# {{ .x }} 😀")
	}
	return w.pick(" ", "  ", "\t") + w.marker()
}

func (w *textWriter) marker() string {
	name := w.pick("apps:shop", "apps:shop:tag", "apps:shop:name", "apps:shop:digest", "apps:web", "apps:web:tag",
		"apps:num:tag", "apps:on:tag", "apps:other", "apps:shop:other", "shop", "")
	body := w.pick(`{"$imagepolicy": "NAME"}`, `{"$imagepolicy":"NAME"}`, ` { "$imagepolicy" : "NAME" } `,
		`{"x": "y", "$imagepolicy": "NAME"}`, `{"$imagepolicy": "NAME"} keep`, `{"x": 1, "$imagepolicy": "NAME"}`,
		`keep {"$imagepolicy": "NAME"}`)
	return w.pick("# ", "#", "## ", "#  ") + strings.ReplaceAll(body, "NAME", name)
}

func (w *textWriter) blankLines() {
	for range w.random.IntN(8) / 6 {
		w.text.WriteString("\n")
	}
}

func (w *textWriter) line(indent int, text string) {
	w.text.WriteString(strings.Repeat(" ", indent) + text + "\n")
}

func (w *textWriter) mapping(indent, depth int) {
	for range 1 + w.random.IntN(4) {
		w.blankLines()
		if w.random.IntN(8) == 0 {
			w.line(indent, w.pick("# keep", "# a: old # {\"$imagepolicy\": \"apps:shop\"}"))
		}
		w.value(strings.Repeat(" ", indent)+w.key()+":", indent, depth)
	}
}

// value writes what stands behind a key or a dash, to the end of its lines.
func (w *textWriter) value(head string, indent, depth int) {
	kind := w.random.IntN(12)
	switch {
	case depth > 0 && kind == 0:
		w.text.WriteString(head + w.pick("", " # keep", " &a%d") + "\n")
		w.mapping(indent+2, depth-1)
	case depth > 0 && kind <= 2:
		w.text.WriteString(head + w.pick("", " # keep") + "\n")
		w.sequence(indent+2*w.random.IntN(2)*boolean(strings.HasSuffix(head, ":")), depth-1, head)
	case depth > 0 && kind == 3:
		w.flow(head, indent)
	case kind == 4:
		w.block(head, indent)
	case kind == 5:
		w.text.WriteString(head + " " + w.pick("plain\n", "\"double\n", "'single\n"))
		w.finishLines(indent)
	default:
		w.text.WriteString(head + " " + w.pick("", "", "", "&a%d ", "!!str ") + w.scalar() + w.comment() + "\n")
	}
}

func boolean(value bool) int {
	if value {
		return 1
	}
	return 0
}

// finishLines ends a scalar of two lines by the quote it began with.
func (w *textWriter) finishLines(indent int) {
	begun := w.text.String()
	quote := ""
	switch {
	case strings.HasSuffix(begun, "\"double\n"):
		quote = "\""
	case strings.HasSuffix(begun, "'single\n"):
		quote = "'"
	}
	w.text.WriteString(strings.Repeat(" ", indent+2) + "more" + quote + w.comment() + "\n")
}

func (w *textWriter) scalar() string {
	return w.pick("old", "1.10", "1.0", "true", "null", "~", "'old'", "\"old\"", "''", "\"\"", "'it''s'", "\"a\\tb\"",
		"\"😀\"", "ghcr.io/acme/shop:1.9", "docker.io/library/nginx", "0e12", "on", "2024-01-01", "a b", "\"#\"")
}

func (w *textWriter) block(head string, indent int) {
	w.text.WriteString(head + " " + w.pick("|", "|-", "|+", ">", ">-") + w.comment() + "\n")
	for range 1 + w.random.IntN(2) {
		w.line(indent+2, w.pick("old", "old # keep", "a: b", "{{ .x }}"))
	}
}

func (w *textWriter) sequence(indent, depth int, head string) {
	isNested := strings.HasSuffix(head, "-")
	if isNested {
		indent += 2
	}
	for range 1 + w.random.IntN(4) {
		dash := strings.Repeat(" ", indent) + "-"
		w.blankLines()
		if w.random.IntN(8) == 0 {
			w.line(indent, "# keep")
		}
		if w.random.IntN(5) == 0 {
			w.line(indent, w.marker())
			w.blankLines()
			w.text.WriteString(dash + " " + w.scalar() + w.pick("", "", " # keep", " "+w.marker()) + "\n")
			continue
		}
		if depth > 0 && w.random.IntN(4) == 0 {
			w.text.WriteString(dash + " " + w.key() + ": " + w.scalar() + w.comment() + "\n")
			w.mapping(indent+2, depth-1)
			continue
		}
		w.value(dash, indent, 0)
	}
}

// flow writes a flow collection of one line, or of a line for each of its values.
func (w *textWriter) flow(head string, indent int) {
	if w.random.IntN(3) == 0 {
		w.text.WriteString(head + w.pick(" [a, 'b']", " {a: b, c: [d]}", " {}", " []", " {{ .x }}") + w.pick("", " # keep") + "\n")
		return
	}
	isMap := w.random.IntN(2) == 0
	opening, closing := "[", "]"
	if isMap {
		opening, closing = "{", "}"
	}
	w.text.WriteString(head + " " + opening + "\n")
	count := 1 + w.random.IntN(3)
	for number := range count {
		entry := w.scalar()
		if isMap {
			entry = w.key() + ": " + entry
		}
		comma := ","
		if number == count-1 {
			comma = w.pick("", ",")
		}
		w.text.WriteString(strings.Repeat(" ", indent+2) + entry + comma + w.comment() + "\n")
	}
	w.text.WriteString(strings.Repeat(" ", indent) + w.pick("", "  ") + closing + "\n")
}
