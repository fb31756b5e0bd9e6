package main

func mathCases() []testCase {
	operands := words(`0; 1; -7; 3; 2.5; -2.5; "4"; "abc"; "2.7"; true; nil; .Values.three; .Values.half; (int64 5); (list 1); "0x10"; "010"; "1e3"; ""; 9223372036854775807; 1e19; .Values.absent; 'a'`)
	return all(
		cross(`
{{ add %s 2 }} {{ sub %[1]s 2 }} {{ mul %[1]s 3 }} {{ add1 %[1]s }}
{{ div %s 2 }} {{ mod %[1]s 3 }}
{{ addf %s 1.5 }} {{ subf %[1]s 0.1 }} {{ mulf %[1]s 1.1 }} {{ add1f %[1]s }}
{{ divf %s 3 }}
{{ ceil %s }} {{ floor %[1]s }} {{ round %[1]s 1 }}
{{ max %s 2 }} {{ min %[1]s 2 }} {{ maxf %[1]s 2 }} {{ minf %[1]s 2 }} {{ biggest 1 %[1]s }}
{{ int %s }} {{ int64 %[1]s }} {{ float64 %[1]s }} {{ toDecimal %[1]s }}
{{ div 100 %s }}
{{ mod 100 %s }}
{{ divf 100 %s }}
{{ round %s 0 }} {{ round %[1]s 3 }} {{ round %[1]s 2 0.7 }}`, operands),
		lines(`
{{ add }} {{ add 1 }} {{ add 1 2 3 4 }} {{ add 1.9 1.9 }} {{ add "1" "2" }} {{ add nil 1 }} {{ add 9223372036854775807 1 }} {{ add .Values.one .Values.half }}
{{ sub 1 }}
{{ sub 5 3 }} {{ sub 3 5 }} {{ sub 1.9 1.1 }}
{{ mul 2 }} {{ mul 2 3 4 }} {{ mul 4611686018427387904 2 }} {{ mul 1.9 2 }}
{{ mul }}
{{ div 7 2 }} {{ div -7 2 }} {{ div 1.9 1 }} {{ div 9223372036854775807 -1 }}
{{ div 1 0 }}
{{ div 1 "0" }}
{{ mod 1 0 }}
{{ mod 7 3 }} {{ mod -7 3 }} {{ mod 7 -3 }}
{{ div 1 }}
{{ addf }} {{ addf 0.1 0.2 }} {{ subf 0.3 0.1 }} {{ mulf 0.1 3 }} {{ divf 1 3 }} {{ divf 10 2 4 }} {{ subf 10 2 4 }} {{ mulf 1 2 3 }} {{ addf 1e308 1e308 }} {{ addf 1 }} {{ mulf 2 }} {{ mulf }}
{{ divf 1 0 }}
{{ divf 0 0 }}
{{ subf }}
{{ round 123.5555 3 }} {{ round 123.55555 4 }} {{ round 2.5 0 }} {{ round -2.5 0 }} {{ round 0.5 0 }} {{ round 1.005 2 }} {{ round 1e20 2 }} {{ round 5 -1 }} {{ round 55 -1 }} {{ round "1.25" 1 }} {{ round 2.25 1 0.5 }} {{ round 2.25 1 0.6 }} {{ round -1.55 1 }}
{{ round 1 }}
{{ round 1 "1" }}
{{ ceil 1.1 }} {{ ceil -1.1 }} {{ ceil 1e300 }} {{ floor 1.9 }} {{ floor -1.9 }} {{ ceil "1.5" }} {{ floor nil }} {{ ceil 5 }} {{ kindOf (ceil 5) }}
{{ int 1.9 }} {{ int -1.9 }} {{ int "12" }} {{ int "1.9" }} {{ int true }} {{ int nil }} {{ int 1e19 }} {{ int "0x1F" }} {{ int "017" }} {{ int "0b11" }} {{ int "1_000" }} {{ int " 5" }} {{ int "5 " }} {{ int .Values.huge }} {{ int .Values.big }} {{ int "08" }} {{ int "-5" }} {{ int "+5" }} {{ int "00" }} {{ int "9223372036854775808" }} {{ int "1e3" }}
{{ int64 "08" }} {{ int64 "0" }} {{ int64 "" }} {{ int64 "0o17" }} {{ int64 -1.5 }} {{ int64 "007" }} {{ int64 "-0" }} {{ int64 (list) }} {{ int64 .Values.map }} {{ int64 9223372036854775807 }}
{{ float64 "1.5" }} {{ float64 "1e3" }} {{ float64 "inf" }} {{ float64 "nan" }} {{ float64 "0x1p4" }} {{ float64 "abc" }} {{ float64 true }} {{ float64 nil }} {{ float64 1 }} {{ float64 "1_0" }} {{ float64 9007199254740993 }} {{ float64 "-0" }}
{{ toDecimal "777" }} {{ toDecimal "0644" }} {{ toDecimal 777 }} {{ toDecimal "8" }} {{ toDecimal nil }} {{ toDecimal "" }} {{ toDecimal "-10" }} {{ toDecimal 420.0 }} {{ toDecimal "0o17" }}
{{ max 5 3 }} {{ max 5.9 5 }} {{ max -1 -2 }} {{ min 5 3 }} {{ max "a" -1 }} {{ maxf 1.5 }} {{ minf "1.5" 2 }} {{ max 1 2 .Values.three }}
{{ min }}
{{ maxf }}
{{ seq 3 | splitList " " }} {{ until 3 | join "," }} {{ untilStep 1 10 3 | join "," }}
{{ add 1 (mul 2 (sub 5 3)) | div 100 }} {{ .Values.three | int | mul 2 | add 1 }} {{ 10 | sub 3 }} {{ 10 | div 3 }} {{ 10 | mod 3 }} {{ 3 | divf 10 }}
{{ mul .Values.big 1000 }} {{ mul .Values.million .Values.million }} {{ .Values.million | int64 | toString }} {{ .Values.big | int }} {{ add .Values.big 1 }} {{ .Values.pi | mulf 100 | floor | int }} {{ .Values.tiny | mulf 10 }} {{ .Values.huge | int64 }} {{ .Values.huge | float64 }} {{ divf .Values.one .Values.three }} {{ addf .Values.half .Values.tiny }}
{{ kindOf (add 1 1) }} {{ kindOf (addf 1 1) }} {{ kindOf (int 1) }} {{ kindOf (max 1 2) }} {{ kindOf (div 1 1) }} {{ kindOf (round 1 0) }} {{ kindOf (toDecimal "1") }} {{ kindOf (len "a") }} {{ kindOf (atoi "1") }}
`))
}

func dateCases() []testCase {
	layouts := words(`"2006-01-02T15:04:05Z07:00"; "Jan _2 06 3:04PM"; "Monday, 02-Jan-06 15:04:05 MST"; "2006"; "02/01/2006"; "15:04:05.000000"; "3PM"; "__2 002"; ".999"; "January"; "-07:00 -0700 -07 Z0700 Z07"; "pm PM"; "1 01 2 02 3 03 4 04 5 05 6 06"; "x"; ""`)
	times := words(`(toDate "2006-01-02" "2021-03-09"); (toDate "2006-01-02 15:04:05" "1999-12-31 23:59:59"); 0; 1700000000; (int64 86399); (toDate "2006-01-02T15:04:05.999Z07:00" "2020-02-29T12:34:56.789+02:00")`)
	return all(
		cross("{{ date %s %s }}", layouts, times),
		cross("{{ dateInZone \"2006-01-02 15:04:05 MST -0700\" %s %s }}", times, words(`"UTC"; "Europe/Berlin"; "America/New_York"; "Asia/Kolkata"; "Nope/Zone"; ""; "Local"; "EST"`)),
		cross("{{ duration %s }} {{ durationRound %[1]s }}", words(`0; 1; 59; 60; 3600; 86400; 90061; "95"; "abc"; -5; 1.5; nil; "2h10m5s"; "72h"; "3h30m"; 31536000; 2592000; "1.5h"; "-3h"; "400h2m"; (int64 7200); true; "8760h"; "900ms"; ""`)),
		cross("{{ toDate %s %s }} {{ toDate %[1]s %[2]s | unixEpoch }}\n{{ mustToDate %s %s }}", words(`"2006-01-02"; "15:04"; "2006-01-02T15:04:05Z07:00"; "Jan 2, 2006"; "x"`), words(`"2017-12-31"; "25:00"; "23:59"; "2020-02-30"; "2020-02-29T00:00:00+05:30"; "Feb 3, 2013"; ""; "x"; "2017-12-31x"`)),
		cross("{{ toDate \"2006-01-02 15:04\" \"2024-02-28 10:00\" | dateModify %s | date \"2006-01-02 15:04:05\" }}\n{{ toDate \"2006-01-02 15:04\" \"2024-02-28 10:00\" | mustDateModify %[1]s | date \"2006-01-02 15:04:05\" }}", words(`"24h"; "-1.5h"; "48h30m"; "1d"; ""; "x"; "-1ns"; "100000h"; "+3m"; "1h 2m"; ".5s"; "1µs"`)),
		lines(`
{{ htmlDate (toDate "2006-01-02" "2021-03-09") }} {{ htmlDate 0 }} {{ htmlDateInZone 0 "America/New_York" }} {{ htmlDateInZone (toDate "2006-01-02" "2021-03-09") "UTC" }}
{{ unixEpoch (toDate "2006-01-02" "1970-01-02") }} {{ unixEpoch (toDate "2006-01-02" "1960-01-01") }} {{ unixEpoch now | atoi | lt 1600000000 }}
{{ unixEpoch 5 }}
{{ unixEpoch nil }}
{{ now | kindOf }} {{ typeOf now }} {{ now | date "2006" | len }} {{ date "2006-01-02" now | regexMatch "^\\d{4}-\\d\\d-\\d\\d$" }} {{ ago now | hasSuffix "s" }} {{ now.Year | lt 2000 }} {{ now | unixEpoch | len }} {{ date "2006" "text" | len }} {{ date "2006" nil | len }} {{ htmlDate "x" | len }}
{{ (toDate "2006-01-02" "2021-03-09").Year }} {{ (toDate "2006-01-02" "2021-03-09").Month }} {{ (toDate "2006-01-02" "2021-03-09").Day }} {{ (toDate "2006-01-02" "2021-03-09").Weekday }} {{ (toDate "2006-01-02" "2021-03-09").YearDay }} {{ (toDate "2006-01-02" "2021-03-09").Unix }} {{ (toDate "2006-01-02" "2021-03-09").Format "Jan 2" }} {{ (toDate "2006-01-02" "2021-03-09").Hour }} {{ (toDate "2006-01-02" "2021-03-09").UTC }} {{ (toDate "2006-01-02" "2021-03-09").IsZero }} {{ (toDate "2006-01-02" "2021-03-09").String }}
{{ (toDate "2006-01-02" "2021-03-09").Absent }}
{{ (toDate "2006-01-02" "2021-03-09").AddDate 0 1 0 }} {{ ((toDate "2006-01-02" "2021-03-09").AddDate 1 -1 3).Format "2006-01-02" }} {{ (toDate "2006-01-02" "2021-03-09").Before (toDate "2006-01-02" "2022-03-09") }} {{ (toDate "2006-01-02" "2021-03-09").Equal (toDate "2006-01-02" "2021-03-09") }} {{ (toDate "2006-01-02" "2021-03-09").After now }}
{{ (toDate "2006-01-02" "2022-03-09").Sub (toDate "2006-01-02" "2021-03-09") }} {{ ((toDate "2006-01-02" "2022-03-09").Sub (toDate "2006-01-02" "2021-03-09")).Hours }}
{{ toDate "2006-01-02" "2021-03-09" }} {{ toDate "2006-01-02" "nope" }} {{ toDate "2006-01-02" "2021-03-09" | toJson }} {{ toDate "2006-01-02" "2021-03-09" | toYaml }} {{ toDate "2006-01-02" "2021-03-09" | quote }} {{ toDate "2006-01-02" "2021-03-09" | toString }}
{{ toDate 1 2 }}
{{ date 1 2 }}
{{ date "2006" }}
{{ dateInZone "2006" 0 }}
{{ dateInZone "2006" 0 1 }}
{{ date_in_zone "2006-01-02" 0 "UTC" }} {{ date_modify "1h" (toDate "2006" "2001") | date "15:04" }}
{{ must_date_modify "1h" (toDate "2006" "2001") | date "15:04" }}
{{ must_date_modify "zz" (toDate "2006" "2001") }}
{{ dateModify "1h" "text" }}
{{ dateModify "1h" nil }}
{{ mustDateModify "x" now }}
{{ duration }}
{{ durationRound (toDate "2006" "2001") | len | lt 0 }}
{{ ago 5 | len | lt 0 }} {{ ago "x" }} {{ ago nil }}
`))
}

func semverCases() []testCase {
	versions := words(`"1.2.3"; "v1.2.3"; "1.2"; "1"; "1.2.3-rc.1"; "1.2.3+b.5"; "1.2.3-rc.1+b.5"; "0.0.0"; "01.2.3"; "1.2.3.4"; ""; "x"; "1.2.x"; "1.2.3-"; "1.2.3-01"; "1.2.3-a.01"; "1.2.3+"; "v1"; " 1.2.3"; "1.2.3-ä"; "99999999999999999999.0.0"; "1.29.3-gke.100"; "1.35.0"`)
	constraints := words(`"1.2.3"; "=1.2.3"; "!=1.2.3"; ">1.2"; "<2"; ">=1.2.3"; "<=1.2.3"; "^1.2"; "~1.2.3"; "1.x"; "*"; ">=1.0 <2.0"; ">=1.0, <2.0"; "1.0 - 2.0"; "^0.0.1"; ">=1.2.3-0"; "^1.2.3-rc.0"; "<1 || >=1.2"; "~1"; "x"; ""; ">= 1.19-0"; "~> 1.2"; "=> 1.2"; "=< 1.2"; ">a"; "1.2.3 ||"; "||"; "^1.x.3"; "!=1.x"; "<1.2.x"; ">1.2.x"; "^v1.2.3"; "1.2.3,"; ">1 <2 x"; "&1.2"; "^0.2.3"; "^0"; "~0.0"; "1.2.3 - x"; ">=1.30-0 <1.40-0"`)
	return all(
		cross("{{ semverCompare %s %s }}", constraints, versions[:12]),
		cross("{{ semverCompare %s .Capabilities.KubeVersion.Version }} {{ semverCompare %[1]s \"1.29.3-gke.100\" }}", constraints),
		cross("{{ semver %s }} {{ (semver %[1]s).Major }}.{{ (semver %[1]s).Minor }}.{{ (semver %[1]s).Patch }} {{ (semver %[1]s).Prerelease }} {{ (semver %[1]s).Metadata }} {{ (semver %[1]s).Original }}", versions),
		cross("{{ (semver \"1.2.3\").Compare (semver %s) }} {{ (semver \"1.2.3-rc.1\").Compare (semver %[1]s) }} {{ (semver %[1]s).LessThan (semver \"1.2.3\") }} {{ (semver %[1]s).Equal (semver \"1.2.3\") }} {{ (semver %[1]s).GreaterThan (semver \"1.2.3-a\") }}", words(`"1.2.3"; "1.2.4"; "1.2.3-rc.1"; "1.2.3-rc.2"; "1.2.3-rc.10"; "1.2.3-alpha"; "1.2.3-1"; "1.2.3+x"; "0.9"; "2"`)),
		lines(`
{{ (semver "1.2.3-a+b").IncMajor }} {{ (semver "1.2.3-a+b").IncMinor }} {{ (semver "1.2.3-a+b").IncPatch }} {{ (semver "1.2.3").IncPatch }}
{{ (semver "1.2.3").SetPrerelease "beta.1" }}
{{ (semver "1.2.3").String }} {{ printf "%s" (semver "v1.2") }} {{ (semver "v1.2") | toString }} {{ semver "1.2.3" | toJson }} {{ semver "1.2.3" | toYaml }} {{ semver "1.2.3-a" | quote }}
{{ (semver "1.2.3").Absent }}
{{ (semver "1.2.3").Compare "1.2.3" }}
{{ (semver "1.2.3").Compare }}
{{ (semver .Capabilities.KubeVersion.Version).Minor }} {{ semver .Capabilities.KubeVersion.GitVersion }} {{ if semverCompare ">=1.21-0" .Capabilities.KubeVersion.GitVersion }}new{{ end }} {{ semverCompare "^4.0.0" .Chart.AppVersion }}
{{ semver 1 }}
{{ semver nil }}
{{ semverCompare 1 "1" }}
{{ semverCompare ">1" 1 }}
{{ semverCompare ">1" .Values.absent }}
{{ semverCompare ">1" .Values.one }}
{{ semverCompare ">1" (.Values.one | toString) }}
{{ semverCompare ">1" }}
{{ .Values.version | semver }} {{ (.Values.version | semver).Prerelease }}
{{ gt (semver "1.2.3").Minor 1 }}
{{ gt ((semver "1.2.3").Minor | int) 1 }} {{ (semver "1.2.3").Minor | kindOf }} {{ add (semver "1.2.3").Minor 1 }}
{{ $v := semver "1.2.3" }}{{ $v.Minor }}{{ with semver "2.0.0" }}{{ .Major }}{{ end }}
`))
}

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
