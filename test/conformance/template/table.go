package main

import (
	"fmt"
	"regexp"
	"strings"
)

// lines takes one template a line.
func lines(text string) []testCase {
	cases := []testCase{}
	for _, line := range strings.Split(text, "\n") {
		if line != "" {
			cases = append(cases, testCase{Template: line})
		}
	}
	return cases
}

// exact takes templates that hold line ends or backquotes.
func exact(templates ...string) []testCase {
	cases := make([]testCase, len(templates))
	for i, template := range templates {
		cases[i] = testCase{Template: template}
	}
	return cases
}

// with puts the same partials beside each template.
func with(partials string, cases []testCase) []testCase {
	for i := range cases {
		cases[i].Partials = partials
	}
	return cases
}

// given gives each template its own values.
func given(values string, cases []testCase) []testCase {
	for i := range cases {
		cases[i].Values = []byte(values)
	}
	return cases
}

// cross fills each format with every combination of the words of the lists.
func cross(formats string, lists ...[]string) []testCase {
	cases := []testCase{}
	for _, format := range strings.Split(strings.TrimSpace(formats), "\n") {
		for _, words := range combinations(lists) {
			cases = append(cases, testCase{Template: fmt.Sprintf(format, words...)})
		}
	}
	return cases
}

func combinations(lists [][]string) [][]any {
	if len(lists) == 0 {
		return [][]any{{}}
	}
	combined := [][]any{}
	for _, word := range lists[0] {
		for _, rest := range combinations(lists[1:]) {
			combined = append(combined, append([]any{word}, rest...))
		}
	}
	return combined
}

// words parts a list at `;`.
func words(text string) []string {
	parts := strings.Split(strings.ReplaceAll(text, "\n", ";"), ";")
	kept := []string{}
	for _, part := range parts {
		if trimmed := strings.TrimSpace(part); trimmed != "" {
			kept = append(kept, trimmed)
		}
	}
	return kept
}

func all(groups ...[]testCase) []testCase {
	cases := []testCase{}
	for _, group := range groups {
		cases = append(cases, group...)
	}
	return cases
}

var structure = regexp.MustCompile("\\{\\{-? *(if|else|with|range|define|block|end|\\$\\w+ *:?=)|:=|\n")

// parts are the actions of a template that is nothing but actions side by side: the first error hides the others.
func parts(input testCase) []testCase {
	if structure.MatchString(input.Template) {
		return nil
	}
	actions := separator.Split(input.Template, -1)
	if len(actions) < 2 {
		return nil
	}
	cases := make([]testCase, len(actions))
	for i, action := range actions {
		if i > 0 {
			action = "{{" + action
		}
		if i < len(actions)-1 {
			action += "}}"
		}
		cases[i] = testCase{Template: action, Partials: input.Partials, Values: input.Values}
	}
	return cases
}

var separator = regexp.MustCompile(`\}\}[ |;]*\{\{`)
