package main

import (
	"encoding/base64"
	"encoding/json"
	"unicode/utf8"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	common4 "helm.sh/helm/v4/pkg/chart/common"
	util4 "helm.sh/helm/v4/pkg/chart/common/util"
	chart4 "helm.sh/helm/v4/pkg/chart/v2"
	engine4 "helm.sh/helm/v4/pkg/engine"
)

// testCase is a chart `c` with the template `templates/NOTES.txt`, which may print anything, beside it the partials in `templates/_p`.
type testCase struct {
	Template string `json:"template,omitempty"`
	// TemplateBase64 is what is written of a template that is no UTF-8.
	TemplateBase64 string `json:"templateBase64,omitempty"`
	Partials       string `json:"partials,omitempty"`
	// Values in place of the world's.
	Values json.RawMessage `json:"values,omitempty"`
}

// outcome is what the template prints, or the error with which Helm refuses it; base64 where it is no UTF-8.
type outcome struct {
	Output       string `json:"output,omitempty"`
	OutputBase64 string `json:"outputBase64,omitempty"`
	Error        string `json:"error,omitempty"`
	ErrorBase64  string `json:"errorBase64,omitempty"`
}

func (outcome outcome) failed() bool { return outcome.Error != "" || outcome.ErrorBase64 != "" }

const runs = 4

// evaluate tells as well whether several runs give the same.
func evaluate(input testCase, helm int) (outcome, bool) {
	first := evaluateOnce(input, helm)
	for i := 1; i < runs; i++ {
		if evaluateOnce(input, helm) != first {
			return first, false
		}
	}
	return first, true
}

func evaluateOnce(input testCase, helm int) outcome {
	values := map[string]any{}
	text := []byte(world.Values)
	if input.Values != nil {
		text = input.Values
	}
	check(json.Unmarshal(text, &values))
	render := render3
	if helm == 4 {
		render = render4
	}
	output, err := render(input, values)
	if err != nil {
		plain, encoded := inJSON(err.Error())
		return outcome{Error: plain, ErrorBase64: encoded}
	}
	plain, encoded := inJSON(output)
	return outcome{Output: plain, OutputBase64: encoded}
}

func inJSON(text string) (plain, encoded string) {
	if utf8.ValidString(text) {
		return text, ""
	}
	return "", base64.StdEncoding.EncodeToString([]byte(text))
}

const kubeVersion = "v1.35.0"

func render3(input testCase, values map[string]any) (string, error) {
	target := &chart.Chart{
		Metadata: &chart.Metadata{APIVersion: "v2", Name: "c", Version: "1.2.3", AppVersion: "4.5.6", Description: "A chart"},
		Templates: []*chart.File{
			{Name: "templates/NOTES.txt", Data: []byte(input.Template)},
			{Name: "templates/_p", Data: []byte(input.Partials)},
		},
	}
	for _, file := range world.Files {
		target.Files = append(target.Files, &chart.File{Name: file.Name, Data: file.data()})
	}
	capabilities := chartutil.DefaultCapabilities.Copy()
	capabilities.KubeVersion = chartutil.KubeVersion{Version: kubeVersion, Major: "1", Minor: "35"}
	options := chartutil.ReleaseOptions{Name: "release", Namespace: "default", Revision: 1, IsInstall: true}
	top, err := chartutil.ToRenderValues(target, values, options, capabilities)
	check(err)
	files, err := engine.Render(target, top)
	return files["c/templates/NOTES.txt"], err
}

func render4(input testCase, values map[string]any) (string, error) {
	target := &chart4.Chart{
		Metadata: &chart4.Metadata{APIVersion: "v2", Name: "c", Version: "1.2.3", AppVersion: "4.5.6", Description: "A chart"},
		Templates: []*common4.File{
			{Name: "templates/NOTES.txt", Data: []byte(input.Template)},
			{Name: "templates/_p", Data: []byte(input.Partials)},
		},
	}
	for _, file := range world.Files {
		target.Files = append(target.Files, &common4.File{Name: file.Name, Data: file.data()})
	}
	capabilities := common4.DefaultCapabilities.Copy()
	capabilities.KubeVersion = common4.KubeVersion{Version: kubeVersion, Major: "1", Minor: "35"}
	options := common4.ReleaseOptions{Name: "release", Namespace: "default", Revision: 1, IsInstall: true}
	top, err := util4.ToRenderValues(target, values, options, capabilities)
	check(err)
	files, err := engine4.Render(target, top)
	return files["c/templates/NOTES.txt"], err
}
