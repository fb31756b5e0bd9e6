package main

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
