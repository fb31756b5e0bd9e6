package main

func tplCases() []testCase {
	return all(
		lines(`
{{ tpl "x" . }} {{ tpl "{{ .Values.word }}" . }} {{ tpl .Values.template . }} {{ tpl "" . }}| {{ tpl "{{ . }}" 5 }} {{ tpl "{{ .a }}" (dict "a" 1) }} {{ tpl "{{ . }}" nil }}|
{{ tpl "{{ .Values.absent }}" . }}|{{ tpl "{{ .absent }}" (dict) }}|{{ tpl "{{ .x.y }}" (dict) }}
{{ tpl "{{ $.Values.word }} {{ $ | kindOf }}" . }} {{ $x := 1 }}{{ tpl "{{ . }}" $x }}
{{ $x := 1 }}{{ tpl "{{ $x }}" . }}
{{ tpl "{{ tpl .Values.template . }}" . }} {{ tpl "{{ tpl \"{{ .Values.word }}\" . }}" . }} {{ tpl (tpl "{{ \"{{ .Values.word }}\" }}" .) . }}
{{ tpl "{{ include \"a\" . }}" . }}{{ define "a" }}in a{{ end }}
{{ tpl "{{ define \"b\" }}in b{{ end }}{{ include \"b\" . }}" . }}
{{ tpl "{{ define \"b\" }}in b{{ end }}" . }}{{ include "b" . }}
{{ tpl "{{ define \"a\" }}new{{ end }}{{ template \"a\" . }}" . }}{{ template "a" . }}{{ define "a" }}old{{ end }}
{{ tpl "{{ define \"a\" }}new{{ end }}{{ include \"a\" . }}" . }}{{ include "a" . }}{{ define "a" }}old{{ end }}
{{ tpl "{{ template \"c/templates/_p\" . }}x" . }}
{{ tpl "{{ .Template.Name }} {{ .Chart.Name }} {{ .Release.Name }}" . }}
{{ tpl "{{" . }}
{{ tpl "{{ nope }}" . }}
{{ tpl "{{ end }}" . }}
{{ tpl "{{ if true }}" . }}
{{ tpl "{{ .Values.word.x }}" . }}
{{ tpl "{{ fail \"inner\" }}" . }}
{{ tpl "{{ required \"need\" .Values.absent }}" . }}
{{ tpl "{{ include \"nope\" . }}" . }}
{{ tpl "{{ template \"nope\" . }}" . }}
{{ tpl "{{ upper 1 }}" . }}
{{ tpl "{{ tpl \"{{ upper 1 }}\" . }}" . }}
{{ tpl 1 . }}
{{ tpl nil . }}
{{ tpl .Values.absent . }}
{{ tpl .Values.one . }}
{{ tpl .Values.map . }}
{{ tpl "a" }}
{{ tpl }}
{{ tpl "a" . . }}
{{ tpl "{{ . }}" .Values.map }} {{ tpl "{{ .a }}" .Values.map }} {{ tpl "{{ .Values }}" .Values.map }}
{{ tpl "{{- .Values.word -}}  x" . }} {{ tpl "a  {{- /* c */ -}}  b" . }} {{ tpl "{{/* c */}}" . | quote }}
{{ range list 1 2 }}{{ tpl "{{ . }}," . }}{{ end }} {{ with .Values.map }}{{ tpl "{{ .a }}" . }}{{ tpl "{{ .Values.word }}" $ }}{{ end }}
{{ tpl (toYaml .Values.map) . }} {{ tpl (.Values.labels | toYaml) . | nindent 2 }} {{ .Values.word | tpl "{{ . }}" }}
{{ tpl "<no value>" . }} {{ "<no value>" }} {{ tpl "{{ .a }}" (dict "a" nil) | quote }} {{ printf "%v" .Values.absent }} {{ print "<no " "value>" }} {{ "a<no value>b" | len }} {{ tpl "a<no value>b" . | len }} {{ dict "a" nil }} {{ list nil }}
{{ tpl "{{ range $i, $e := .Values.names }}{{ $i }}{{ $e }}{{ end }}" . }} {{ tpl "{{ $y := 1 }}{{ $y }}" . }}
{{ tpl "{{ .Files.Get \"config/a.conf\" }}" . }} {{ tpl (.Files.Get "multi.yaml") . }}
{{ tpl "{{ set .Values \"fromTpl\" 1 | len }}" . | len }} {{ .Values.fromTpl }}
{{ tpl "{{ define \"x\" }}{{ . }}{{ end }}{{ template \"x\" 1 }}{{ block \"y\" 2 }}{{ . }}{{ end }}" . }} {{ tpl "{{ template \"x\" 1 }}" . }}
{{ tpl "é{{ 1 }}\xff" . | b64enc }}
{{ tpl "{{ break }}" . }}
{{ range list 1 }}{{ tpl "{{ break }}" . }}{{ end }}
{{ tpl "{{ include \"rec\" 3 }}" . }}{{ define "rec" }}{{ if gt . 0 }}{{ . }}{{ include "rec" (sub . 1 | int) }}{{ end }}{{ end }}
{{ define "loop" }}{{ include "loop" . }}{{ end }}{{ if false }}{{ include "loop" . }}{{ end }}ok
`),
		exact("{{ tpl \"a\\n{{ nope }}\" . }}", "\n\n{{ tpl \"a\\n{{ .Values.word.x }}\" . }}", "{{ tpl `{{ .Values.word | quote }}` . }}", "{{ tpl \"a\\n  b: {{ .Values.word }}\\n\" . | nindent 2 }}",
			"{{ define \"a\" }}\n{{ tpl \"\\n{{ fail \\\"deep\\\" }}\" . }}\n{{ end }}\n{{ include \"a\" . }}", "{{ define \"a\" }}\n{{ .Values.word.x }}\n{{ end }}\n\n{{ include \"a\" . | indent 2 }}"),
		with("{{ define \"render\" -}}{{ if typeIs \"string\" .value }}{{ tpl .value .context }}{{ else }}{{ tpl (.value | toYaml) .context }}{{ end }}{{- end }}{{ define \"bad\" }}{{ tpl \"{{ .x.y }}\" (dict \"x\" 1) }}{{ end }}{{ define \"over\" }}first{{ end }}", lines(`
{{ include "render" (dict "value" .Values.template "context" $) }}
{{ include "render" (dict "value" (dict "a" "{{ .Values.word }}") "context" $) }}
{{ include "render" (dict "value" "{{ .Values.x.y }}" "context" $) }}
{{ include "render" (dict "value" .Values.absent "context" $) }}
{{ include "render" (dict "value" "{{ nope }}" "context" $) }}
{{ include "bad" . }}
{{ template "bad" . }}
{{ tpl "{{ include \"bad\" . }}" . }}
{{ tpl "{{ define \"over\" }}second{{ end }}{{ include \"over\" . }}" . }}{{ include "over" . }}
{{ tpl "{{ include \"render\" (dict \"value\" \"{{ .Release.Name }}\" \"context\" $) }}" . }}
`)))
}
