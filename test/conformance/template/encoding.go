package main

func encodingCases() []testCase {
	scalars := words(`""; "a"; "a b"; "true"; "yes"; "y"; "no"; "on"; "null"; "~"; "Null"; "1"; "1.0"; "01"; "0x1"; "0o7"; "1e3"; "1_000"; ".5"; "-"; "- a"; "a: b"; "a:b"; ":"; "a:"; "#a"; "a #b"; "a#b"; "*a"; "&a"; "!a"; "%a"; "@a"; "|"; ">"; "?"; "? a"; "'a'"; "\"a\""; "[a]"; "{a}"; "a,b"; "a]"; " a"; "a "; "\ta"; "a\nb"; "a\n"; "\na"; "a\n\nb\n"; " a\nb"; "a\rb"; "a\tb"; "a\tb\nc"; "=" ; "<<"; "2001-01-01"; "12:30"; "12:30:45"; "0b1"; ".inf"; ".NaN"; "---"; "..."; "--- a"; "ä"; "😀"; "\u0085"; "\u2028"; "\ufeff"; "\x00"; "\x7f"; "\x1b[0m"; "\xff"; "\\"; "a\\n"; "{{ x }}"; "https://a.b/c?d=e#f"; "a%20b"; "<b>&'"; "very long text that goes on and on and on until it is longer than eighty characters in one line"; "=a"; "-1"; "+1"; "1,000"; "Infinity"; "0.1.2"; "1."; "a: b: c"; "\u00a0"; "off"; "N"; "TRUE"; "0"; "-0"; "1e"; "+.inf"; "190:20:30"; "0777"; "0o777"; "1__0"; "_1"; "!!str a"; "a\u2029b"; "\\x41"; "\u200b"; "  "; "\n"; "\n\n"; "a  \nb"; "- a\n- b"; "key: |\n  x"; "\u0007"; "\ud7ff"; "\ue000"; "tab\there: x"; "a\n b\n  c"`)
	return all(
		cross("{{ dict \"k\" %s | toYaml }}\n{{ list %[1]s | toJson }} {{ list %[1]s | toRawJson }}\n{{ dict \"k\" %[1]s | toToml }}\n{{ dict %[1]s 1 | toYaml }}", scalars),
		cross("{{ eq (dict \"k\" %s | toYaml | fromYaml).k %[1]s }} {{ list %[1]s | toYamlPretty }}\n{{ fromYaml (printf \"a: %%s\" %[1]s) | toJson }} {{ fromYamlArray %[1]s | toJson }} {{ fromJson %[1]s | toJson }}", scalars),
		cross("{{ toYaml %s }}\n{{ toYamlPretty %[1]s }}\n{{ toJson %[1]s }} {{ toRawJson %[1]s }}\n{{ toPrettyJson %[1]s }}\n{{ toToml %[1]s }}\n{{ mustToJson %[1]s }}", words(`nil; true; 1; 1.5; 1e21; 1e20; 1e-7; .Values.big; .Values.million; .Values.pi; .Values.zero; (int64 5); "text"; ""; (list); (dict); (list 1 "a" nil true 1.5); (list (list 1) (list)); (dict "b" 1 "a" (list 1)); .Values.map; .Values.any; .Values.ports; .Values.labels; .Values.odd; .Values.deep; .Values.nested; .Values.absent; .Values.emptyMap; .Chart; .Release; .Capabilities.KubeVersion; .Template; .Files; (semver "1.2.3"); (toDate "2006-01-02" "2021-03-09"); (b64dec "//8="); 'a'; (split "," "a,b"); (until 3); (dict "a" nil "b" (dict) "c" (list)); (list (dict "a" 1 "b" 2) (dict "c" (list 1 2))); .Values.lines; .Values.quoted; .Values.mixed; (list nil); (dict "a" (list (dict "b" (list (dict "c" 1))))); (urlParse "http://a"); 1i; (dict "" ""); (dict "a.b" 1 "c d" 2 "1" 3 "true" 4 "~" 5 "ä" 6 "-" 7 "a:b" 8 "#" 9); (list "x\ny" "z"); (dict "a" "x\ny\n" "b" "x\n\n" "c" "\nx"); (list (list (list "deep"))); (dict "float" 1.0 "int" 1 "neg" -1.5 "big" 123456789012 "exp" 1e100)`)),
		cross("{{ fromToml %s | toJson }}\n{{ fromToml %[1]s | toYaml }}", words(`""; "# c"; "a = 1"; "a = \"x\"\n[b]\nc = [1, 2.5]\n"; "a = 2001-01-01T00:00:00Z"; "[[a]]\nb = 1\n[[a]]\nb = 2"; "a.b.c = true"; "a = {b = 1}"; "a = '''x\ny'''"; "a = inf"; "a = -nan"; "a = 0x1F"; "a = 0o17"; "a = 0b101"; "a = 1_000"; "a = 1e3"; "a = -1.5e-7"; "a = \"\\u00e4\\U0001F600\\t\""; "a = 'c:\\x'"; "\"a b\".'c d' = 1"; "a = []"; "a = {}"; "[a.b]\nc = 1\n[a.d]\ne = 2"; "a = [[1, 2], [\"x\"]]"; "a = [{b = 1}, {c = 2}]"; "a = \"\"\"\nx\\\n   y\"\"\""; "a = 9223372036854775807"; "1 = 2"; "a = 1 # c\r\nb = 2"; "[[a.b]]\nc = 1\n[[a.b.d]]\ne = 2"; "a = 07:32:00"; "a = 1979-05-27"; "a = 1979-05-27T07:32:00.5"; "a = 1979-05-27T07:32:00.123456-07:00"; "__proto__ = 1"; "__proto__.x = 1"; "constructor.y = 1"`)),
		// What is wrong with a document; the words are those of the parser.
		cross("{{ fromToml %s | toJson }}\n{{ hasKey (fromToml %[1]s) \"Error\" }}", words(`"a"; "a: 1"; "a = "; "a = 1\na = 2"; "[a]\n[a]"; "a = 01"; "[a"; "\xff"`)),
		cross("{{ fromYaml %s | toJson }}\n{{ fromYamlArray %[1]s | toJson }}\n{{ fromJson %[1]s | toJson }}\n{{ fromJsonArray %[1]s | toJson }}\n{{ mustFromJson %[1]s | toJson }}",
			words(`""; "a: 1"; "- 1\n- a"; "{}"; "[]"; "{\"a\":1}"; "[1,2.5,\"x\",null,true]"; "null"; "1"; "\"x\""; "a: [1, 2"; "a: b: c"; "{\"a\":1,}"; "{a: 1}"; "a: 1\na: 2"; "true: 1"; "1: a"; "a: &x 1\nb: *x"; "a: *x"; "a: !!binary aGk="; "a: 2001-01-01"; "a: 0x1F"; "a: 017"; "a: 1_000"; "a: 1e3"; "a: 12:30"; "a: yes"; "a: ~"; "a: |\n  x\n  y\n"; "a: >-\n  x\n  y\n"; "# c"; "---\na: 1\n---\nb: 2"; "\ta: 1"; "a:\n- b\n- c: d"; "{\"a\":1e400}"; "{\"a\":9007199254740993}"; "{\"a\":\"\\u00e4\\ud83d\\ude00\\ud800\"}"; "{\"a\":{\"b\":[{}]}}"; " {\"a\":1} x"; "[1"; "{\"a\""; "{\"a\":tru}"; "nul"; "{'a':1}"; "a = 1"; "a = \"x\"\n[b]\nc = [1, 2.5]\n"; "a = 2001-01-01T00:00:00Z"; "[[a]]\nb = 1\n[[a]]\nb = 2"; "a = "; "a = 1\na = 2"; "a.b.c = true"; "a = {b = 1}"; "a = '''x\ny'''"; "a = inf"; "a = 0x1F"; "[a]\n[a]"; "a = 1_000"; "a = 01"; "<<: {a: 1}"; "x: &x {a: 1}\ny:\n  <<: *x\n  b: 2"; "a: \"\\u00e4\""; "? a\n: b"; "[a]: b"; "\ufeffa: 1"; "a: 'it''s'"; "{\"a\":1}{\"b\":2}"; "-1.5"; "a: .inf"; "a: 18446744073709551616"; "a: 9223372036854775807"; "\x00"; "\xff"; "a: \xff"; "{\"\xff\":1}"; "{\"a\":\"\n\"}"; "{\"a\":01}"; "{\"a\":.5}"; "{\"a\":-}"; "{\"__proto__\":1}"; "a: b\n c: d"; "%x"; "@"; "a: @"; "a: 1\n b: 2"`)),
		lines(`
{{ fromYaml "a: 1" }} {{ (fromYaml "a: 1").a | kindOf }} {{ (fromJson "{\"a\":1}").a | kindOf }} {{ (fromToml "a = 1").a | kindOf }} {{ (fromYaml "a: 1000000").a }} {{ (fromJson "{\"a\":1000000}").a }} {{ (fromYaml "a: 1.0").a }}
{{ (fromYaml "a: [").Error }} {{ hasKey (fromYaml "a: [") "Error" }} {{ fromYaml "- a" }} {{ fromYamlArray "a: 1" }} {{ fromJson "[1]" }} {{ fromJsonArray "{}" }} {{ fromJson "" }} {{ fromJsonArray "" }}
{{ .Values.yaml | fromYaml | toJson }} {{ .Values.json | fromJson | toYaml }} {{ (.Values.json | fromJson).b | toJson }} {{ .Values | toYaml | fromYaml | toJson | eq (.Values | toJson) }}
{{ toYaml .Values }}
{{ toJson .Values }}
{{ toPrettyJson .Values.map }}
{{ toPrettyJson .Values.any }}
{{ toToml .Values.map }}
{{ toToml .Values.labels }}{{ toToml .Values.deep }}{{ toToml .Values.image }}{{ toToml .Values.odd }}
{{ toToml .Values }}
{{ toYaml .Chart }}
{{ toJson .Chart }}
{{ toToml .Chart }}
{{ toYaml .Capabilities.KubeVersion }}{{ toJson .Capabilities.KubeVersion }}
{{ toYaml .Release }}{{ toJson .Template }}
{{ toYaml "a" "b" }}
{{ toYaml }}
{{ fromYaml 1 }}
{{ fromYaml nil }}
{{ fromYaml .Values.absent }}
{{ fromJson .Values.map }}
{{ toJson . | len | lt 100 }}
{{ mustToJson (list 1) }} {{ mustToPrettyJson (dict "a" 1) }} {{ mustToRawJson "<a>" }} {{ mustFromJson "{\"a\":1}" }} {{ mustFromJson "[1]" }} {{ mustFromJson "1" }}
{{ mustFromJson "{" }}
{{ mustToYaml 1 }}
{{ mustToToml 1 }}
{{ toJson "<a>&'\u2028" }} {{ toRawJson "<a>&'\u2028" }} {{ toPrettyJson "<a>" }} {{ toJson "\x00\x1f\x7f\\\"/" }} {{ toJson (dict "<" ">") }} {{ toRawJson (dict "<" ">") }} {{ toJson "\xff\xfe" }} {{ toJson (dict "\xff" 1) }}
{{ toJson 1.0 }} {{ toJson 0.1 }} {{ toJson 1e21 }} {{ toJson 1e20 }} {{ toJson 1e-6 }} {{ toJson 1e-7 }} {{ toJson 123456789.123 }} {{ toJson -0.0 }} {{ toJson (int64 9007199254740993) }} {{ toJson 9223372036854775807 }} {{ toJson (divf 1 3) }} {{ toJson (float64 "inf") }} {{ toJson (float64 "nan") }}
{{ toYaml 1.0 }} {{ toYaml 0.1 }} {{ toYaml 1e21 }} {{ toYaml 1e20 }} {{ toYaml 1e-7 }} {{ toYaml .Values.million }} {{ toYaml .Values.big }} {{ toYaml (int64 9007199254740993) }} {{ toYaml (float64 "inf") }} {{ toYaml 123456789 }} {{ toYaml 1234567.5 }} {{ toYaml (divf 1 3) }} {{ toYaml .Values.huge }}
{{ toToml (dict "a" 1.0 "b" 1e21 "c" 1 "d" "x" "e" true "f" (list 1 2) "g" (list "a") "h" (dict "i" 1) "j" (list (dict "k" 1) (dict "k" 2))) }}
{{ toToml (dict "a" nil) }} {{ toToml (list 1) }} {{ toToml "a" }} {{ toToml nil }} {{ toToml (dict "a" (list nil)) }} {{ toToml (dict "a" (list 1 "x")) }} {{ toToml (dict) }} {{ toToml (dict "a" (dict)) }} {{ toToml (dict "a" (list)) }} {{ toToml (dict "a" (list (dict))) }} {{ toToml (dict "a" (list (list 1 2) (list "x"))) }} {{ toToml (dict "a" (list (dict "b" 1) 2)) }} {{ toToml (dict "" 1) }} {{ toToml (dict "a b" 1 "c\"d" 2 "e.f" 3 "ä" 4 "-_1" 5) }} {{ toToml (dict "a" (float64 "inf") "b" (float64 "nan")) }} {{ toToml (dict "a" (toDate "2006-01-02" "2021-03-09")) }} {{ toToml (dict "a" 'x' "b" (int64 5)) }}
{{ toToml (dict "t" (dict "u" (dict "v" 1)) "s" 1) }} {{ toToml (dict "a" (dict "b" 1 "c" (dict "d" 2)) "e" (dict "f" (list (dict "g" 1)))) }}
{{ toToml (dict "s" "a\nb" "t" "a\tb" "q" "a\"b" "b" "a\\b" "c" "\x00\x1f\x7f" "u" "ä😀") }}
{{ fromToml "[server]\nhost = \"a\"\nports = [80, 443]\n[server.tls]\nenabled = true\n" | toYaml }}
{{ fromToml "d = 1979-05-27\nt = 07:32:00\ndt = 1979-05-27T07:32:00\nodt = 1979-05-27T00:32:00-07:00" | toJson }} {{ fromToml "d = 1979-05-27\nt = 07:32:00\ndt = 1979-05-27T07:32:00\nodt = 1979-05-27T00:32:00-07:00" | toYaml }} {{ fromToml "d = 1979-05-27T07:32:00Z" }}
{{ .Values.labels | toYaml | nindent 4 }}
{{ .Values.ports | toYaml | nindent 2 }}{{ .Values.ports | toYamlPretty | nindent 2 }}
{{ toYaml (dict "spec" (dict "containers" (list (dict "name" "a" "args" (list "--x=1" "-v") "env" (list (dict "name" "A" "value" "1")) "resources" (dict))))) }}
{{ with .Values.map }}{{- toYaml . | nindent 2 }}{{ end }}
{{ tpl (toYaml (dict "a" "{{ .Values.word }}")) . }} {{ toYaml (dict "a" .Values.template) }}
{{ toYaml (list "a" (list "b" (dict "c" (list)))) }} {{ toYamlPretty (list "a" (list "b" (dict "c" (list)))) }} {{ toYamlPretty (dict "a" (list 1 (dict "b" 2)) "c" "yes" "d" "1" "e" "a\nb" "f" nil "g" 1.0) }}
{{ repeat 200 "long " | toYaml }}
{{ dict "k" (repeat 40 "word ") | toYaml }} {{ dict "k" (repeat 40 "word\n") | toYaml | len }} {{ list (repeat 130 "x") | toYaml }} {{ dict (repeat 130 "k") 1 | toYaml }} {{ dict (repeat 1030 "k") 1 | toYaml | len }} {{ dict "k" (repeat 30 "it's: ") | toYaml }} {{ dict "k" (repeat 40 "ä\" ") | toYaml }}
`))
}
