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
