package main

func errorCases() []testCase {
	return all(
		lines(`
x{{ .Values.text.a }}
{{ .Values.text.a.b }}
{{ .Values.map.a.b }}
{{ .Values.map.absent.b }}
{{ .Values.absent.b.c }}
{{ .Values.numbers.a }}
{{ .Values.yes.a }}
{{ .Chart.Nope.x }}
{{ .Release.Nope.x }}
{{ .Release.Name.x }}
{{ .Files.Nope }}
{{ .Capabilities.Nope }}
{{ .Capabilities.KubeVersion.Nope }}
{{ .Template.Nope.x }}
{{ $.Values.text.a }}
{{ (.Values.text).a }}
{{ ((.Values.map).a).b }}
{{ (index .Values.ports 0).name.x }}
{{ (index .Values.ports 9).name }}
{{ index .Values.ports 9 "name" }}
{{ upper .Values.one }}
{{ upper .Values.absent }}
{{ upper .Values.nothing }}
{{ upper .Values.numbers }}
{{ .Values.one | upper }}
{{ .Values.map | upper | lower }}
{{ printf "%s" (upper .Values.one) }}
{{ if upper .Values.one }}{{ end }}
{{ with upper .Values.one }}{{ end }}
{{ range upper .Values.one }}{{ end }}
{{ $x := upper .Values.one }}
{{ template "x" upper .Values.one }}{{ define "x" }}{{ end }}
{{ define "x" }}{{ upper .Values.one }}{{ end }}{{ template "x" . }}
{{ define "x" }}{{ upper .Values.one }}{{ end }}{{ include "x" . }}
{{ define "x" }}{{ include "y" . }}{{ end }}{{ define "y" }}{{ required "y needs z" .Values.z }}{{ end }}{{ include "x" . }}
{{ define "x" }}{{ template "y" . }}{{ end }}{{ define "y" }}{{ fail "y: failed" }}{{ end }}{{ include "x" . }}
{{ fail "a b" }}
{{ fail (printf "%s: %d" "x" 5) }}
{{ fail .Values.lines }}
{{ fail .Values.absent }}
{{ required "x" .Values.empty }}
{{ required .Values.absent .Values.empty }}
{{ required "HELM_ERR_START" "" }}
{{ include "nope" . }}
{{ include "nope" }}
{{ include .Values.absent . }}
{{ template "nope" . }}
{{ nope }}
{{ nope .Values.word }}
{{ .Values.word | nope }}
{{ if nope }}{{ end }}
{{ index .Values "map" "a" "b" }}
{{ index .Values.text "a" }}
{{ slice .Values.text 5 99 }}
{{ slice .Values.text 3 1 }}
{{ len .Values.one }}
{{ not }}
{{ eq }}
{{ eq .Values.one "1" }}
{{ eq .Values.one 1 }}
{{ lt .Values.text 1 }}
{{ gt .Values.map 1 }}
{{ gt .Values.absent 1 }}
{{ gt 1 .Values.absent }}
{{ le .Values.yes true }}
{{ range .Values.one }}x{{ end }}
{{ range .Values.pi }}{{ end }}
{{ range .Values.yes }}{{ end }}
{{ call .Values.word }}
{{ call .Values.absent }}
{{ 1 | 2 }}
{{ .Values.word | 2 }}
{{ .Values.word | "x" }}
{{ .Values.word | true }}
{{ .Values.word | .Values.text }}
{{ .Values.word .Values.text }}
{{ .Values 1 }}
{{ . 1 }}
{{ $ 1 }}
{{ nil }}
{{ nil | upper }}
{{ "x" | nil }}
{{ trunc 5 }}
{{ trunc }}
{{ trunc 1 2 }}
{{ trunc "a" "b" }}
{{ trunc 1 "a" "b" }}
{{ default }}
{{ dict "a" | upper }}
{{ set .Values.text "a" 1 }}
{{ set .Values.absent "a" 1 }}
{{ hasKey .Values.text "a" }}
{{ get .Values.absent "x" }}
{{ keys .Values.absent }}
{{ merge .Values.absent (dict) }}
{{ first .Values.text }}
{{ first .Values.absent }}
{{ last 5 }}
{{ join "," }}
{{ splitList "," .Values.absent }}
{{ splitList "," .Values.one }}
{{ b64enc .Values.one }}
{{ sha256sum .Values.map }}
{{ indent 2 .Values.map }}
{{ indent "x" .Values.text }}
{{ nindent .Values.three "x" }}
{{ repeat .Values.three "x" }}
{{ substr .Values.zero .Values.three "abcdef" }}
{{ until .Values.three }}
{{ ternary 1 2 "x" }}
{{ ternary 1 2 .Values.absent }}
{{ contains .Values.one "1" }}
{{ hasPrefix "a" .Values.absent }}
{{ regexMatch "(" "a" }}
{{ regexReplaceAll "(" "a" "b" }}
{{ mustRegexMatch "(" "a" }}
{{ semver "x" }}
{{ semverCompare "x" "1" }}
{{ semverCompare ">1" "x" }}
{{ toDate "x" }}
{{ mustToDate "2006" "x" }}
{{ atoi .Values.one }}
{{ div 1 0 }}
{{ mod 1 0 }}
{{ divf 1 0 }}
{{ dig "a" "x" .Values.text }}
{{ dig "text" "a" "x" .Values }}
{{ dig "text" "a" "x" (deepCopy .Values) }}
{{ index nil 0 }}
{{ fromYaml .Values.map }}
{{ tpl .Values.one . }}
{{ tpl "{{ nope }}" . }}
{{ tpl "{{ .Values.word.x }}" . }}
{{ .Files.Get 1 }}
{{ .Files.Get }}
{{ .Capabilities.APIVersions.Has 1 }}
{{ lookup 1 2 3 4 }}
{{ genCA 1 2 }}
{{ genPrivateKey "x" }}
{{ decryptAES "a" "b" }}
{{ urlParse ":" }}
{{ mustFromJson "x" }}
{{ mustSlice .Values.text 1 }}
{{ mustChunk 0 (list) }}
{{ chunk 0 (list 1) }}
{{ without 1 2 }}
{{ concat 1 }}
{{ append 1 2 }}
{{ prepend nil 1 }}
{{ sortAlpha }}
{{ pluck }}
{{ pick }}
{{ omit .Values.absent "a" }}
{{ mustMerge 1 }}
{{ mergeOverwrite 1 2 }}
{{ randAlpha "x" }}
{{ round "a" }}
{{ fail "x" | upper }}
{{ upper (fail "x") }}
{{ printf "%s" (include "nope" .) }}
{{ with $x := .Values.word.y }}{{ end }}
{{ if eq .Values.word 1 }}{{ end }}
{{ if and .Values.word (eq .Values.word 1) }}{{ end }}
{{ if or .Values.empty (gt "a" 1) }}{{ end }}
{{ range $i, $e := .Values.ports }}{{ $e.name.x }}{{ end }}
{{ range .Values.ports }}{{ .name.x }}{{ end }}
{{ range .Values.ports }}{{ .Values.x }}{{ .Values.x.y }}{{ end }}
{{ with .Values.map }}{{ .Release.Name }}{{ end }}
{{ .Values.word.x | default "y" }}
{{ default "y" .Values.word.x }}
{{ (.Values.word.x) }}
{{ print .Values.word.x }}
{{ list 1 .Values.word.x }}
{{ dict "a" .Values.word.x }}
{{ .Values.word.x.y.z }}
{{ .Values.odd.a.b }}
{{ .Values.deep.l1.l2.l3.l4 }}
{{ .Values.deep.l1.x.l3.l4 }}
{{ "a very long string literal that goes on and on so that the context is cut" | int | upper }}
{{ print "a very long string literal that goes on and on so that the context is cut" (upper 1) }}
{{ printf "%s %s %s" .Values.word .Values.text (upper .Values.numbers) | quote | indent 2 | trim }}
`),
		exact(
			"a\nb\n{{ .Values.text.a }}", "a\n  {{ .Values.text.a }}", "ä\n ä {{ .Values.text.a }}", "\t{{ .Values.text.a }}", "{{ if true }}\n  {{ upper 1 }}\n{{ end }}", "\n{{- range .Values.ports }}\n  {{ .name.x }}\n{{- end }}", "{{ .Values.word\n}}\n{{ upper\n1 }}",
			"x\n{{ nope }}", "x\n{{ if }}", "x\n{{ if true }}\n\ny", "{{/*\n\n*/}}{{ nope }}", "{{ \"a\nb\" }}", "a\n{{ `x\ny` | upper | nope }}", "a\n{{\n\nprint 1 |\n nope }}", "{{ define \"x\" }}\n\n{{ upper 1 }}\n{{ end }}\n{{ template \"x\" }}", "{{ define \"x\" }}\n\n{{ upper 1 }}\n{{ end }}\n{{ include \"x\" . }}",
			"{{- define \"x\" -}}\n{{- required \"deep\" .nope -}}\n{{- end -}}\n{{- range list (dict) -}}\n{{- include \"x\" . -}}\n{{- end -}}", "{{ range $i := list 1 }}\n{{ with 5 }}\n{{ if eq . 5 }}\n{{ fail \"here\" }}\n{{ end }}{{ end }}{{ end }}",
			"{{ $x := dict \"a\" (list 1 2) }}\n{{ index $x.a 5 }}", "{{ $long := \"x\" }}{{ upper ($long | len) }}", "a\r\n{{ upper 1 }}", "{{ upper `a` 1 }}", "{{ \"\\u00e4\" | upper | int | upper }}", "{{ upper (print `back quote` 1 | len) }}", "{{ upper 0x10 }}", "{{ upper 1.50 }}", "{{ upper 'a' }}", "{{ upper true }}", "{{ upper nil }}", "{{ upper . }}", "{{ upper $ }}", "{{ upper (1) }}", "{{ upper (list 1 | first) }}", "{{ (upper 1).x }}", "{{ (list).x }}", "{{ (list).x.y }}", "{{ (dict).x.y }}", "{{ $x := list }}{{ $x.y.z }}", "{{ .Values.map.c.d.e }}",
			"{{ define \"x\" }}{{ .a.b.c }}{{ end }}{{ include \"x\" (dict \"a\" 1) | nindent 2 }}", "{{ define \"x\" }}{{ .a.b.c }}{{ end }}{{ include \"x\" (dict) | nindent 2 }}", "{{ define \"x\" }}{{ .a.b.c }}{{ end }}{{ include \"x\" nil }}",
		),
		with("{{ define \"lib.one\" }}\n{{ include \"lib.two\" . }}\n{{ end }}\n{{ define \"lib.two\" }}\n{{ .Values.text.deep }}\n{{ end }}{{ define \"lib.fail\" }}{{ fail (printf \"%s: %s\" .Chart.Name \"no\") }}{{ end }}{{ define \"lib.required\" }}{{ required \"values.x is required: set it\" .Values.x }}{{ end }}", lines(`
{{ include "lib.one" . }}
{{ template "lib.one" . }}
{{ include "lib.one" . | nindent 2 }}
{{ tpl "{{ include \"lib.one\" . }}" . }}
{{ include "lib.fail" . }}
{{ template "lib.fail" . }}
{{ include "lib.required" . }}
{{ include "lib.required" . | quote | upper }}
{{ range list 1 2 }}{{ include "lib.required" $ }}{{ end }}
{{ if include "lib.required" . }}{{ end }}
{{ include "lib.two" (dict "Values" (dict "text" "x")) }}
{{ include "lib.two" (dict "Values" nil) }}
{{ include "lib.two" (dict) }}
`)),
		with("{{ define \"x\" }}{{ nope }}{{ end }}", lines(`
a
{{ nope2 }}
`)),
		with("\n\n{{ if true }}", lines(`
a
`)),
		with("{{ define \"c/templates/NOTES.txt\" }}over{{ end }}", lines(`
own {{ .Values.word }}
`)),
	)
}

func helm4Cases() []testCase {
	durations := words(`0; 1; 1.5; -2; "90s"; "1h30m"; "2.5"; "abc"; ""; nil; true; (list); "1500ms"; 1e10; "1e3"; "72h"; (mustToDuration "1m"); .Values.three; .Values.absent; "-1h"; 9223372036854775807; "inf"; (int64 61); " 5s "; "1us"; "36h15m"`)
	return all(
		errorCases(),
		cross("{{ durationSeconds %s }} {{ durationMilliseconds %[1]s }} {{ durationMicroseconds %[1]s }} {{ durationNanoseconds %[1]s }} {{ durationMinutes %[1]s }} {{ durationHours %[1]s }} {{ durationDays %[1]s }} {{ durationWeeks %[1]s }}\n{{ durationRoundTo %[1]s \"1m\" }} {{ durationTruncateTo %[1]s \"1h\" }} {{ durationRoundTo \"90m\" %[1]s }} {{ durationTruncateTo \"90m\" %[1]s }}\n{{ mustToDuration %[1]s }} {{ typeOf (mustToDuration %[1]s) }}", durations),
		lines(`
{{ mustToYaml .Values.map }} {{ mustToJson .Values.map }} {{ mustToToml .Values.map }} {{ mustToYaml nil }} {{ mustToToml (dict "a" 1) }}
{{ mustToToml (list 1) }}
{{ mustToToml nil }}
{{ mustToJson (float64 "inf") }}
{{ mustToYaml (float64 "inf") }}
{{ .Chart }}
{{ .Chart.Name }} {{ .Chart.Version }} {{ .Chart.AppVersion }} {{ .Chart.Description }} {{ .Chart.APIVersion }} {{ .Chart.IsRoot }}
[{{ .Chart.Home }}][{{ .Chart.Type }}][{{ .Chart.KubeVersion }}][{{ .Chart.Deprecated }}][{{ .Chart.Keywords }}][{{ .Chart.Maintainers }}][{{ .Chart.Annotations }}][{{ .Chart.Dependencies }}]
{{ .Chart.Absent }} {{ .Chart.name }} {{ kindOf .Chart }} {{ typeOf .Chart }} {{ typeOf .Values }} {{ typeOf .Capabilities }} {{ typeOf .Files }} {{ typeOf .Template }} {{ typeOf .Capabilities.APIVersions }}
{{ toYaml .Chart }}
{{ toJson .Chart }}
{{ .Chart.Absent.x }}
{{ .Release }} {{ .Template }} {{ .Capabilities.KubeVersion }} {{ .Capabilities.KubeVersion.GitVersion }} {{ .Capabilities.KubeVersion.Minor }}
{{ toYaml .Capabilities.KubeVersion }}
{{ typeIsLike "*chartutil.Capabilities" .Capabilities }} {{ typeIsLike "*common.Capabilities" .Capabilities }}
{{ define "loop" }}{{ include "loop" . }}{{ end }}{{ include "loop" . }}
{{ define "a" }}{{ include "b" . }}{{ end }}{{ define "b" }}{{ tpl "{{ .Values.word.x }}" . }}{{ end }}{{ include "a" . }}
{{ tpl "{{ tpl \"{{ fail \\\"x\\\" }}\" . }}" . }}
{{ tpl "{{ .Values.text.x }}" . }}
{{ tpl "{{ nope }}" . }}
{{ tpl "{{" . }}
`),
	)
}
