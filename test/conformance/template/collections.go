package main

func listCases() []testCase {
	lists := words(`(list); (list 1); (list 1 2 3 4 5); (list "b" "a" "b" nil "" 0 false); .Values.numbers; .Values.names; .Values.any; .Values.emptyList; (until 4); (splitList "," "x,y,x"); nil; .Values.absent; "text"; 5; .Values.map; (tuple "a" 1); .Values.nested; (b64dec "YWJj")`)
	return all(
		cross(`
{{ first %s }}
{{ last %s }}
{{ rest %s }}
{{ initial %s }}
{{ reverse %s }}
{{ uniq %s | toJson }}
{{ compact %s | toJson }}
{{ append %s "z" | toJson }}
{{ prepend %s "z" | toJson }}
{{ push %s nil }}
{{ has "a" %s }}
{{ has 1 %s }}
{{ without %s "b" 1 | toJson }}
{{ slice %s 1 2 }}
{{ slice %s 1 }}
{{ slice %s }}
{{ chunk 2 %s }}
{{ join "," %s }}
{{ sortAlpha %s }}
{{ len %s }}
{{ index %s 0 }}
{{ concat %s (list "z") | toJson }}
{{ list %s | toJson }} {{ kindOf %[1]s }} {{ typeOf %[1]s }}
{{ toYaml %s }}
{{ mustFirst %s }}
{{ mustLast %s }}
{{ mustRest %s }}
{{ mustInitial %s }}
{{ mustReverse %s }}
{{ mustUniq %s }}
{{ mustCompact %s }}
{{ mustAppend %s 1 }}
{{ mustPrepend %s 1 }}
{{ mustHas 1 %s }}
{{ mustWithout %s 1 }}
{{ mustSlice %s 0 1 }}
{{ mustChunk 2 %s }}
{{ max %s }} {{ min %[1]s }}
{{ all %s }} {{ any %[1]s }} {{ empty %[1]s }}`, lists),
		lines(`
{{ list }} {{ list nil }} {{ list "" }} {{ list 1 "a" true nil 1.5 (list) }} {{ tuple }} {{ tuple 1 2 }}
{{ index (list) 0 }}
{{ first (list) }}{{ last (list) }}|{{ rest (list) }}|{{ initial (list) }}
{{ slice (list 1 2 3) 0 }} {{ slice (list 1 2 3) 1 }} {{ slice (list 1 2 3) 1 3 }} {{ slice (list 1 2 3) 3 }} {{ slice (list 1 2 3) 0 0 }} {{ slice (list 1 2 3) "1" }} {{ slice (list 1 2 3) 1.9 }} {{ slice (list) 0 }}
{{ slice (list 1 2 3) 4 }}
{{ slice (list 1 2 3) 2 1 }}
{{ slice (list 1 2 3) -1 }}
{{ slice (list 1 2 3) 0 9 }}
{{ slice (list 1 2 3) 0 1 2 }}
{{ slice "abc" 1 }}
{{ slice nil 1 }}
{{ chunk 0 (list 1) }}
{{ chunk -1 (list 1) }}
{{ chunk 3 (list 1 2 3 4 5 6 7) | toJson }} {{ chunk 9 (list 1) | toJson }} {{ chunk 2 (list) | toJson }} {{ chunk "2" (list) }}
{{ concat }} {{ concat (list) }} {{ concat (list 1) (list 2) (list 3) }} {{ concat .Values.numbers (until 2) (splitList "," "a") | toJson }}
{{ concat nil }}
{{ concat "a" }}
{{ concat (list 1) 2 }}
{{ without (list 1 2 3) }} {{ without (list 1 2 3) 2 3 }} {{ without (list 1.0 "1" 1) 1 }} {{ without (list (list 1) (dict "a" 1)) (list 1) }} {{ without .Values.numbers 1 }} {{ without .Values.numbers 1.0 }} {{ without .Values.numbers .Values.one }}
{{ has 1 (list 1.0) }} {{ has 1.0 .Values.numbers }} {{ has .Values.one .Values.numbers }} {{ has nil (list nil) }} {{ has (list 1) (list (list 1)) }} {{ has "a" "a" }}
{{ has "a" 5 }}
{{ has 1 nil }}
{{ uniq (list 1 1.0 "1" 1 nil nil) | toJson }} {{ uniq (list (list 1) (list 1)) }} {{ uniq (list (dict "a" 1) (dict "a" 1)) }}
{{ compact (list 0 "" nil false 1 "a" (list) (dict)) | toJson }}
{{ until 0 }} {{ until 3 }} {{ until -3 }} {{ untilStep 0 10 3 }} {{ untilStep 10 0 -3 }} {{ untilStep 0 10 0 }} {{ untilStep 0 -10 3 }} {{ untilStep 5 5 1 }} {{ typeOf (until 1) }}
{{ until "3" }}
{{ until 1.5 }}
{{ until .Values.three }}
{{ range $i := until (int .Values.three) }}{{ $i }}{{ end }}
{{ $a := list 1 2 3 }}{{ $b := append $a 4 }}{{ $c := append $a 5 }}{{ $a }} {{ $b }} {{ $c }}
{{ $a := list 1 2 3 }}{{ $b := slice $a 0 2 }}{{ $c := append $b 9 }}{{ $a }}{{ $b }}{{ $c }}
{{ $a := list 3 1 2 }}{{ $_ := reverse $a }}{{ $a }} {{ $_ := sortAlpha $a }}{{ $a }}
{{ $a := list "b" "a" }}{{ $_ := sortAlpha $a }}{{ $a }}{{ $s := splitList "," "b,a" }}{{ $_ := sortAlpha $s }}{{ $s }}
{{ append (list) 1 | append 2 }}
{{ append nil 1 }}
{{ append "a" 1 }}
{{ prepend (list 1) 0 2 }}
{{ first }}
{{ max 1 2 3 }} {{ max 1.9 2 }} {{ max "3" 1 }} {{ max -1 }} {{ min 1 2 3 }} {{ min "a" 1 }} {{ maxf 1 2.5 "3.5" }} {{ minf 1 2.5 0.5 }} {{ biggest 1 5 3 }} {{ max nil 1 }} {{ max true 0 }}
{{ max }}
{{ list 1 2 | concat (list 0) }} {{ list "a" | append "x" }}
{{ list "a" "b" | has "a" }} {{ "a" | has (list "a") }}
{{ .Values.ports | first | toJson }} {{ (first .Values.ports).name }} {{ (last .Values.ports).port }}
{{ index (list (list 1 2) (list 3)) 0 1 }} {{ (index (list (dict "a" "b")) 0).a }}
{{ list "a" | toYaml }} {{ list | toYaml }} {{ list nil 1 (list) (dict) | toYaml }}
{{ all }} {{ any }} {{ all 1 2 }} {{ all 1 0 }} {{ any 0 "" }} {{ any 0 1 }} {{ all (list) }} {{ any nil .Values.absent }} {{ all true "x" (list 1) }}
{{ .Values.names | uniq | sortAlpha | join "," }} {{ .Values.names | reverse | first }} {{ .Values.numbers | rest | rest | toJson }} {{ .Values.nested | first | last }} {{ .Values.any | compact | toJson }}
`),
	)
}

func dictCases() []testCase {
	maps := words(`.Values.single; (dict); (dict "a" 1 "b" (dict "c" 2)); .Values.map; .Values.emptyMap; nil; .Values.absent; "text"; (list 1); 5; .Chart; .Values; (split "," "x,y"); .Release`)
	return all(
		cross(`
{{ get %s "a" }}
{{ hasKey %s "k" }}
{{ keys %s | len }}
{{ values %s | len }}
{{ pick %s "a" "k" "z" }}
{{ omit %s "a" "k" | len }}
{{ pluck "a" %s }}
{{ dig "a" "default" %s }}
{{ dig "b" "c" "default" %s }}
{{ merge (dict "z" 1) %s | len }}
{{ merge %s (dict "z" 1) | len }}
{{ mergeOverwrite %s (dict "a" "over") | len }}
{{ deepCopy %s | kindOf }}
{{ $_ := set (deepCopy %s) "n" 1 }}{{ $_ | len }}
{{ unset (deepCopy %s) "a" | len }}
{{ toJson %s | len }}
{{ mustMerge (dict) %s | len }}
{{ mustMergeOverwrite (dict) %s | len }}`, maps),
		lines(`
{{ dict }} {{ dict "a" 1 }} {{ dict "a" 1 "b" }} {{ dict 1 2 }} {{ dict nil "x" }} {{ dict "a" }} {{ dict true false 1.5 2 }} {{ dict (list 1) 2 }} {{ dict "a" 1 "a" 2 }} {{ dict .Values.one "x" .Values.million "y" }}
{{ get (dict "a" 1) "a" }} {{ get (dict "a" nil) "a" | quote }} {{ get (dict) "a" | quote }} {{ get (dict "a" 1) 1 }}
{{ $d := dict "a" 1 }}{{ $_ := set $d "a" 2 }}{{ $_ := set $d "b" (list 1) }}{{ $d }}
{{ $d := dict "a" 1 "b" 2 }}{{ $_ := unset $d "a" }}{{ $_ := unset $d "z" }}{{ $d }}
{{ set (dict) "a" }}
{{ set nil "a" 1 }}
{{ set .Values.absent "a" 1 }}
{{ set (dict) 1 1 }}
{{ set .Values "new" 1 | kindOf }}{{ .Values.new }}
{{ $_ := set .Values.map "a" "changed" }}{{ .Values.map.a }}
{{ $_ := set . "extra" 1 }}{{ .extra }}
{{ $_ := set .Values.image "tag" "9" }}{{ .Values.image.repository }}:{{ .Values.image.tag }}
{{ hasKey .Values "nothing" }} {{ hasKey .Values "absent" }} {{ hasKey .Values.map "e" }} {{ hasKey (dict "a" nil) "a" }}
{{ hasKey nil "a" }}
{{ hasKey .Values.absent "a" }}
{{ hasKey "a" "a" }}
{{ pluck "name" (index .Values.ports 0) (index .Values.ports 1) | join "," }} {{ pluck "a" (dict "a" 1) (dict "b" 2) (dict "a" nil) | toJson }} {{ pluck "a" }}
{{ keys .Values.labels .Values.single | sortAlpha }} {{ keys (dict) }} {{ keys }} {{ keys .Values.odd | sortAlpha | toJson }}
{{ values .Values.single }} {{ values (dict) }} {{ values (dict "a" nil) | toJson }}
{{ pick .Values.map "a" "b" "absent" | toJson }} {{ pick .Values.map | toJson }} {{ pick (dict "a" nil) "a" | toJson }}
{{ omit .Values.map "a" "b" | toJson }} {{ omit .Values.map | len }} {{ omit .Values.single "k" }}
{{ pick .Values.map 1 }}
{{ merge (dict "a" 1) (dict "a" 2 "b" 3) }} {{ merge (dict "a" (dict "x" 1)) (dict "a" (dict "x" 2 "y" 3)) | toJson }} {{ merge (dict "a" "") (dict "a" "x") }} {{ merge (dict "a" 0) (dict "a" 5) }} {{ merge (dict "a" nil) (dict "a" 5) }} {{ merge (dict "a" false) (dict "a" true) }} {{ merge (dict "a" (list)) (dict "a" (list 1)) }} {{ merge (dict "a" (list 1)) (dict "a" (list 2 3)) }} {{ merge (dict) (dict "a" nil) | toJson }} {{ merge (dict "a" 1) (dict "a" (dict "b" 1)) }} {{ merge (dict "a" (dict "b" 1)) (dict "a" 1) }} {{ merge (dict "a" (dict)) (dict "a" (dict "b" 1)) }}
{{ mergeOverwrite (dict "a" 1) (dict "a" 2 "b" 3) }} {{ mergeOverwrite (dict "a" (dict "x" 1 "z" 1)) (dict "a" (dict "x" 2 "y" 3)) | toJson }} {{ mergeOverwrite (dict "a" "x") (dict "a" "") }} {{ mergeOverwrite (dict "a" 1) (dict "a" 0) }} {{ mergeOverwrite (dict "a" 1) (dict "a" nil) | toJson }} {{ mergeOverwrite (dict "a" true) (dict "a" false) }} {{ mergeOverwrite (dict "a" (list 1)) (dict "a" (list)) }} {{ mergeOverwrite (dict "a" (list 1)) (dict "a" (list 2 3)) }} {{ mergeOverwrite (dict "a" 1) (dict "a" (dict "b" 1)) }} {{ mergeOverwrite (dict "a" (dict "b" 1)) (dict "a" 1) }} {{ mergeOverwrite (dict "a" (dict "b" 1)) (dict "a" (dict)) }} {{ mergeOverwrite (dict "a" (dict "b" 1)) (dict "a" nil) | toJson }}
{{ merge }}
{{ merge (dict) }} {{ merge (dict "a" 1) }} {{ merge (dict) (dict "a" 1) (dict "a" 2 "b" 2) (dict "c" 3) }} {{ mergeOverwrite (dict) (dict "a" 1) (dict "a" 2 "b" 2) (dict "c" 3) }}
{{ merge nil (dict "a" 1) }}
{{ merge (dict "a" 1) nil }}
{{ merge (dict "a" 1) .Values.absent }}
{{ merge (dict) "a" }}
{{ $a := dict "x" (dict "y" 1) }}{{ $b := merge (dict) $a }}{{ $_ := set $b.x "y" 2 }}{{ $a }}
{{ $a := dict "x" (dict "y" 1) }}{{ $b := merge (dict "x" (dict)) $a }}{{ $_ := set $b.x "y" 2 }}{{ $a }}
{{ $a := dict "x" (dict "y" 1) }}{{ $b := deepCopy $a }}{{ $_ := set $b.x "y" 2 }}{{ $a }}{{ $b }}
{{ $a := dict "x" (list (dict "y" 1)) }}{{ $b := deepCopy $a }}{{ $_ := set (index $b.x 0) "y" 2 }}{{ $a }}{{ $b }}
{{ deepCopy nil }}
{{ $c := set (deepCopy $) "Values" (dict "a" 1) }}{{ $c.Values }} {{ .Values.word }} {{ $.Values.word }}
{{ $c := set (deepCopy .Values) "word" "x" }}{{ $c.word }} {{ .Values.word }} {{ $c.map.a }} {{ $c.AsMap.word }}
{{ $c := deepCopy . }}{{ $_ := set $c.Values.map "a" 2 }}{{ .Values.map.a }} {{ $c.Values.map.a }} {{ $c.Files.Get "config/a.conf" }}{{ $c.Chart.Name }}
{{ typeOf (deepCopy .) }} {{ typeOf (deepCopy .Values) }} {{ typeOf (deepCopy .Values.map) }} {{ typeOf (deepCopy .Files) }} {{ typeOf .Values.AsMap }} {{ typeOf (.Values.Table "map") }} {{ typeOf (merge (dict) .Values) }} {{ typeOf (omit .Values "word") }} {{ typeOf (pick .Values "word") }} {{ typeOf (fromYaml (toYaml .Values)) }} {{ typeOf (default (dict) .Values) }} {{ typeOf (first (list .Values)) }}
{{ $_ := set .Values.AsMap "new" 1 }}{{ .Values.new }} {{ $_ := set (.Values.Table "map") "new" 2 }}{{ .Values.map.new }}
{{ merge .Values (dict "zz" 1) | len | eq (len .Values) }} {{ .Values.zz }} {{ mergeOverwrite .Values (dict "word" "y") | len | lt 5 }} {{ .Values.word }}
{{ deepCopy 1 }} {{ deepCopy "a" }} {{ deepCopy (list 1 (dict "a" nil)) }} {{ mustDeepCopy .Values.map | toJson }}
{{ merge .Values.map (dict "a" 9 "new" 1) | toJson }}|{{ .Values.map | toJson }}
{{ $m := mergeOverwrite (deepCopy .Values.map) (dict "a" 9) }}{{ $m.a }}{{ .Values.map.a }}
{{ merge (dict "a" .Values.map) (dict "a" (dict "c" (dict "d" (list 9) "x" 1))) | toJson }}
{{ dig "l1" "l2" "l3" "x" .Values.deep }} {{ dig "l1" "l2" "zz" "x" .Values.deep }} {{ dig "zz" "l2" "x" .Values.deep }} {{ dig "l1" "x" .Values.deep }} {{ dig "a" 5 (dict) }} {{ dig "a" "b" nil (dict "a" (dict)) }}
{{ dig "l1" "l2" "l3" "l4" "x" .Values.deep }}
{{ dig "a" "b" "x" (dict "a" 1) }}
{{ dig "a" "b" "x" (dict "a" nil) }}
{{ dig "a" (dict) }}
{{ dig "a" }}
{{ dig }}
{{ dig 1 "x" (dict) }}
{{ dig "a" "x" "notadict" }}
{{ dig "a" "x" nil }}
{{ .Values | dig "deep" "l1" "l2" "l3" "x" }} {{ (dict "a" 1) | dig "a" "x" }}
{{ .Values.AsMap | kindOf }}
{{ dig "image" "tag" "x" .Values.AsMap }}
{{ .Values.AsMap.word }} {{ .Values.map.AsMap }}
{{ .Values.YAML }}
{{ .Values.Table "map" }}
{{ .Values.Table "absent" }}
{{ .Values.PathValue "deep.l1.l2.l3" }}
{{ .Values.PathValue "absent.x" }}
{{ .Values.PathValue "map" }}
{{ .Values.Encode }}
{{ $d := dict "a" 1 }}{{ range $k, $v := $d }}{{ $k }}{{ $v }}{{ end }}{{ $d.a }}{{ $d.absent }}
{{ (dict "a" (dict "b" (dict "c" 1))).a.b.c }} {{ (dict "a b" 1) }} {{ index (dict "a b" 1) "a b" }}
{{ dict "a" 1 | merge (dict "b" 2) }} {{ dict "k" "v" | toYaml }} {{ dict "b" 1 "a" 2 | toJson }}
{{ $d := dict }}{{ range $i := until 3 }}{{ $_ := set $d (printf "k%d" $i) $i }}{{ end }}{{ $d | toJson }}
{{ $d := dict "l" (list) }}{{ range $i := until 3 }}{{ $_ := set $d "l" (append $d.l $i) }}{{ end }}{{ $d.l }}
{{ set (dict "a" 1) "b" 2 | toJson }} {{ unset (dict "a" 1 "b" 2) "a" | toJson }} {{ (set (dict) "x" "y").x }}
{{ $x := dict }}{{ $_ := set $x "self" "v" }}{{ $x.self }}{{ len $x }}
{{ hasKey (dict "a" 1) 1 }}
{{ unset nil "a" }}
{{ pick nil "a" }}
{{ values nil }}
{{ keys nil }}
{{ fromYaml "a: 1\nb: [1, two]" | merge (dict "a" 0) | toJson }}
{{ .Values.labels | toYaml }} {{ range $k, $v := merge (dict "x" "y") .Values.labels }}{{ $k }}={{ $v }} {{ end }}
`),
	)
}

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
