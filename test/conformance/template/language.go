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

func numberCases() []testCase {
	literals := strings.Fields(`0 1 -1 +1 00 01 07 08 09 010 0o17 0O17 0o8 0b101 0B1 0b2 0x1F 0X1f 0xfg 1_000 1__0 _1 1_ 0_1 0x_1 0b_1 1.5 1. .5 -.5 +.5 . 1e3 1E3 1e+3 1e-3 1e 1e400 -1e400 1e-400 1.5e2 0x1p4 0x1.8p1 0x1p-2 0x1.8 1p4
9223372036854775807 9223372036854775808 -9223372036854775808 -9223372036854775809 18446744073709551615 18446744073709551616 0xffffffffffffffff 9007199254740993 123456789012345678901234567890
1i 2.5i 1+2i 1+i 0i 1.5-2i -1i 1e3i 'a' '\u00e4' '😀' 1a 1.2.3 1..2 1-1 1x 0xg 0b 0x 0o 1e5 1e6 1e20 1e21 123456.0 1234567.0 0.1 0.00001 0.000001 100000.5 3.0 1.0 100.0 1.10 1e2 12345678.9 0.30000000000000004 1.7976931348623157e308 5e-324 0.1e1 00.5 08.5 1_0.5_0 inf nan Inf`)
	return all(
		cross("{{ %s }}\n{{ print %[1]s }} {{ kindOf %[1]s }}\n{{ add %[1]s 0 }}\n{{ int %[1]s }} {{ float64 %[1]s }}\n{{ index .Values.numbers %[1]s }}\n{{ trunc %[1]s \"abcdef\" }}\n{{ round %[1]s 1 }}\n{{ list %[1]s | toJson }}", literals),
		exact("{{ 1 }} {{ 1.0 }} {{ 1e3 }} {{ -0.0 }}"),
	)
}

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

func comparisonCases() []testCase {
	operands := words(`1; 2; -1; 1.0; 1.5; "a"; "b"; ""; true; false; nil; .Values.one; .Values.word; .Values.absent; .Values.nothing; .Values.yes; (int64 1); .Values.numbers; .Values.map; 'a'; 1i; (float64 1); .Chart; (toDate "2006" "2001"); 18446744073709551615`)
	return all(
		cross("{{ eq %s %s }}", operands, operands),
		cross("{{ lt %s %s }}", operands[:17], operands[:17]),
		cross("{{ ne %s %s }} {{ le %[1]s %[2]s }} {{ gt %[1]s %[2]s }} {{ ge %[1]s %[2]s }}", words(`1; -1; 1.5; "a"; "b"; ""; (int64 1); (int 2); 2`), words(`1; -1; 1.5; "a"; "b"; (int64 1); (int 2)`)),
		cross("{{ and %s %s }}|{{ or %[1]s %[2]s }}", words(`0; 1; ""; "a"; true; .Values.absent; .Values.numbers; .Values.emptyList`), words(`0; "b"; false; .Values.map; .Values.nothing`)),
		lines(`
{{ eq }}
{{ eq 1 }}
{{ eq 1 2 3 1 }} {{ eq 1 2 3 }} {{ eq "a" "b" "a" }}
{{ eq 1 "a" 1 }}
{{ eq 1 1 "a" }}
{{ eq .Values.word "web" "x" }}
{{ ne 1 }}
{{ ne 1 2 3 }}
{{ lt 1 }}
{{ lt 1 2 3 }}
{{ eq nil nil }} {{ eq .Values.absent nil }} {{ eq .Values.absent .Values.nothing }}
{{ ne nil 1 }}
{{ lt nil 1 }}
{{ lt 1 nil }}
{{ eq .Values.numbers .Values.numbers }}
{{ eq .Values.map .Values.map }}
{{ eq (dict) nil }}
{{ eq nil (dict) }}
{{ eq (list) "a" }}
{{ eq "a" (list) }}
{{ eq .Chart.Name "c" }} {{ eq .Release.IsInstall true }} {{ eq .Release.Revision 1 }}
{{ eq .Values.one 1 }}
{{ eq .Values.one 1.0 }} {{ eq (int .Values.one) 1 }} {{ eq (.Values.one | toString) "1" }}
{{ gt .Values.three 1.0 }}
{{ gt .Values.three 1 }}
{{ gt (int .Values.three) 1 }} {{ ge (len .Values.numbers) 3 }} {{ lt (len "a") (int64 3) }}
{{ eq 'a' 97 }} {{ lt 'a' 98 }} {{ eq 'a' "a" }}
{{ eq 0x10 16 }} {{ eq 1e3 1000.0 }} {{ eq 1e3 1000 }}
{{ lt "a" "B" }} {{ lt "ä" "z" }} {{ lt "" "a" }} {{ lt "10" "9" }}
{{ lt true false }}
{{ lt 1i 2i }}
{{ eq 1i 1i }} {{ eq 1i 2i }}
{{ eq (int64 1) 1 }} {{ eq 1 (int64 1) }} {{ eq (int 1) (int64 1) }} {{ eq (len "a") 1 }}
{{ lt -1 18446744073709551615 }}
{{ not true }} {{ not 0 }} {{ not "" }} {{ not .Values.absent }} {{ not .Values.map }} {{ not nil }}
{{ and }}{{ or }}
{{ and 1 2 3 }} {{ and 1 0 3 }} {{ or 0 "" 3 }} {{ or 0 "" }} {{ and true .Values.absent }}
{{ and nil 1 }} {{ or nil 1 }}
{{ or .Values.absent .Values.nothing .Values.word }}
{{ and .Values.map .Values.map.a }} {{ and .Values.absent .Values.absent.b.c }}
{{ if and (eq 1 1) (or (eq 1 2) (ne 1 2)) (not (lt 2 1)) }}yes{{ end }}
{{ if and .Values.yes (eq .Values.word "web") }}a{{ end }}{{ if or .Values.no (hasPrefix "w" .Values.word) }}b{{ end }}
{{ eq (semver "1.2.3") (semver "1.2.3") }}
{{ (semver "1.2.3").Compare (semver "1.2.4") }}
{{ eq (typeOf 1) "int" }} {{ eq (kindOf 1.0) "float64" }}
{{ deepEqual .Values.map .Values.map }} {{ deepEqual (list 1 2) (list 1 2) }} {{ deepEqual 1 1.0 }} {{ deepEqual nil .Values.absent }} {{ deepEqual (dict "a" 1) (dict "a" 1) }} {{ deepEqual 1 (int64 1) }} {{ deepEqual (list) .Values.emptyList }} {{ deepEqual "a" "a" }} {{ deepEqual (list nil) (list nil) }} {{ deepEqual .Values.numbers (list 3 1 2) }} {{ deepEqual .Values.numbers (list 3.0 1.0 2.0) }}
{{ deepEqual (until 2) (list 0 1) }} {{ deepEqual (splitList "," "a") (list "a") }} {{ deepEqual .Values .Values }} {{ deepEqual .Chart .Chart }} {{ deepEqual (dict) (list) }}
`),
	)
}

func printfCases() []testCase {
	verbs := words(`%v; %+v; %#v; %T; %d; %s; %q; %x; %X; %t; %c; %U; %e; %f; %g; %b; %o; %5v; %-5v|; %05v; %.2v; %8.3v; %+q; %#q; %#x; % x; %O; %G; %6.2f; %+d; %%; %w; %y`)
	values := words(`1; -5; 255; 1.5; "ab ä"; ""; true; nil; .Values.one; .Values.pi; .Values.huge; .Values.numbers; .Values.any; .Values.map; .Values.absent; (int64 7); 'x'; (dict); (list "a" "b"); 1i; (list 1 nil); .Values.emoji; (b64dec "//79"); (until 3)`)
	return all(
		cross("{{ printf \"%s\" %s }}", verbs, values),
		lines(`
{{ printf "" }} {{ printf "a" }} {{ printf "%" }} {{ printf "%!" }} {{ printf "a%" 1 }} {{ printf "%z" 1 }}
{{ printf "%d" }} {{ printf "%d %d" 1 }} {{ printf "x" 1 }} {{ printf "%d" 1 2 "a" nil }}
{{ printf "%[1]d %[1]d %[2]s" 1 "a" }} {{ printf "%[2]s %[1]d" 1 "a" }} {{ printf "%[3]d" 1 }} {{ printf "%[0]d" 1 }} {{ printf "%[x]d" 1 }} {{ printf "%[1" 1 }} {{ printf "%[2]d %d" 1 2 3 }} {{ printf "%[1]*d" 5 6 }}
{{ printf "%*d" 5 42 }} {{ printf "%-*d|" 5 42 }} {{ printf "%.*f" 2 3.14159 }} {{ printf "%*d" "a" 42 }} {{ printf "%*d" -5 42 }}|
{{ printf "%05d" -42 }} {{ printf "%+05d" 42 }} {{ printf "% d" 42 }} {{ printf "%x" -255 }} {{ printf "%#o" 8 }} {{ printf "%#b" 5 }} {{ printf "%08b" 5 }} {{ printf "%3c|" 65 }} {{ printf "%-5d|" 42 }} {{ printf "%.3d" 5 }} {{ printf "%8.3d" 5 }} {{ printf "%+.3d" 5 }} {{ printf "%.0d" 0 }}
{{ printf "%5s|%-5s|%.2s|%5.1s|%05s" "abc" "abc" "abc" "abc" "abc" }} {{ printf "%.2s" "äöü" }} {{ printf "%5s|" "äö" }} {{ printf "%-8q|" "a" }} {{ printf "%q" "a\nb\t\"\\ä\x00\u200b😀" }} {{ printf "%+q" "ä😀" }} {{ printf "%#q" "a" }} {{ printf "%x" "hello" }} {{ printf "% x" "hello" }} {{ printf "%#x" "hi" }} {{ printf "% #X" "hi" }} {{ printf "%.3x" "hello" }}
{{ printf "%f %.0f %.1f %10.3f| %-10.2f| %+.2f %010.2f % f" 1.5 2.5 0.05 3.14159 2.0 1.0 -1.5 2.5 }} {{ printf "%e %E %.0e %.10e" 123456.789 0.00001 5.0 1.0 }} {{ printf "%g %G %.3g %g %g" 1e20 1e21 123456.0 100000.0 1e-5 }} {{ printf "%#g %#.3g %#v" 1.0 2.0 3.0 }}
{{ printf "%v %v %v %v %v" 1e6 1e20 1e21 123456789.0 1e-7 }} {{ printf "%6v|%-6v|%06v" 1.5 1.5 1.5 }} {{ printf "%b" 1.5 }} {{ printf "%x" 1.5 }} {{ printf "%X" -2.25 }} {{ printf "%.2x" 3.7 }}
{{ printf "%f" 1 }} {{ printf "%d" 1.5 }} {{ printf "%s" 1 }} {{ printf "%s" true }} {{ printf "%t" "a" }} {{ printf "%d" "a" }} {{ printf "%c" "a" }} {{ printf "%U" "a" }} {{ printf "%e" "a" }} {{ printf "%s" nil }} {{ printf "%d" nil }} {{ printf "%v" nil }} {{ printf "%t" nil }} {{ printf "%q" nil }}
{{ printf "%s" (list 1 "a") }} {{ printf "%d" (list 1 "a") }} {{ printf "%q" (list "a" "b c") }} {{ printf "%v" (list nil "" (list)) }} {{ printf "%5v" (list 1 2) }} {{ printf "%05d" (list 1 2) }} {{ printf "%x" (list "ab" 10) }}
{{ printf "%s" (dict "a" "b") }} {{ printf "%d" (dict "a" 1 "b" 2) }} {{ printf "%q" (dict "a" "b") }} {{ printf "%v" (dict "b" 1 "a" (dict "c" nil)) }} {{ printf "%+v" (dict "a" 1) }} {{ printf "%#v" (dict "b" 1 "a" "x" "c" (list 1.0 true nil)) }}
{{ printf "%T %T %T %T %T %T %T %T %T %T" 1 1.5 "a" true nil (list) (dict) (int64 1) .Values .Chart }} {{ printf "%T %T %T %T %T" (splitList "," "a") (split "," "a") (until 1) (semver "1.2.3") (toDate "2006" "2001") }}
{{ printf "%v" .Chart.Dependencies }} {{ printf "%v" .Release }} {{ printf "%s" .Release.Name }} {{ printf "%v" .Capabilities.KubeVersion }} {{ printf "%s" .Capabilities.KubeVersion }} {{ printf "%d" .Release.Revision }} {{ printf "%v" .Template }}
{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 63 | trimSuffix "-" }} {{ printf "%s:%v" .Values.image.repository .Values.image.tag }} {{ printf "%s" .Values.absent }} {{ printf "%v" .Values.absent }} {{ printf "%d" .Values.one }} {{ printf "%d" (int .Values.one) }} {{ printf "%.0f" .Values.big }} {{ printf "%s" .Values.one }} {{ printf "%v" .Values.million }}
{{ printf "%q" .Values.quoted }} {{ printf "%s" .Values.mixed }} {{ printf "%q" .Values.mixed }} {{ printf "%+q" .Values.mixed }} {{ printf "%x" .Values.emoji }} {{ printf "%q" .Values.emoji }} {{ printf "%-10s|" .Values.emoji }}
{{ printf "%c%c%c" 65 228 128512 }} {{ printf "%q" 65 }} {{ printf "%q" 228 }} {{ printf "%+q" 228 }} {{ printf "%U" 128512 }} {{ printf "%#U" 228 }} {{ printf "%c" -1 }} {{ printf "%q" 1114112 }} {{ printf "%c" 55296 }} {{ printf "%q" 10 }} {{ printf "%q" 39 }} {{ printf "%x" 'a' }}
{{ printf "%6.2f%%" 12.345 }} {{ printf "%%" }} {{ printf "%%" 1 }} {{ printf "%d%%" 5 }} {{ printf "%5%" }} {{ printf "%-5%|" }}
{{ printf "%s %s" "a" }} {{ printf "%[1]s %[1]q %[1]v %[1]x" "a" }} {{ printf "%6d|%-6d|%06d|%x|%X|%o|%b|%c|%U" 42 42 42 42 42 42 42 42 42 }}
{{ printf "%t %v %5t|%-6t|" true false true false }} {{ printf "%q" true }} {{ printf "%d" true }} {{ printf "%x" true }}
{{ printf "%v %.2f %5.1f" 1i 1i 1i }} {{ printf "%g" 1.5i }} {{ printf "%d" 1i }}
{{ printf 1 }}
{{ printf nil }}
{{ printf .Values.absent }}
{{ printf .Values.one }}
{{ printf (list) }}
{{ print 1.0 }} {{ print 1.5 "a" }} {{ print "a" "b" 1 2 true }} {{ print (list 1 2) (dict "a" 1) }} {{ print 1 nil 2 }} {{ print "a" nil }} {{ print .Values.absent "x" }} {{ print (list 1) 2 }}
{{ println }}{{ println 1 "a" nil true }}{{ println (list 1 "a") }}
{{ print 1 "a" }} {{ print "a" 1 }} {{ print 1 1.5 }} {{ print 'a' "b" }} {{ print true true }} {{ print "a" (list) "b" }}
{{ printf "%d %s" (until 3) (splitList "," "a,b") }} {{ printf "%v" (list "a b" "c") }} {{ printf "%#v" (list "a" 1 1.0 nil true) }} {{ printf "%#v" (splitList "," "a,b") }} {{ printf "%#v" (until 2) }} {{ printf "%#v" "a\n" }} {{ printf "%#v" 1.0 }} {{ printf "%#v" 1e21 }} {{ printf "%#v" (int64 5) }} {{ printf "%#v" nil }} {{ printf "%#v" true }}
{{ printf "%v" (semver "1.2.3-a+b") }} {{ printf "%s" (semver "1.2.3") }} {{ printf "%d" (semver "1.2.3").Major }} {{ printf "%v" (toDate "2006-01-02" "2001-02-03") }} {{ printf "%s" (toDate "2006-01-02" "2001-02-03") }}
{{ printf "%1000d" 1 | len }} {{ printf "%-1000s" "a" | len }} {{ printf "%.1000f" 1.0 | len }}
{{ printf "%1000001d" 1 }} {{ printf "%.1000001d" 1 }}
{{ printf "%!s(int=1)" }} {{ printf "%-" 1 }} {{ printf "%+" }} {{ printf "%#" 1 }} {{ printf "%05" 1 }} {{ printf "%.d" 5 }} {{ printf "%.-2d" 5 }} {{ printf "%é" 1 }} {{ printf "%\xff" 1 }}
`))
}
