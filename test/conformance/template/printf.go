package main

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
