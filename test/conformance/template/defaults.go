package main

func defaultCases() []testCase {
	values := words(`nil; ""; 0; 0.0; false; (list); (dict); "a"; 1; true; (list nil); (dict "a" nil); .Values.absent; .Values.nothing; .Values.emptyMap; .Values.text; .Values.zero; .Chart; (int64 0); 'a'; 1i; 0i; (toDate "2006" "2001"); (semver "0.0.0"); .Values; .Subcharts; .Files`)
	types := words(`"string"; "int"; "float64"; "map[string]interface {}"; "*semver.Version"; "bool"`)
	return all(
		cross("{{ default \"d\" %s | kindOf }} {{ empty %[1]s }} {{ coalesce %[1]s \"c\" | kindOf }} {{ ternary \"t\" \"f\" (empty %[1]s) }} {{ all %[1]s 1 }} {{ any %[1]s 0 }}\n{{ typeOf %[1]s }} {{ kindOf %[1]s }}\n{{ required \"r\" %[1]s | kindOf }}\n{{ %[1]s | default \"x\" | typeOf }}\n{{ toString %[1]s }}\n{{ not %[1]s }}", values),
		cross("{{ typeIs %s %s }} {{ typeIsLike %[1]s %[2]s }} {{ kindIs %[1]s %[2]s }}", types, values[:14]),
		lines(`
{{ default }}
{{ default "a" }}
{{ default "a" nil "b" }} {{ default "a" "b" "c" }} {{ default nil nil }} {{ default nil "a" }} {{ default 5 0 }} {{ default 5 0.0 }}
{{ .Values.absent | default .Values.word }} {{ .Values.empty | default (list 1) }} {{ .Values.zero | default 5 }} {{ .Values.no | default true }} {{ .Values.emptyMap | default (dict "a" 1) | toJson }}
{{ .Values.absent.deeper | default "x" }}
{{ (.Values.absent).deeper | default "x" }}
{{ ((.Values.absent).deeper).deepest | default "x" }}
{{ (.Values.text).x }}
{{ coalesce }} {{ coalesce nil }} {{ coalesce nil "" 0 "x" "y" }} {{ coalesce .Values.absent .Values.empty .Values.word }} {{ coalesce (list) (list 1) }}
{{ empty }}
{{ empty 1 2 }}
{{ required "msg" }}
{{ required 1 2 }}
{{ required "the msg" nil }}
{{ required "the \"msg\": x" .Values.absent }}
{{ required (printf "%s is needed" "x") "" }}
{{ required "m" (list) }} {{ required "m" (dict) }} {{ required "m" 0 }} {{ required "m" false }}
{{ if required "m" .Values.absent }}{{ end }}
{{ with required "m" .Values.word }}{{ . }}{{ end }}
{{ kindIs "invalid" nil }} {{ kindIs "slice" (list) }} {{ kindIs "map" .Values }} {{ kindIs "string" .Values.word }} {{ kindIs "float64" .Values.one }} {{ kindIs "bool" .Values.yes }} {{ kindIs "struct" .Chart }} {{ kindIs "ptr" .Capabilities }} {{ kindIs "invalid" .Values.absent }}
{{ kindOf }}
{{ typeOf nil }} {{ typeOf .Values.absent }} {{ kindOf nil }} {{ typeIs "<nil>" nil }}
{{ typeIsLike "*chartutil.Capabilities" .Capabilities }} {{ typeIsLike "chartutil.Capabilities" .Capabilities }} {{ typeOf (toDate "2006" "2001") }} {{ typeOf (semver "1.0.0") }} {{ typeOf (splitList "," "a") }} {{ typeOf (split "," "a") }} {{ typeOf (until 1) }} {{ typeOf (regexFindAll "a" "a" 1) }} {{ typeOf 'a' }} {{ typeOf 1i }} {{ typeOf (int64 1) }} {{ typeOf (toDecimal "1") }} {{ typeOf (len "a") }} {{ typeOf (add 1 1) }} {{ typeOf (b64dec "YQ==") }} {{ typeOf (fromYaml "a: 1") }} {{ typeOf (fromYaml "a: 1").a }} {{ typeOf (fromJson "{\"a\":1}").a }} {{ typeOf (fromToml "a = 1").a }} {{ typeOf (fromToml "a = [1]").a }} {{ typeOf (fromToml "[a]").a }} {{ typeOf (fromToml "a = 1.5").a }} {{ typeOf (fromToml "a = 2001-01-01").a }} {{ typeOf (fromToml "[[a]]").a }} {{ typeOf (dict) }} {{ typeOf (list) }} {{ typeOf (tuple) }} {{ typeOf (chunk 1 (list 1)) }} {{ typeOf (urlParse "a") }} {{ typeOf (lookup "v1" "Pod" "" "") }} {{ typeOf (index (list 1) 0) }} {{ typeOf (index "a" 0) }}
{{ lookup "v1" "Secret" "ns" "name" }} {{ (lookup "v1" "Secret" "ns" "name").data }} {{ lookup "v1" "Secret" "ns" "" | len }} {{ if lookup "v1" "Secret" "ns" "name" }}a{{ else }}b{{ end }} {{ (lookup "v1" "Pod" "" "").items }} {{ range (lookup "v1" "Pod" "" "").items }}x{{ end }}
{{ lookup "v1" "Secret" "ns" }}
{{ lookup "v1" "Secret" 1 "" }}
{{ ((lookup "v1" "Secret" "ns" "n").data).key | default "none" }}
{{ (lookup "v1" "Secret" "ns" "n").data.key }}
{{ get (lookup "v1" "Secret" "ns" "n").data "key" }}
{{ index (lookup "v1" "Secret" "ns" "n") "data" "key" }}
{{ index (lookup "v1" "Secret" "ns" "n").data "key" }}
`))
}

func fileCases() []testCase {
	names := words(`"config/a.conf"; "config/b.conf"; "lines.txt"; "empty.txt"; "blank.txt"; "data.bin"; "umlaut-ä.txt"; "multi.yaml"; "absent"; ""; "."; "../x"; "/etc/passwd"; "config"; "config/"; "./config/a.conf"; "config/../config/a.conf"; "templates/NOTES.txt"; "Chart.yaml"; "values.yaml"; "README.md"`)
	globs := words(`"*"; "**"; "config/*"; "config/**"; "**.conf"; "**/*.conf"; "*.txt"; "config/{a,b}.conf"; "config/[ab].conf"; "config/[!a].conf"; "config/?.conf"; "{config/*,*.md}"; "nope/*"; ""; "config"; "["; "{a"; "\\*"; "*.*"; "config/sub/*"; "**/a.conf"; "[a-z]*.md"; "*ä*"; "config/*/c.conf"`)
	return all(
		cross("{{ .Files.Get %s }}|{{ .Files.GetBytes %[1]s }}\n{{ .Files.Lines %[1]s | toJson }} {{ len (.Files.Get %[1]s) }} {{ .Files.Get %[1]s | b64enc }}\n{{ index .Files %[1]s }}", names),
		cross("{{ range $path, $_ := .Files.Glob %s }}{{ $path }} {{ end }}\n{{ (.Files.Glob %[1]s).AsConfig }}\n{{ (.Files.Glob %[1]s).AsSecrets }}\n{{ len (.Files.Glob %[1]s) }}", globs),
		lines(`
{{ range $path, $data := .Files.Glob "config/*" }}{{ $path }}={{ $data }};{{ end }}
{{ range $path, $data := .Files.Glob "config/*" }}{{ toString $data }};{{ printf "%s" $data }};{{ kindOf $data }};{{ typeOf $data }}{{ end }}
{{ range .Files.Lines "lines.txt" }}[{{ . }}]{{ end }}
{{ .Files.Get }}
{{ .Files.Get 1 }}
{{ .Files.Get nil }}
{{ .Files.Get "a" "b" }}
{{ .Files.Get .Values.absent }}
{{ .Files.Absent }}
{{ .Files.absent }}
{{ .Files.get "a" }}
{{ .Files.Glob }}
{{ .Files.Glob 1 }}
{{ .Files.AsConfig | len }} {{ .Files.AsSecrets | len }}
{{ (.Files.Glob "config/*").AsConfig | indent 2 }}
{{ (.Files.Glob "config/*").AsSecrets | nindent 4 }}
{{ (.Files.Glob "nope").AsConfig }}|{{ (.Files.Glob "nope").AsSecrets }}|
{{ (.Files.Glob "config/*").Get "config/a.conf" }} {{ (.Files.Glob "*.md").Get "config/a.conf" }}
{{ tpl (.Files.Get "config/a.conf") . }} {{ .Files.Get "multi.yaml" | fromYaml | toJson }} {{ (.Files.Get "multi.yaml" | fromYaml).b }}
{{ .Files.Get "config/a.conf" | sha256sum }} {{ .Files.Get "data.bin" | b64enc }} {{ .Files.Get "data.bin" | quote }} {{ .Files.GetBytes "data.bin" | toString | b64enc }} {{ .Files.GetBytes "config/a.conf" | b64enc }}
{{ .Files.GetBytes "config/a.conf" | toString }} {{ .Files.GetBytes "absent" | len }} {{ printf "%s" (.Files.GetBytes "config/a.conf") }} {{ printf "%x" (.Files.GetBytes "data.bin") }} {{ typeOf (.Files.GetBytes "absent") }} {{ .Files.GetBytes "config/a.conf" | toJson }} {{ .Files.GetBytes "config/a.conf" | toYaml }}
{{ if .Files.Get "absent" }}a{{ else }}b{{ end }} {{ .Files.Get "absent" | default "d" }} {{ .Files.Get "empty.txt" | empty }}
{{ $files := .Files }}{{ range tuple "config/a.conf" "config/b.conf" }}{{ $files.Get . }}{{ end }}
{{ range $name, $_ := .Files.Glob "**.conf" }}{{ base $name }}: {{ $.Files.Get $name | trim | quote }} {{ end }}
{{ len .Files }} {{ kindOf .Files }} {{ keys .Files | len }}
{{ hasKey .Files "README.md" }}
{{ .Files.Lines "absent" | len }} {{ .Files.Lines "empty.txt" | len }} {{ .Files.Lines "blank.txt" | len }} {{ .Files.Lines "config/b.conf" }}
{{ toYaml (.Files.Glob "config/a.conf") }} {{ toJson (.Files.Glob "config/a.conf") }}
`))
}
