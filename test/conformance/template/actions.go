package main

import "strings"

func actionCases() []testCase {
	return all(
		lines(`
plain text
{{.}}x
{{ . | kindOf }}
{{ "a" }}
{{"a"}}{{"b"}}
{{ "\t\u00e4\x41\101\\\"" }}
{{ "\xff" }}
{{ 'a' }}
{{ '\n' }} {{ '\'' }} {{ '\\' }} {{ '\x41' }} {{ 'ä' }} {{ '😀' }}
{{ true }} {{ false }}
{{ nil }}
{{ .Values.text }}
{{ .Values.nothing }}
[{{ .Values.absent }}]
[{{ .Values.absent.deeper }}]
[{{ .Values.nothing.deeper }}]
[{{ .Values.map.absent }}]
[{{ .Values.map.a.b }}]
[{{ .Values.text.b }}]
[{{ .Values.numbers.b }}]
[{{ .Values.one.b }}]
[{{ .Values.yes.b }}]
{{ .Values.zero }} {{ .Values.one }} {{ .Values.minus }} {{ .Values.big }} {{ .Values.huge }} {{ .Values.pi }} {{ .Values.tiny }} {{ .Values.half }} {{ .Values.million }}
{{ .Values.yes }} {{ .Values.no }}
{{ .Values.numbers }}
{{ .Values.names }}
{{ .Values.any }}
{{ .Values.nested }}
{{ .Values.emptyList }}{{ .Values.emptyMap }}
{{ .Values.map }}
{{ .Values.ports }}
{{ .Values.labels }}
{{ .Values.odd }}
{{ .Values.deep.l1.l2.l3 }}
{{ .Values.deep }}
{{ .Release.Name }} {{ .Release.Namespace }} {{ .Release.Service }} {{ .Release.Revision }} {{ .Release.IsInstall }} {{ .Release.IsUpgrade }}
{{ .Release }}
{{ .Release.Absent }}
{{ .Chart.Name }} {{ .Chart.Version }} {{ .Chart.AppVersion }} {{ .Chart.Description }} {{ .Chart.APIVersion }}
[{{ .Chart.Home }}][{{ .Chart.Icon }}][{{ .Chart.Type }}][{{ .Chart.KubeVersion }}][{{ .Chart.Deprecated }}][{{ .Chart.Keywords }}][{{ .Chart.Sources }}][{{ .Chart.Maintainers }}][{{ .Chart.Annotations }}][{{ .Chart.Tags }}][{{ .Chart.Condition }}][{{ .Chart.Dependencies }}]
{{ .Chart.Absent }}
{{ .Chart.name }}
{{ .Chart.IsRoot }}
{{ .Chart }}
{{ .Capabilities.KubeVersion }} {{ .Capabilities.KubeVersion.Version }} {{ .Capabilities.KubeVersion.Major }} {{ .Capabilities.KubeVersion.Minor }} {{ .Capabilities.KubeVersion.GitVersion }}
{{ .Capabilities.APIVersions.Has "apps/v1" }} {{ .Capabilities.APIVersions.Has "v1" }} {{ .Capabilities.APIVersions.Has "apps/v1/Deployment" }} {{ .Capabilities.APIVersions.Has "no/v1" }}
{{ has "batch/v1" .Capabilities.APIVersions }}
{{ .Capabilities.APIVersions.Has }}
{{ .Capabilities.APIVersions.Has 1 }}
{{ .Capabilities.APIVersions.Absent }}
{{ kindOf .Capabilities.APIVersions }} {{ typeOf .Capabilities.APIVersions }} {{ typeOf .Capabilities }} {{ typeOf .Capabilities.KubeVersion }}
{{ typeOf .Values }} {{ typeOf .Chart }} {{ typeOf .Release }} {{ typeOf .Files }} {{ typeOf .Template }} {{ typeOf .Subcharts }} {{ typeOf . }} {{ typeOf .Values.map }} {{ typeOf .Values.numbers }}
{{ kindOf .Values }} {{ kindOf .Chart }} {{ kindOf .Release }} {{ kindOf .Files }} {{ kindOf .Template }} {{ kindOf .Subcharts }} {{ kindOf .Capabilities }}
{{ .Template }} {{ .Template.Name }} {{ .Template.BasePath }}
{{ .Subcharts }}
{{ .Absent }}
{{ .Absent.deeper }}
{{ .values }}
{{ $ | kindOf }} {{ $.Values.word }} {{ $.Release.Name }}
{{ (.Values).word }} {{ (.Values.map).a }} {{ (index .Values.ports 0).name }}
{{ (index .Values.ports 0).absent }}
{{ (.Values.text).x }}
{{ ("a").b }}
{{ (dict "a" (dict "b" 1)).a.b }}
{{ (1).b }}
{{ (nil).b }}
{{ ((((1)))) }}
{{ (list 1 2) }}
{{ /* a comment */ }}
{{/* a comment */}}x
{{/* a
{{- /* a comment */ -}}
{{/* a comment }}
{{ /* no */ 1 }}
{{ 1 /* no */ }}
{{}}
{{ }}
{{- -}}
{{
{{ 1
{{ 1 }
{{ 1 }}}
{{{ 1 }}}
{{ "{{" }}
}} {{ "}}" }} }}
a { b } c }} d
{{ if true }}yes{{ end }}
{{ if false }}yes{{ end }}
{{ if true }}yes{{ else }}no{{ end }}
{{ if .Values.absent }}yes{{ else }}no{{ end }}
{{ if .Values.nothing }}yes{{ else }}no{{ end }}
{{ if .Values.absent.deeper }}yes{{ else }}no{{ end }}
{{ if .Values.no }}1{{ else if .Values.yes }}2{{ else }}3{{ end }}
{{ if .Values.no }}1{{ else if .Values.zero }}2{{ else if .Values.empty }}3{{ else }}4{{ end }}
{{ if .Values.zero }}1{{ else with .Values.word }}2{{ . }}{{ else }}3{{ end }}
{{ if 0 }}a{{ end }}{{ if 0.0 }}b{{ end }}{{ if "" }}c{{ end }}{{ if 1 }}d{{ end }}{{ if -1 }}e{{ end }}{{ if "0" }}f{{ end }}{{ if "false" }}g{{ end }}
{{ if .Values.emptyList }}a{{ end }}{{ if .Values.emptyMap }}b{{ end }}{{ if .Values.numbers }}c{{ end }}{{ if .Values.map }}d{{ end }}{{ if list }}e{{ end }}{{ if dict }}f{{ end }}{{ if list nil }}g{{ end }}
{{ if . }}a{{ end }}{{ if .Chart }}b{{ end }}{{ if .Files }}c{{ end }}{{ if .Capabilities }}d{{ end }}{{ if .Subcharts }}e{{ end }}{{ if 0i }}f{{ end }}{{ if 1i }}g{{ end }}
{{ if nil }}a{{ end }}
{{ if (nil) }}a{{ end }}
{{ if not nil }}a{{ end }}
{{ if $x := .Values.word }}{{ $x }}{{ end }}
{{ if $x := .Values.empty }}a{{ else }}[{{ $x }}]{{ end }}
{{ if $x := 1 }}{{ end }}{{ $x }}
{{ with .Values.map }}{{ .a }}{{ .b }}{{ end }}
{{ with .Values.absent }}a{{ else }}b{{ . | kindOf }}{{ end }}
{{ with .Values.absent }}a{{ else with .Values.word }}b{{ . }}{{ else }}c{{ end }}
{{ with .Values.absent }}a{{ else with .Values.empty }}b{{ else }}c{{ end }}
{{ with .Values.absent }}a{{ else if .Values.word }}b{{ end }}
{{ with $m := .Values.map }}{{ $m.a }}{{ .a }}{{ $.Release.Name }}{{ end }}
{{ with 1 }}{{ . }}{{ end }}{{ with "x" }}{{ . }}{{ end }}{{ with list 1 2 }}{{ . }}{{ end }}{{ with true }}{{ . }}{{ end }}
{{ with 0 }}a{{ else }}{{ .Values.word }}{{ end }}
{{ with .Values.text }}{{ .Values }}{{ end }}
{{ with nil }}a{{ end }}
{{ with }}a{{ end }}
{{ if }}a{{ end }}
{{ range }}a{{ end }}
{{ end }}
{{ else }}
{{ if true }}
{{ if true }}{{ else }}{{ else }}{{ end }}
{{ if true }}{{ end }}{{ end }}
{{ if true }}{{ else if }}{{ end }}
{{ with true }}{{ else }}{{ else }}{{ end }}
{{ if true }}{{ else with }}{{ end }}
{{ . . }}
{{ .Values.word .Values.text }}
{{ 1 2 }}
{{ "a" "b" }}
{{ true false }}
{{ print "a" "b" }}
{{ print "a" 1 2 "b" 3 true false nil }}
{{ print 1 2 3 }}{{ print }}{{ println }}|
{{ print nil }}{{ print .Values.absent }}
{{ println "a" 1 "b" }}|
{{ html "<a href='x'>\"&\x00" }}
{{ html 1 2 "<" }}{{ "<" | html }}{{ html nil }}{{ html .Values.map }}
{{ js "it's \"x\" <b> = & \n\t \\ \u2028 ä 😀 \x01" }}
{{ js 1 "<" }}{{ "a'b" | js }}
{{ urlquery "a b&c=d/ä?😀+%" }}
{{ urlquery 1 "x y" }}{{ "a b" | urlquery }}
{{ len .Values.text }} {{ len .Values.mixed }} {{ len .Values.numbers }} {{ len .Values.map }} {{ len "" }} {{ len .Values.emptyList }}
{{ len 3 }}
{{ len nil }}
{{ len .Values.nothing }}
{{ len .Values.absent }}
{{ len true }}
{{ len .Chart }}
{{ len .Files }}
{{ len }}
{{ len "a" "b" }}
{{ index .Values.numbers 0 }} {{ index .Values.nested 1 1 0 }} {{ index .Values.map "a" }} {{ index .Values.labels "app.kubernetes.io/name" }} {{ index .Values "text" }} {{ index "abc" 1 }}
[{{ index .Values.map "absent" }}]
[{{ index .Values.map "absent" "deeper" }}]
[{{ index .Values.map "c" "d" 1 }}]
[{{ index .Values.map "e" }}]
[{{ index .Values.map "e" "f" }}]
{{ index .Values.numbers 3 }}
{{ index .Values.numbers -1 }}
{{ index .Values.numbers "0" }}
{{ index .Values.numbers 1.0 }}
{{ index .Values.numbers .Values.one }}
{{ index .Values.numbers (int .Values.one) }} {{ index .Values.numbers (int64 2) }}
{{ index .Values.numbers nil }}
{{ index .Values.map 1 }}
{{ index .Values.map nil }}
{{ index .Values.nothing "a" }}
{{ index .Values.absent 1 }}
{{ index nil 1 }}
{{ index 1 1 }}
{{ index .Values.text 1 }} {{ index .Values.text 99 }}
{{ index .Values.text "a" }}
{{ index .Values.numbers }} {{ index .Values.word }}
{{ index }}
{{ index .Chart "Name" }}
{{ slice .Values.text 1 3 }}{{ slice .Values.numbers 1 }}{{ slice .Values.numbers 0 2 }}
{{ slice "abc" }}
{{ call .Values.text }}
{{ call nil }}
{{ call }}
{{ call 1 }}
{{ call .Capabilities.APIVersions.Has "v1" }}
{{ undefined }}
{{ undefined 1 }}
{{ 1 | undefined }}
{{ .Values.word.x.y }}
{{ $undefined }}
{{ $.Values.absent.x }}
{{ break }}
{{ continue }}
{{ define "x" }}
{{ template }}
{{ template x }}
{{ template "x }}
{{ "unterminated }}
{{ 'a }}
{{ 'ab' }}
{{ '' }}
{{ # }}
{{ @ }}
{{ a.b }}
{{ . . }}{{ .. }}
{{ .Values..word }}
{{ .Values. word }}
{{ .Values .word }}
{{ (.Values.word }}
{{ .Values.word) }}
{{ () }}
{{ ( 1 }}
{{ 1 ) }}
{{ ! }}
{{ 1 + 1 }}
{{ a = 1 }}
{{ := 1 }}
{{ | }}
{{ 1 | }}
{{ | 1 }}
{{ 1 || 2 }}
{{ 1 | 2 }}
{{ "a" | "b" }}
{{ .Values.word | .Values.text }}
{{ 1 | nil }}
{{ "\q" }}
{{ "a
{{ 1 }}{{ 2
{{ if true }}{{ 1 }{{ end }}
{{ .Values.ä }}{{ .Values.odd.ä }}
{{ .Values.a-b }}
{{ .Values.1 }}
{{ .Values._x }}{{ .Values.x1 }}
{{ .true }}{{ .Values.if }}{{ .Values.end }}{{ .nil }}
{{ if.Values.yes }}a{{end}}
{{ print.Values.word }}
{{"a"|print "b"}}
{{print"a"}}
{{1|print}}
{{print(1)}}
{{ print (1)(2) }}
{{ print -1 }}{{ print - 1 }}
{{-1}}
{{- 1}}
{{ -1 -}} x
{{ 1 -}}
{{ 1-}}
{{-"a"}}
{{ . | len }}
{{ printf }}
`),
		exact("", "\n", "a\nb\n", "a\r\nb", "{{ .Values.word }}\n{{ .Values.word }}\n", "{{ `raw \\n \"x\"` }}", "{{ `a\nb` }}", "{{ `a\r\nb` }}", "{{ `a", "{{ \"a\nb\" }}",
			"{{ print 1\n2 }}", "{{\nprint\n1\n}}", "{{ .Values\n.word }}", "{{/*\na\n*/}}b", "a\n{{ if }}", "a\n\n{{ undefined }}", "{{ if true }}\nx\n", "a\n{{ .Values.word.x }}", "\xff\xfe{{ 1 }}\xff", "{{ \"\xff\" }}", "{{ \xff }}", "\ufeff{{ 1 }}", "{{ 1 }}\x00", "{{ \x00 }}", "{{ .Values.\xff }}", "{{ 'a\n' }}", "{{ define \"a\" }}\n", "ä{{ .Values.mixed }}ü\n{{ nope }}",
			strings.Repeat("x", 3000), "{{ "+strings.Repeat("(", 40)+"1"+strings.Repeat(")", 40)+" }}", strings.Repeat("{{ if true }}", 30)+"x"+strings.Repeat("{{ end }}", 30)),
		cross("{{ if %s }}yes{{ else }}no{{ end }}{{ with %[1]s }}[{{ . }}]{{ end }}", words(`
.Values.text; .Values.empty; .Values.zero; .Values.one; .Values.tiny; .Values.yes; .Values.no; .Values.nothing; .Values.absent; .Values.numbers; .Values.emptyList; .Values.single; .Values.emptyMap; .Chart.Home; .Chart.Maintainers; .Release.IsUpgrade; (int64 0); (int64 1); (printf ""); (list ""); (dict "a" nil); (0.0); (-0.0); (1e-300); (toDate "2006-01-02" "2001-01-01"); (semver "1.2.3"); (int .Values.one)`)),
	)
}
