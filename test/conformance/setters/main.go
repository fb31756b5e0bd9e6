// Command setters prints which fields of a YAML text kyaml finds marked, and what they become: its reader of
// documents, its reading of field comments and its rule for quotes are what Flux's image automation stands on.
//
//	go run . > cases.jsonl
//	go run . probe < FILE
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/kustomize/kyaml/fieldmeta"
	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/openapi"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// generatedCases is the number of texts beyond the curated ones.
const generatedCases = 1500

// setters holds what each setter writes; src/automation/setters/conformance.test.ts has the same policies.
var setters = map[string]string{
	"apps:shop":        "ghcr.io/acme/shop:1.10@sha256:" + strings.Repeat("a", 64),
	"apps:shop:name":   "ghcr.io/acme/shop",
	"apps:shop:tag":    "1.10",
	"apps:shop:digest": "sha256:" + strings.Repeat("a", 64),
	"apps:web":         "docker.io/library/nginx:1.27.3-alpine",
	"apps:web:name":    "docker.io/library/nginx",
	"apps:web:tag":     "1.27.3-alpine",
	"apps:num":         "localhost:5000/num:0e12",
	"apps:num:name":    "localhost:5000/num",
	"apps:num:tag":     "0e12",
	"apps:on":          "on:on",
	"apps:on:name":     "on",
	"apps:on:tag":      "on",
}

type change struct {
	Setter string `json:"setter"`
	Old    string `json:"old"`
	New    string `json:"new"`
	// Quoted tells that a plain scalar was put in double quotes.
	Quoted bool `json:"quoted,omitempty"`
}

type testCase struct {
	Name    string   `json:"name"`
	YAML    string   `json:"yaml"`
	Refused bool     `json:"refused,omitempty"`
	Changes []change `json:"changes,omitempty"`
}

func main() {
	fieldmeta.SetShortHandRef("$imagepolicy")
	openapi.SuppressBuiltInSchemaUse()
	if len(os.Args) > 1 {
		text, err := io.ReadAll(os.Stdin)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%+v\n", evaluate("probe", string(text)))
		return
	}
	out := bufio.NewWriter(os.Stdout)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for _, found := range append(curated(), generated()...) {
		if err := encoder.Encode(evaluate(found.name, found.text)); err != nil {
			log.Fatal(err)
		}
	}
	if err := out.Flush(); err != nil {
		log.Fatal(err)
	}
}

func evaluate(name, text string) testCase {
	result := testCase{Name: name, YAML: text}
	reader := kio.ByteReader{Reader: bytes.NewBufferString(text), OmitReaderAnnotations: true}
	documents, err := reader.Read()
	if err != nil {
		result.Refused = true
		return result
	}
	definitions := schemaOfSetters()
	for _, document := range documents {
		visit(document, func(scalar *yaml.RNode) {
			if made, ok := apply(scalar, definitions); ok {
				result.Changes = append(result.Changes, made)
			}
		})
	}
	return result
}

func schemaOfSetters() *spec.Schema {
	definitions := &spec.Schema{}
	definitions.Definitions = map[string]spec.Schema{}
	for name := range setters {
		definitions.Definitions[fieldmeta.SetterDefinitionPrefix+name] = *spec.StringProperty()
	}
	return definitions
}

// visit calls for every scalar that is a value of a mapping or an item of a sequence, aliases left out.
func visit(node *yaml.RNode, found func(*yaml.RNode)) {
	switch node.YNode().Kind {
	case yaml.MappingNode:
		_ = node.VisitFields(func(field *yaml.MapNode) error {
			visit(field.Value, found)
			return nil
		})
	case yaml.SequenceNode:
		_ = node.VisitElements(func(item *yaml.RNode) error {
			visit(item, found)
			return nil
		})
	case yaml.ScalarNode:
		found(node)
	}
}

func apply(scalar *yaml.RNode, definitions *spec.Schema) (change, bool) {
	meta := fieldmeta.FieldMeta{SettersSchema: definitions}
	if err := meta.Read(scalar); err != nil {
		return change{}, false
	}
	name, marked := strings.CutPrefix(meta.Schema.Ref.String(), "#/definitions/"+fieldmeta.SetterDefinitionPrefix)
	value, known := setters[name]
	node := scalar.YNode()
	if !marked || !known || value == node.Value {
		return change{}, false
	}
	made := change{Setter: name, Old: node.Value, New: value}
	style := node.Style
	node.Value = value
	yaml.FormatNonStringStyle(node, *spec.StringProperty())
	made.Quoted = style != node.Style
	return made, true
}
