package main

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
