package main

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
