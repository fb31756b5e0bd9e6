package main

import (
	"encoding/json"
	"io"
	"log"
	"time"
)

// timing is a selection to be timed.
type timing struct {
	policy
	Tags   []string `json:"tags"`
	Rounds int      `json:"rounds"`
}

// timeSelection writes the tag that is chosen and the milliseconds of each round.
func timeSelection(in io.Reader, out io.Writer) {
	var asked timing
	if err := json.NewDecoder(in).Decode(&asked); err != nil {
		log.Fatal(err)
	}
	result := struct {
		Latest string    `json:"latest"`
		Ms     []float64 `json:"ms"`
	}{}
	tags := byteDescending(asked.Tags)
	for range asked.Rounds {
		start := time.Now()
		tag, err := latest(asked.policy, tags, func([]string) {})
		if err != nil {
			log.Fatal(err)
		}
		result.Ms = append(result.Ms, float64(time.Since(start).Nanoseconds())/1e6)
		result.Latest = tag
	}
	if err := json.NewEncoder(out).Encode(result); err != nil {
		log.Fatal(err)
	}
}
