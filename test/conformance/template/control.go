package main

func rangeCases() []testCase {
	return lines(`
{{ range .Values.numbers }}{{ . }},{{ end }}
{{ range .Values.emptyList }}a{{ else }}none{{ end }}
{{ range .Values.absent }}a{{ else }}none{{ end }}
{{ range .Values.nothing }}a{{ else }}none{{ end }}
{{ range .Values.absent.deeper }}a{{ else }}none{{ end }}
{{ range .Values.emptyMap }}a{{ else }}none{{ end }}
{{ range .Values.map }}{{ . }},{{ end }}
{{ range $k, $v := .Values.odd }}[{{ $k }}={{ $v }}]{{ end }}
{{ range $i, $e := .Values.names }}{{ $i }}:{{ $e }} {{ end }}
{{ range $i, $e := .Values.ports }}{{ $i }}:{{ $e.name }}:{{ .port }} {{ end }}
{{ range .Values.nested }}{{ range . }}{{ . }}{{ end }};{{ end }}
{{ range .Values.text }}{{ . }}{{ end }}
{{ range 3 }}{{ . }},{{ end }}
{{ range 0 }}a{{ else }}none{{ end }}
{{ range -2 }}a{{ else }}none{{ end }}
{{ range $i := 3 }}{{ $i }},{{ end }}
{{ range $i, $x := 3 }}{{ $i }},{{ end }}
{{ range int64 2 }}{{ . }}{{ kindOf . }},{{ end }}
{{ range .Values.three }}{{ . }},{{ end }}
{{ range 1.5 }}{{ . }}{{ end }}
{{ range true }}{{ . }}{{ end }}
{{ range nil }}{{ . }}{{ end }}
{{ range . }}{{ kindOf . }} {{ end }}
{{ range $k, $v := . }}{{ $k }} {{ end }}
{{ range .Chart }}{{ . }}{{ end }}
{{ range $name, $data := .Files }}{{ $name }}:{{ len $data }} {{ end }}
{{ range list }}a{{ else }}{{ .Values.word }}{{ end }}
{{ range list 1 2 3 4 5 }}{{ if eq . 3 }}{{ break }}{{ end }}{{ . }}{{ end }}
{{ range list 1 2 3 4 5 }}{{ if eq . 3 }}{{ continue }}{{ end }}{{ . }}{{ end }}
{{ range list 1 2 }}{{ range list 3 4 5 }}{{ if eq . 4 }}{{ break }}{{ end }}{{ . }}{{ end }};{{ end }}
{{ range list 1 2 }}{{ range list 3 4 5 }}{{ if eq . 4 }}{{ continue }}{{ end }}{{ . }}{{ end }};{{ end }}
{{ range list 1 2 3 }}{{ with . }}{{ if eq . 2 }}{{ break }}{{ end }}{{ end }}{{ . }}{{ end }}
{{ range list 1 2 }}{{ else }}{{ break }}{{ end }}
{{ range list }}{{ else }}{{ continue }}{{ end }}
{{ range list 1 }}{{ define "x" }}{{ break }}{{ end }}{{ end }}
{{ if true }}{{ break }}{{ end }}
{{ range list 1 2 }}{{ break 1 }}{{ end }}
{{ range list 1 2 }}{{ continue x }}{{ end }}
{{ range list 1 2 }}{{- break -}}{{ end }}x
{{ range until 5 }}{{ . }}{{ end }}
{{ range untilStep 10 0 -3 }}{{ . }} {{ end }}
{{ range untilStep 0 10 4 }}{{ . }} {{ end }}
{{ range $i, $c := splitList "" "abc" }}{{ $i }}{{ $c }}{{ end }}
{{ range splitList "," "a,b,,c" }}[{{ . }}]{{ end }}
{{ range $k, $v := split "," "a,b,c" }}{{ $k }}{{ $v }} {{ end }}
{{ range tuple "a" 1 true nil }}[{{ . }}]{{ end }}
{{ range $i, $v := list nil nil }}{{ $i }}{{ end }}
{{ range $v := list 1 2 3 }}{{ $v }}{{ . }}{{ end }}
{{ range dict "b" 2 "a" 1 "c" 3 }}{{ . }}{{ end }}
{{ range $k, $_ := dict "10" 1 "9" 1 "a" 1 "B" 1 "_" 1 }}{{ $k }} {{ end }}
{{ range $k, $v := .Values.labels }}{{ $k }}: {{ $v | quote }} {{ end }}
{{ range keys .Values.single }}{{ . }}{{ end }}
{{ range keys .Values.labels | sortAlpha }}{{ . }} {{ end }}
{{ range $i, $p := .Values.ports }}{{ if $i }}, {{ end }}{{ $p.name }}{{ end }}
{{ range .Values.numbers }}{{ $.Values.word }}{{ end }}
{{ range .Values.numbers }}{{ .x }}{{ end }}
{{ range .Values.any }}{{ kindOf . }} {{ end }}
{{ range .Values.any }}{{ . | toJson }} {{ end }}
{{ range $index, $element := .Values.any }}{{ $index }}={{ $element | toString }};{{ end }}
{{ $m := dict "a" 1 "b" 2 }}{{ range $k, $v := $m }}{{ $_ := unset $m $k }}{{ $k }}{{ end }}{{ $m }}
{{ $m := dict "a" 1 }}{{ range $k, $v := $m }}{{ $_ := set $m "b" 2 }}{{ $k }}{{ end }}{{ $m }}
{{ $l := list 1 }}{{ range $l }}{{ $l = append $l 2 }}{{ end }}{{ $l }}
{{ range 3 }}{{ range . }}{{ . }}{{ end }};{{ end }}
{{ range seq 3 }}{{ . }}{{ end }}
{{ range regexSplit "," "a,b" -1 }}{{ . }};{{ end }}
{{ range (list 1 2) }}{{ end }}{{ end }}
{{ range list 1 2 }}
{{ range list 1 2 }}{{ else }}{{ else }}{{ end }}
{{ range 1 2 }}{{ end }}
{{ range $x := 1 2 }}{{ end }}
{{ range fail "x" }}{{ end }}
{{ range list 1 2 }}{{ fail "x" }}{{ end }}
{{ range $i, $e := .Values.map.c.d }}{{ add $i $e }} {{ end }}
{{ range first (list (list 1 2)) }}{{ . }}{{ end }}
{{ range chunk 2 (list 1 2 3) }}{{ . }}{{ end }}
{{ range .Capabilities.APIVersions }}{{ if eq . "apps/v1" }}found{{ break }}{{ end }}{{ end }}
{{ range $k, $v := .Values.deep }}{{ range $k2, $v2 := $v }}{{ $k }}.{{ $k2 }}{{ end }}{{ end }}
{{ range (dict "x" (list 1 2)).x }}{{ . }}{{ end }}
{{ range 'c' }}x{{ break }}{{ end }}
{{ range 1i }}x{{ end }}
{{ range . }}{{ break }}{{ else }}x{{ end }}y
{{ range (semver "1.2.3") }}{{ end }}
{{ range b64dec "YWI=" }}{{ . }}{{ end }}
`)
}

func definitionCases() []testCase {
	return all(lines(`
{{ define "a" }}x{{ end }}{{ template "a" }}
{{ template "a" }}{{ define "a" }}x{{ end }}
{{ define "a" }}[{{ . }}]{{ end }}{{ template "a" }}{{ template "a" 1 }}{{ template "a" .Values.word }}{{ template "a" nil }}
{{ define "a" }}1{{ end }}{{ define "a" }}2{{ end }}{{ template "a" }}
{{ define "a" }}1{{ end }}{{ define "a" }}{{ end }}{{ template "a" }}
{{ define "a" }}1{{ end }}{{ define "a" }} {{ end }}{{ template "a" }}
{{ define "a" }}{{ end }}{{ define "a" }}1{{ end }}{{ template "a" }}
{{ define "a" }}{{/* c */}}{{ end }}[{{ template "a" }}]
{{ template "absent" }}
{{ template "absent" . }}
{{ include "absent" . }}
{{ define "a" }}{{ template "b" . }}{{ end }}{{ define "b" }}{{ . }}{{ end }}{{ template "a" 1 }}
{{ define "a" }}{{ define "b" }}x{{ end }}{{ end }}
{{ if true }}{{ define "b" }}x{{ end }}{{ end }}{{ template "b" }}
{{ block "a" . }}default {{ .Values.word }}{{ end }}
{{ block "a" 1 }}[{{ . }}]{{ end }}{{ template "a" 2 }}
{{ define "a" }}x{{ end }}{{ block "a" . }}y{{ end }}
{{ block "a" . }}y{{ end }}{{ define "a" }}x{{ end }}
{{ block "a" }}y{{ end }}
{{ block a . }}y{{ end }}
{{ block "a" . }}{{ block "b" . }}y{{ end }}{{ end }}
{{ block "a" . }}
{{ block "a" . }}{{ else }}{{ end }}
{{ define "a" }}{{ else }}{{ end }}
{{ define a }}x{{ end }}
{{ define "a" . }}x{{ end }}
{{ define "a" }}
{{ define }}x{{ end }}
{{ define "" }}x{{ end }}{{ template "" }}
{{ define 1 }}x{{ end }}
{{ template "a" . . }}
{{ template "a" | upper }}
{{ define "a" }}x{{ end }}{{ template "a" .Values.word | upper }}
{{ define "a" }}{{ . }}{{ end }}{{ template "a" "b" | upper }}
{{ define "a" }}{{ . }}{{ end }}{{ template "a" dict "k" 1 }}
{{ define "a" }}{{ .k }}{{ .absent }}{{ end }}{{ template "a" (dict "k" 1) }}
{{ define "a" }}{{ .k.l.m }}{{ end }}{{ template "a" (dict "k" 1) }}
{{ define "a" }}{{ $.k }}{{ end }}{{ template "a" (dict "k" 1) }}
{{ define "a" }}{{ if . }}{{ template "a" (rest .) }}{{ first . }}{{ end }}{{ end }}{{ template "a" (list 1 2 3) }}
{{ define "a" }}x{{ end }}{{ include "a" . | upper }}
{{ define "a" }}x{{ end }}{{ $x := include "a" . }}{{ $x }}{{ len $x }}
{{ define "a b/c-d.e" }}x{{ end }}{{ template "a b/c-d.e" }}
{{ define "ä" }}x{{ end }}{{ template "ä" }}
{{ template "c/templates/_p" }}
{{ include "c/templates/_p" . }}
{{ template "c/templates/absent" . }}
{{ define "a" }}{{ fail "in a" }}{{ end }}{{ template "a" }}
{{ define "a" }}{{ .Values.word.x }}{{ end }}{{ template "a" . }}
{{ define "a" }}{{ .Values.word.x }}{{ end }}{{ include "a" . }}
{{ define "a" }}{{ include "b" . }}{{ end }}{{ define "b" }}{{ .Values.word.x }}{{ end }}{{ include "a" . }}
{{ define "a" }}{{ $x := 1 }}{{ end }}{{ template "a" }}{{ $x }}
{{ define "a" }}{{- "x" -}}{{ end }}[ {{ template "a" }} ]
{{ template "a" }}
{{ define "a" -}} x {{- end }}[{{ template "a" }}]
{{- define "a" -}} x {{- end -}} [{{ template "a" }}]
`), exact("{{ define \"a\" }}\nx\n{{ end }}\n{{ template \"a\" }}\n", "{{- define \"a\" }}\n  k: v\n{{- end }}\n{{- include \"a\" . | nindent 4 }}", "{{ define `a` }}x{{ end }}{{ template `a` }}", "\n{{ define \"a\" }}x{{ end }}\n\n{{ template \"b\" }}"),
		with("{{ define \"p\" }}from partial {{ . }}{{ end }}{{ define \"q\" -}}\nq: {{ .Values.word }}\n{{- end }}\n{{ define \"c.fullname\" }}{{ .Release.Name }}-{{ .Chart.Name | trunc 63 | trimSuffix \"-\" }}{{ end }}{{ define \"r\" }}{{ include \"q\" . | indent 2 }}{{ end }}{{ define \"e\" }}{{ end }}{{ define \"n\" }}{{ required \"r is needed\" .r }}{{ end }}{{ define \"bad\" }}{{ .a.b.c }}{{ end }}", lines(`
{{ template "p" 1 }}
{{ include "p" 2 }}
{{ include "p" }}
{{ include "p" 1 2 }}
{{ include 1 2 }}
{{ include "p" (dict "a" 1) }}
{{ include "q" . | nindent 2 }}
{{ include "r" . }}
{{ template "r" . }}
[{{ include "e" . }}]
{{ include "c.fullname" . }}
{{ include "c.fullname" $ | upper | quote }}
{{ define "p" }}own{{ end }}{{ template "p" 1 }}
{{ define "p" }}{{ end }}{{ template "p" 1 }}
{{ include "n" (dict "r" 1) }}
{{ include "n" (dict) }}
{{ include "n" . }}
{{ template "n" (dict) }}
{{ include "bad" (dict "a" (dict "b" 1)) }}
{{ include "bad" (dict "a" (dict)) }}
{{ include "bad" 1 }}
{{ include "bad" nil }}
{{ include "bad" list }}
{{ template "bad" "x" }}
{{ range list 1 2 }}{{ include "p" . }};{{ end }}
{{ with .Values.map }}{{ include "p" .a }}{{ end }}
{{ with .Values.map }}{{ include "q" . }}{{ end }}
{{ with .Values.map }}{{ include "q" $ }}{{ end }}
{{ include "p" . | len | gt 10 }}
{{ include (print "p") "x" }}
{{ "x" | include "p" }}
{{ include "p" "a" | include "p" }}
{{ $_ := include "p" 1 }}
{{ if include "e" . }}a{{ else }}b{{ end }}
{{ if eq (include "c.fullname" .) "release-c" }}same{{ end }}
{{ tpl (include "q" .) . }}
{{ include "p" .Values.map }}
`)))
}

func trimCases() []testCase {
	return all(
		cross("a %s{{%s 1 %s}}%s b", []string{"", " ", "\n", " \n\t\r\n ", "\v\f"}, []string{"", "-", " -", "--"}, []string{"", "-", "- ", "--"}, []string{"", " ", "\n", "\r\n \t"}),
		exact(
			"a {{- /* c */ -}} b", "a {{- /* c */}} b", "a {{/* c */ -}} b", "a {{/* c */-}} b", "a {{-/* c */ -}} b", "a {{- /* c */ - }} b", "a {{- /* c -}} b */ -}} c",
			"a\n{{- if true }}\n  x\n{{- end }}\nb\n", "a\n{{ if true -}}\n  x\n{{ end -}}\nb\n", "a\n{{- if false }}\n  x\n{{- else }}\n  y\n{{- end }}\nb\n",
			"{{- range list 1 2 }}\n- {{ . }}\n{{- end }}\n", "{{ range list 1 2 -}}\n- {{ . }}\n{{ end -}}\n", "{{- with 1 -}} x {{- end -}}", "x {{- define \"a\" -}} y {{- end -}} z {{ template \"a\" -}} w",
			"a \u00a0{{- 1 -}}\u00a0 b", "a\u2003{{- 1 }}", "a \x00{{- 1 }}", "{{- 1 -}}", "  {{- 1 -}}  ", "\n{{- 1 -}}\n", "{{- 1 -}}{{- 2 -}}", "{{1 -}} {{- 2}}", "{{ 1 -}}\n\n{{ 2 }}", "{{ -1 }} {{- -1 -}} {{- 1 }}",
			"{{- -}}", "{{-}}", "{{ - }}", "{{--}}", "{{- }}", "{{ -}}", "a {{-1}} b", "a {{1-}} b", "a {{- 1-}} b", "a {{-\n1\n-}} b", "a {{-\t1\t-}} b", "a {{-\r\n1 -}} b", "{{ \"a\" -}}   ", "   {{- \"a\" }}", "{{ \"- }}\" }}", "{{ `-}}` -}} x",
			"a {{- $x := 1 -}} b {{ $x -}} c", "text {{- template \"t\" -}} more {{- define \"t\" }} x {{ end }}", "a  {{- block \"t\" . }} x {{ end -}}  b", "a {{- end }}", "a {{- else -}} b", "{{- if true -}} {{- end -}}", "{{- range list 1 -}} {{- break -}} {{- end -}} x",
		),
	)
}
