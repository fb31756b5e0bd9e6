// Command values prints what Helm makes of YAML documents and of --set flags, one JSON object a line.
//
// Usage: go run . yaml > cases-yaml.jsonl; go run . set > cases-set.jsonl; go run . numbers > cases-numbers.jsonl
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"os"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: values yaml|set|numbers|eval")
	}
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	print := func(object any) {
		if err := encoder.Encode(object); err != nil {
			log.Fatal(err)
		}
	}
	switch os.Args[1] {
	case "yaml":
		for _, text := range yamlTexts() {
			print(evaluateYAML(text))
		}
	case "set":
		for _, input := range setInputs() {
			print(evaluateSet(input))
		}
	case "numbers":
		for _, number := range numbers() {
			print(number)
		}
	case "eval":
		// One JSON string a line on standard input: documents to evaluate, for comparisons that are not kept.
		lines := bufio.NewScanner(os.Stdin)
		lines.Buffer(nil, 64<<20)
		for lines.Scan() {
			var text string
			if err := json.Unmarshal(lines.Bytes(), &text); err != nil {
				log.Fatal(err)
			}
			print(evaluateYAML(text))
		}
	default:
		log.Fatal(fmt.Errorf("unknown command %q", os.Args[1]))
	}
}
