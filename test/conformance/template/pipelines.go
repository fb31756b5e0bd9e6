package main

func pipelineCases() []testCase {
	return lines(`
{{ "a" | upper }}
{{ "a" | upper | lower | title | quote }}
{{ .Values.word | printf "%s-%s" "x" }}
{{ .Values.absent | default "x" }}
{{ .Values.absent | upper }}
{{ .Values.nothing | quote }}
{{ .Values.nothing | default "x" | upper }}
{{ .Values.one | add 1 }}
{{ .Values.one | int | add 1 | mul 3 }}
{{ (.Values.word | upper) | lower }}
{{ upper (lower "A") }}
{{ upper (print "a" (lower "B")) | printf "%s%s" (print 1) }}
{{ 1 | print 2 | print 3 }}
{{ "a" | print | print | print }}
{{ .Values.numbers | first | print }}
{{ list 1 2 3 | last }}
{{ list 1 2 3 | join "," }}
{{ .Values | len | print }}
{{ .Values.map | toYaml | indent 2 }}
{{ print (.Values.word) .Values.word }}
{{ "%s" | printf }}
{{ "x" | printf "%s" | len }}
{{ .Values.yes | ternary "a" "b" }}
{{ .Values.no | not }}
{{ .Values.word | eq "web" }}
{{ "a" | and "b" }} {{ "a" | or "" }}
{{ and 1 0 | print }}
{{ or (and 1 0) (not 1) "end" }}
{{ $x := "a" | upper }}{{ $x }}
{{ $x := 1 | add 1 | print }}{{ $x | len }}
{{ if "a" | eq "a" }}y{{ end }}
{{ if .Values.word | hasPrefix "w" }}y{{ end }}
{{ with .Values.word | upper }}{{ . }}{{ end }}
{{ range list 1 2 | reverse }}{{ . }}{{ end }}
{{ (index .Values.ports 0).name | upper }}
{{ ((index .Values.ports 1).port | int) | add 1 }}
{{ (.Values.map | toYaml | fromYaml).c.d }}
{{ dict "a" 1 | toJson }}
{{ "a" | dict "k" | toJson }}
{{ .Values.word | list "a" | join "," }}
{{ "x" | repeat 3 | upper | trunc 2 }}
{{ 3 | repeat "x" }}
{{ "x" | index .Values.map }}
{{ "a" | index .Values.map }}
{{ 0 | index .Values.numbers }}
{{ "a" | get .Values.map }}
{{ . | kindOf | quote }}
{{ nil | default "x" }}
{{ "x" | default nil }}
{{ "" | default "a" | default "b" }}
{{ 1 | toString | kindOf }}
{{ "1" | int | kindOf }}
{{ .Values.one | toString | atoi | kindOf }}
{{ .Values.word | required "needed" }}
{{ .Values.absent | required "needed" }}
{{ .Values.empty | required "needed" }}
{{ "msg" | fail }}
{{ fail "a: b: c" }}
{{ fail "" }}
{{ fail }}
{{ fail 1 }}
{{ .Values.word | fail "x" }}
{{ upper }}
{{ upper "a" "b" }}
{{ "a" | upper "b" }}
{{ "a" | .Values.word }}
{{ "a" | $.Values.word }}
{{ "a" | .Capabilities.APIVersions.Has }}
{{ "v1" | .Capabilities.APIVersions.Has }}
{{ .Capabilities.APIVersions.Has "v1" | not }}
{{ .Files.Get "empty.txt" | len }}
{{ "config/a.conf" | .Files.Get }}
{{ "config/a.conf" | $.Files.Get | upper }}
{{ (.Files.Get "config/a.conf").x }}
{{ "a" | (upper) }}
{{ "a" | (print "b") }}
{{ upper | lower }}
{{ ("a" | upper) ("b") }}
{{ not }}
{{ not 1 2 }}
{{ and }}
{{ or }}
{{ and 1 }}
{{ or "" }}
{{ and 1 "" (fail "never") }}
{{ or 1 (fail "never") }}
{{ or "" (fail "always") }}
{{ and 1 undefinedFunction }}
{{ or 1 .Values.absent.x.y }}
{{ and .Values.absent .Values.absent.x.y }}
{{ ternary "a" "b" .Values.yes }} {{ ternary "a" "b" false }}
{{ ternary "a" (fail "eager") true }}
{{ default (fail "eager") "x" }}
{{ coalesce .Values.absent .Values.empty "x" (print "y") }}
{{ print | print "a" }}
{{ "a" "b" | print }}
{{ (print "a") "b" }}
{{ .Values.map.a | int | printf "%03d" }}
{{ .Values.map.a | printf "%d" }}
{{ .Values.map.a | printf "%v" }}
{{ .Values.map.a | printf "%s" }}
{{ printf "%v %v" 1 }}
{{ printf "%v" 1 2 }}
{{ $.Values.word | quote | squote }}
{{ .Values.quoted | quote }} {{ .Values.quoted | squote }} {{ .Values.quoted | toJson }}
{{ ("x" | quote) | len }}
{{ true | toString | quote }}
{{ .Values.yes | toString | quote }}
{{ .Values.million | int | quote }} {{ .Values.million | quote }} {{ .Values.million }} {{ .Values.million | int64 }} {{ .Values.big | int64 }} {{ .Values.big | toString }}
{{ .Values.absent | int }} {{ .Values.absent | toString }} {{ .Values.absent | quote }} {{ .Values.absent | len }}
{{ .Values.absent | toYaml }} {{ .Values.absent | toJson }} {{ .Values.nothing | toYaml }}
{{ .Values.absent | kindOf }} {{ .Values.nothing | kindOf }} {{ .Values.absent | typeOf }}
`)
}

func variableCases() []testCase {
	return all(lines(`
{{ $x := 1 }}{{ $x }}
{{ $x := 1 }}{{ $x = 2 }}{{ $x }}
{{ $x := 1 }}{{ if true }}{{ $x = 2 }}{{ end }}{{ $x }}
{{ $x := 1 }}{{ if true }}{{ $x := 2 }}{{ $x }}{{ end }}{{ $x }}
{{ $x := 1 }}{{ range list 1 2 3 }}{{ $x = add $x . }}{{ end }}{{ $x }}
{{ $x := "a" }}{{ $x := "b" }}{{ $x }}
{{ $x = 1 }}
{{ $x }}
{{ if true }}{{ $x := 1 }}{{ end }}{{ $x }}
{{ $x := .Values.map }}{{ $x.a }} {{ $x.c.d }} {{ $x.absent }}
{{ $x := .Values.absent }}[{{ $x }}]
{{ $x := nil }}[{{ $x }}]
{{ $x := .Values.absent }}{{ $x.y }}
{{ $x := 1 }}{{ $x.y }}
{{ $x := "a" }}{{ $x.y }}
{{ $x, $y := list 1 2 }}
{{ $x, $y = list 1 2 }}
{{ $x := 1, $y := 2 }}
{{ $ := 1 }}{{ $ }}
{{ $ = 1 }}{{ $ }}
{{ $x := $ }}{{ $x.Release.Name }}
{{ $x:=1 }}{{$x}}
{{ $x :=1 }}{{ $x}}
{{ $x : = 1 }}
{{ $x == 1 }}
{{ $1 := 2 }}{{ $1 }}
{{ $_ := set .Values.map "z" 1 }}{{ .Values.map.z }}
{{ $ä := 1 }}{{ $ä }}
{{ $x-y := 1 }}
{{ $x.y := 1 }}
{{ $x }}{{ $x := 1 }}
{{ with $x := 1 }}{{ $x }}{{ end }}
{{ with $x := 1 }}{{ $x = 2 }}{{ $x }}{{ end }}
{{ range $x := list 1 2 }}{{ $x }}{{ end }}
{{ range $i, $x := list "a" "b" }}{{ $i }}{{ $x }}{{ end }}
{{ range $i, $x := list "a" "b" }}{{ end }}{{ $i }}
{{ range $i, $x, $y := list "a" "b" }}{{ end }}
{{ range $i $x := list "a" "b" }}{{ end }}
{{ range $i, := list "a" "b" }}{{ end }}
{{ range $i, 1 := list "a" "b" }}{{ end }}
{{ if $x, $y := 1 }}{{ end }}
{{ with $x, $y := 1 }}{{ end }}
{{ range $x = list 1 2 }}{{ end }}
{{ $x := 0 }}{{ range $x = list 1 2 }}{{ $x }}{{ end }}{{ $x }}
{{ $i := 0 }}{{ $x := 0 }}{{ range $i, $x = list "a" "b" }}{{ $i }}{{ $x }}{{ end }}{{ $i }}{{ $x }}
{{ $x := 1 }}{{ with 2 }}{{ $x }}{{ . }}{{ end }}
{{ $x := 1 }}{{ define "d" }}{{ $x }}{{ end }}
{{ define "d" }}{{ $ }}{{ end }}{{ template "d" 5 }}
{{ define "d" }}{{ $y := . }}{{ $y }}{{ end }}{{ template "d" 5 }}{{ template "d" 6 }}
{{ $x := 1 }}{{ template "d" $x }}{{ define "d" }}{{ . }}{{ end }}
{{ $x := dict "a" 1 }}{{ $_ := set $x "b" 2 }}{{ $x }}
{{ $x := list 1 }}{{ $y := append $x 2 }}{{ $x }}{{ $y }}
{{ $x := "é" }}{{ $x }}{{ len $x }}
{{ $x := 1 | add 2 }}{{ $y := $x | mul $x }}{{ $y }}
{{ $x := (dict "f" (list 1 2)).f }}{{ $x }}
{{ $a := "x" }}{{ $b := printf "%s%s" $a $a }}{{ $c := printf "%s%s" $b $b }}{{ $c }}
{{ $x := 1 }} {{- $x -}} {{ $x }}
{{ $x := true }}{{ if $x }}{{ $x = false }}{{ end }}{{ if not $x }}no{{ end }}
{{ $found := false }}{{ range .Values.names }}{{ if eq . "fig" }}{{ $found = true }}{{ end }}{{ end }}{{ $found }}
{{ range $k, $v := .Values.map }}{{ $x := $k }}{{ $x }}={{ $v }};{{ end }}
{{ range $k, $v := .Values.map }}{{ $.Release.Name }}{{ end }}
{{ range $k, $v := .Values.map }}{{ .Release.Name }}{{ end }}
{{ $x }} := 1
{{ $x := }}
{{ $x = }}
{{ $x, := 1 }}
{{ $, $y := 1 }}
{{ (($x := 1)) }}
{{ ($x := 1) }}{{ $x }}
{{ print ($x := 1) }}
{{ $x := 1 }}{{ ($x) }}{{ print $x $x }}
{{ $x := .Values.ports }}{{ (index $x 0).name }}{{ len $x }}
{{ $x := .Chart }}{{ $x.Name }}{{ $x.name }}
{{ $f := .Files }}{{ $f.Get "config/b.conf" }}
{{ $x := 1 }}{{ $x.Get "a" }}
{{ $x := "a" }}{{ $x 1 }}
{{ 1 | $x }}
{{ $x := 1 }}{{ 1 | $x }}
{{ $x := 9223372036854775808 }}
{{ $x := 1.5 }}{{ $x }}{{ kindOf $x }}
{{ $x := 'a' }}{{ $x }}{{ kindOf $x }}
{{ $x := 1i }}{{ $x }}{{ kindOf $x }}
{{ range $x := until 3 }}{{ $y := $x }}{{ if eq $y 1 }}{{ continue }}{{ end }}{{ $y }}{{ end }}{{ $y }}
`), exact("{{ $x\n:= 1 }}{{ $x }}", "{{ $x := 1\n}}{{\n$x\n}}", "{{- $x := 1 }}\n{{- $y := 2 }}\n{{ $x }}{{ $y }}"))
}
