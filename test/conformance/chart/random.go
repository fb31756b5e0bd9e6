package main

import (
	"fmt"
	"math/rand/v2"
)

// maker makes up scenarios: small charts over few names, so that keys, aliases and globals meet often.
type maker struct{ *rand.Rand }

var chartNames = []string{"red", "green", "blue"}
var keys = []string{"a", "b", "c", "global", "tags", "enabled", "red", "green", "blue", "exports"}

func randomScenarios(count int, seed uint64) []Scenario {
	make := maker{rand.New(rand.NewPCG(seed, seed))}
	scenarios := []Scenario{}
	for number := 1; len(scenarios) < count; number++ {
		scenario := Scenario{Name: fmt.Sprintf("random %d", number), Chart: make.chart("app", 3)}
		scenario.Values = make.values(3)
		scenarios = append(scenarios, scenario)
	}
	return scenarios
}

func (m maker) chance(percent int) bool { return m.IntN(100) < percent }

func (m maker) pick(from []string) string { return from[m.IntN(len(from))] }

func (m maker) chart(name string, depth int) Chart {
	description := Chart{
		Metadata: map[string]any{"apiVersion": "v2", "name": name, "version": "1.0.0"},
		Charts:   map[string]Chart{},
	}
	if m.chance(90) {
		description.Values = m.values(3)
	}
	if depth == 0 {
		return description
	}
	dependencies := []any{}
	undeclared := m.chance(15)
	for _, child := range chartNames {
		if !m.chance(55) {
			continue
		}
		description.Charts[child] = m.chart(child, depth-1)
		if undeclared {
			undeclared = false
			continue
		}
		dependencies = append(dependencies, m.dependency(child, ""))
		if m.chance(25) {
			dependencies = append(dependencies, m.dependency(child, child+"-again"))
		}
	}
	if len(dependencies) > 0 {
		description.Metadata["dependencies"] = dependencies
	}
	return description
}

func (m maker) dependency(name, alias string) map[string]any {
	dependency := map[string]any{"name": name, "version": "*"}
	if alias == "" && m.chance(15) {
		alias = "my-" + name
	}
	if alias != "" {
		dependency["alias"] = alias
	}
	if m.chance(40) {
		dependency["condition"] = m.pick([]string{name + ".enabled", "enabled", "a,b", "global.enabled"})
	}
	if m.chance(30) {
		dependency["tags"] = []string{m.pick(keys), m.pick(keys)}
	}
	if m.chance(35) {
		dependency["import-values"] = []any{
			m.pick(keys),
			map[string]any{"child": m.pick(keys), "parent": m.pick([]string{".", "a", "b.c", "global"})},
		}
	}
	return dependency
}

func (m maker) values(depth int) map[string]any {
	values := map[string]any{}
	for range m.IntN(5) {
		key := m.pick(keys)
		values[key] = m.value(key, depth)
	}
	return values
}

// value mostly gives subcharts, globals and exports the maps they want.
func (m maker) value(key string, depth int) any {
	wantsMap := key != "enabled" && (len(key) > 1 || m.chance(50))
	switch {
	case depth > 0 && wantsMap && !m.chance(4):
		return m.values(depth - 1)
	case key == "enabled" || m.chance(35):
		return m.chance(60)
	case m.chance(30):
		return nil
	case m.chance(20):
		return []any{m.IntN(10)}
	case m.chance(50):
		return m.IntN(100)
	default:
		return m.pick([]string{"text", "", "1.10"})
	}
}
