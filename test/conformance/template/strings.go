package main

func stringCases() []testCase {
	texts := words(`""; "a"; "hello world"; "Hello, Wörld – ✓"; "a😀b"; "camelCaseText"; "snake_case_text"; "kebab-case-text"; "HTTPServer2"; "  padded  "; "ALL CAPS"; "a.b/c"; "x1y2 Z3"; "ǆ ß ﬁ İ"; "日本語 テスト"; "one\ntwo\n"; "\xffa\xfe"; "it's o'clock"; "__a__B--c  D"`)
	return all(
		cross(`
{{ upper %s }}|{{ lower %[1]s }}|{{ title %[1]s }}|{{ untitle %[1]s }}|{{ swapcase %[1]s }}
{{ snakecase %s }}|{{ camelcase %[1]s }}|{{ kebabcase %[1]s }}|{{ initials %[1]s }}|{{ nospace %[1]s }}
{{ trim %s }}|{{ trimAll "a " %[1]s }}|{{ trimPrefix "a" %[1]s }}|{{ trimSuffix "b" %[1]s }}|{{ trimall "ä\xff" %[1]s }}
{{ trunc 5 %s }}|{{ trunc -5 %[1]s }}|{{ trunc 0 %[1]s }}|{{ substr 1 4 %[1]s }}|{{ len %[1]s }}
{{ abbrev 7 %s }}|{{ abbrevboth 5 10 %[1]s }}
{{ wrap 5 %s }}|{{ wrapWith 4 "\t" %[1]s }}
{{ quote %s }}|{{ squote %[1]s }}|{{ cat %[1]s "x" }}|{{ indent 2 %[1]s }}|{{ nindent 3 %[1]s }}
{{ replace "a" "bb" %s }}|{{ replace "" "-" %[1]s }}|{{ contains "a" %[1]s }}|{{ hasPrefix "a" %[1]s }}|{{ hasSuffix "b" %[1]s }}
{{ repeat 3 %s }}|{{ plural "one" "many" (len %[1]s) }}|{{ toString %[1]s }}|{{ splitList "" %[1]s | len }}|{{ list %[1]s | toStrings }}
{{ b64enc %s }}|{{ b32enc %[1]s }}|{{ sha1sum %[1]s }}|{{ adler32sum %[1]s }}|{{ html %[1]s }}|{{ urlquery %[1]s }}|{{ js %[1]s }}
{{ atoi %s }}|{{ int %[1]s }}|{{ int64 %[1]s }}|{{ float64 %[1]s }}|{{ toDecimal %[1]s }}
{{ split "a" %s }}|{{ splitn "a" 2 %[1]s }}|{{ splitList "a" %[1]s }}|{{ regexFind "[a-z]+" %[1]s }}
{{ toJson %s }}|{{ toRawJson %[1]s }}|{{ toYaml %[1]s }}|{{ printf "%%q" %[1]s }}`, texts),
		lines(`
{{ upper .Values.mixed }} {{ title "ab cd-ef gh_ij 1kl" }} {{ title "o'neil's ǆungla" }}
{{ upper "ß" }} {{ upper "ŉ" }} {{ lower "İ" }} {{ lower "Σ" }} {{ upper "ſ" }} {{ upper "ı" }} {{ lower "K" }} {{ title "ﬀ" }} {{ swapcase "ß ǅ Σ" }}
{{ trim " \u00a0\u2003x\u3000 " | quote }} {{ trim "\x85x" | quote }} {{ nospace "a b\tc\n\u00a0d" | quote }}
{{ trimAll "" " x " | quote }} {{ trimAll "xy" "xyzyx" }} {{ trimAll "äö" "äxö" }} {{ trimPrefix "" "a" }} {{ trimPrefix "ab" "abab" }} {{ trimSuffix "ab" "abab" }} {{ trimSuffix "-" "a--" }} {{ trimPrefix "abc" "ab" }}
{{ trunc 3 "äöü" | quote }} {{ trunc -3 "äöü" | quote }} {{ trunc 99 "abc" }} {{ trunc -99 "abc" }} {{ trunc 1 "ä" | len }}
{{ trunc "3" "abc" }}
{{ trunc 3.0 "abc" }}
{{ trunc .Values.three "abc" }}
{{ trunc (int .Values.three) "abcdef" }}
{{ trunc 3 5 }}
{{ substr 0 3 "abcdef" }} {{ substr 3 -1 "abcdef" }} {{ substr -1 3 "abcdef" }} {{ substr 2 99 "abcdef" }} {{ substr 0 0 "abc" | quote }} {{ substr -5 -5 "abc" }}
{{ substr 5 3 "abcdef" }}
{{ substr 9 12 "abcdef" }}
{{ substr 9 -1 "abcdef" }}
{{ substr 3 3 "äöü" }}
{{ abbrev 5 "hello world" }} {{ abbrev 3 "hello" }} {{ abbrev 4 "hello" }} {{ abbrev 99 "hello" }} {{ abbrev 0 "hello" }} {{ abbrev -1 "hello" }} {{ abbrev 5 "äöüäöü" }} {{ abbrev 5 "hello" }}
{{ abbrevboth 5 10 "1234 5678 9123" }} {{ abbrevboth 0 5 "hello world" }} {{ abbrevboth 6 4 "hello world" }} {{ abbrevboth 3 8 "hello world" }} {{ abbrevboth 20 10 "hello world" }} {{ abbrevboth 6 9 "äöüäöüäöüäöü" }} {{ abbrevboth -1 8 "hello world" }}
{{ initials "First Try" }} {{ initials "a-b c_d  e" }} {{ initials "ä ö" }} {{ initials "" }} {{ initials " x" }}
{{ wrap 80 .Values.long }} {{ wrap 10 .Values.long }}|{{ wrap 0 "a b" }}|{{ wrap -1 "a b" }}|{{ wrap 1 "ab cd" }}|{{ wrap 5 "aaaaaaaaaa bb" }}|{{ wrap 5 "a  b   c" }}|{{ wrap 3 "\n\na b" }}
{{ wrapWith 10 "--" .Values.long }} {{ wrapWith 5 "" "aaaaaaaaaa" }} {{ wrapWith 5 "|" "aaaaaaaaaaaa b" }} {{ wrapWith 0 "|" "a b" }} {{ wrapWith 3 "|" "äöüäöü ab" }}
{{ contains "" "" }} {{ contains "ä" "bä" }} {{ hasPrefix "" "a" }} {{ hasSuffix "a" "" }} {{ contains 1 "1" }}
{{ quote }} {{ quote nil }} {{ quote "" }} {{ quote 1 1.5 true nil "a" }} {{ quote (list 1 "a") }} {{ quote .Values.map }} {{ quote .Values.absent "x" }} {{ quote .Values.million }} {{ quote .Values.big }} {{ quote .Values.pi }} {{ quote "ä\n\t\\\"\x00\u200b" }} {{ quote (semver "1.2.3") }} {{ quote (b64dec "//8=") }}
{{ squote }} {{ squote nil }} {{ squote "" }} {{ squote 1 1.5 true nil "a'b" }} {{ squote (list 1 "a") }} {{ squote .Values.million }} {{ squote .Values.quoted }}
{{ cat }} {{ cat "a" }} {{ cat "a" 1 nil true 1.5 "b" }} {{ cat nil nil }} {{ cat (list 1) "x" }} {{ cat "" "" | quote }} {{ cat "%s" "%d" }} {{ cat .Values.absent "a" }}
{{ indent 0 "a" }}|{{ indent 2 "" }}|{{ indent 2 "a\nb\n" }}|{{ indent 2 "\n\n" }}|{{ nindent 0 "a" }}|{{ nindent 2 "a\n\nb" }}
{{ indent -1 "a" }}
{{ indent "2" "a" }}
{{ indent 2 1 }}
{{ indent 2 nil }}
{{ indent 2 .Values.absent }}
{{ nindent 2 .Values.one }}
{{ replace "a" "b" "aaa" }} {{ replace "aa" "b" "aaa" }} {{ replace "" "x" "ab" }} {{ replace "" "x" "" }} {{ replace "" "x" "äö" }} {{ replace "ä" "ae" "ärä" }} {{ replace "x" "y" "abc" }} {{ replace "." "-" "a.b.c" }} {{ replace "\n" " " .Values.lines }} {{ replace "$1" "$&" "a$1b" }} {{ "a_b" | replace "_" "-" }}
{{ repeat 0 "a" }}|{{ repeat 3 "ä" }}|{{ repeat 2 "" }}
{{ repeat -1 "a" }}
{{ repeat 9223372036854775807 "aa" }}
{{ repeat "3" "a" }}
{{ plural "one" "many" 0 }} {{ plural "one" "many" 1 }} {{ plural "one" "many" 2 }} {{ plural "one" "many" -1 }}
{{ plural "one" "many" "1" }}
{{ plural "one" "many" .Values.one }}
{{ snakecase "FirstName" }} {{ snakecase "HTTPServer" }} {{ snakecase "NoHTTPS" }} {{ snakecase "GO_PATH" }} {{ snakecase "GO PATH" }} {{ snakecase "GO-PATH" }} {{ snakecase "http2xx" }} {{ snakecase "HTTP20xOK" }} {{ snakecase "Duration2m3s" }} {{ snakecase "Bld4Floor3rd" }} {{ snakecase "a1B2" }} {{ snakecase "äÖü" }} {{ snakecase "_Test" }} {{ snakecase "A" }} {{ snakecase "aB" }} {{ snakecase "already_snake" }} {{ snakecase "a.b:c" }} {{ snakecase "12ab34CD" }}
{{ camelcase "http_server" }} {{ camelcase "_camel_case" }} {{ camelcase "no_https" }} {{ camelcase "a--b" }} {{ camelcase "a b" }} {{ camelcase "__a__b__" }} {{ camelcase "foo-bar" }} {{ camelcase "ä_ö" }} {{ camelcase "1_a" }} {{ camelcase "A_B" }} {{ camelcase "" }} {{ camelcase "___" }} {{ camelcase "a_" }} {{ camelcase "fooBar" }}
{{ kebabcase "FirstName" }} {{ kebabcase "HTTPServer" }} {{ kebabcase "a_b c" }} {{ kebabcase "aB1C" }} {{ kebabcase "__x" }} {{ kebabcase "X" }}
{{ join "," (list "a" "b") }} {{ join "," (list 1 2.5 true nil "x") }} {{ join "" (list) }}|{{ join "," "a" }} {{ join "," nil }} {{ join "," 5 }} {{ join "-" .Values.numbers }} {{ join "," .Values.names }} {{ join "," (splitList "." "a.b") }} {{ join "," (until 3) }} {{ join "," .Values.any }} {{ join "," .Values.single }} {{ join "," .Values.absent }} {{ join 1 (list 1) }}
{{ split "." "a.b.c" }} {{ (split "." "a.b.c")._1 }} {{ (split "." "")._0 | quote }} {{ split "" "abc" }} {{ splitn "." 2 "a.b.c" }} {{ splitn "." 0 "a.b" }} {{ splitn "." -1 "a.b.c" }} {{ splitn "" 2 "abc" }} {{ (split "." "a.b")._9 }}|
{{ splitList "," "" | len }} {{ splitList "," "a" }} {{ splitList "" "äb" }} {{ splitList ", " "a, b,c" }} {{ splitList "," ",,," | toJson }} {{ splitList 1 "a" }}
{{ toString 1 }} {{ toString 1.0 }} {{ toString 1e21 }} {{ toString nil }} {{ toString true }} {{ toString (list 1 "a") }} {{ toString .Values.map }} {{ toString .Values.million }} {{ toString (semver "1.2.3") }} {{ toString .Values.absent }} {{ toString 'a' }} {{ toString (b64dec "YQ==") }} {{ toString .Release }}
{{ toStrings (list 1 "a" nil 1.5) }} {{ toStrings nil }} {{ toStrings 5 }} {{ toStrings "abc" }} {{ toStrings .Values.numbers | toJson }} {{ toStrings .Values.map }} {{ toStrings (until 3) | toJson }}
{{ sortAlpha (list "b" "a" "C" "ä" 3 1) }} {{ sortAlpha "x" }} {{ sortAlpha .Values.names }} {{ sortAlpha (list) }} {{ sortAlpha .Values.numbers }} {{ sortAlpha nil }} {{ sortAlpha .Values.any }}
{{ b64enc "" }}|{{ b64enc "hello" }} {{ b64dec "aGVsbG8=" }} {{ b64dec "aGVsbG8" }} {{ b64dec "!!" }} {{ b64dec "" }}| {{ b64dec "aGVs\nbG8=" }} {{ b64dec "_-8=" }} {{ b64dec "aGVsbG8==" }} {{ b64enc .Values.mixed }} {{ b64enc .Values.emoji | b64dec }}
{{ b64dec "//79" }}
{{ b32enc "hello" }} {{ b32dec "NBSWY3DP" }} {{ b32dec "nbswy3dp" }} {{ b32dec "NBSWY3D" }} {{ b32enc "a" }} {{ b32dec "ME======" }} {{ b32dec "" }}
{{ b64enc 1 }}
{{ b64enc nil }}
{{ atoi "12" }} {{ atoi "-5" }} {{ atoi "+5" }} {{ atoi "abc" }} {{ atoi "" }} {{ atoi "0x10" }} {{ atoi "1_000" }} {{ atoi "9223372036854775808" }} {{ atoi " 1" }} {{ atoi "1.5" }}
{{ atoi 5 }}
{{ hello }}
{{ ternary "a" "b" "true" }}
{{ ternary 1 2 .Values.yes }} {{ ternary nil "x" true }} {{ ternary (list 1) "x" true }} {{ true | ternary "foo" "bar" }} {{ ternary "a" "b" (eq 1 1) }}
{{ ternary "a" "b" }}
{{ ternary "a" "b" nil }}
{{ shuffle "aaaa" }} {{ shuffle "" }} {{ randAlphaNum 10 | len }} {{ randAlpha 5 | regexMatch "^[A-Za-z]{5}$" }} {{ randNumeric 6 | regexMatch "^[0-9]{6}$" }} {{ randAscii 7 | regexMatch "^[ -~]{7}$" }} {{ randAlphaNum 20 | regexMatch "^[0-9A-Za-z]{20}$" }} {{ randAlphaNum 0 | quote }} {{ randBytes 12 | b64dec | len }} {{ shuffle "abc" | len }} {{ randInt 3 4 }} {{ uuidv4 | regexMatch "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$" }}
{{ randAlphaNum "5" }}
{{ randAlphaNum .Values.three }}
{{ randAlphaNum -1 }}
{{ randInt 5 5 }}
{{ randInt 5 3 }}
{{ htpasswd "user" "pw" | regexMatch "^user:\\$2a\\$10\\$.{53}$" }} {{ bcrypt "pw" | regexMatch "^\\$2a\\$10\\$.{53}$" }} {{ htpasswd "a:b" "pw" }}
{{ env "PATH" }}
{{ expandenv "$PATH" }}
{{ getHostByName "localhost" | quote }} {{ getHostByName "example.com" | quote }}
{{ getHostByName 1 }}
{{ seq 5 }}|{{ seq 1 3 }}|{{ seq 1 2 10 }}|{{ seq 5 1 }}|{{ seq 5 -2 1 }}|{{ seq 0 }}|{{ seq -3 }}|{{ seq 1 -1 5 }}|{{ seq }}|{{ seq 1 0 5 }}|{{ seq 1 2 3 4 }}|{{ seq 0 5 }}
{{ seq "5" }}
{{ list "a" "b" | join "-" | upper | quote }} {{ "a,b" | splitList "," | join ";" }} {{ "  x " | trim | quote }} {{ "$5.00" | trimAll "$" }} {{ "-a-" | trimSuffix "-" | trimPrefix "-" }}
`),
	)
}

func regexCases() []testCase {
	patterns := words(`"a"; "[a-z]+"; "^a"; "b$"; "(a)(b)?"; "a*"; ""; "x"; "(?i)A"; "\\d+"; "\\bw"; "a|b"; "(?P<n>a+)"; "."; "[^a]"; "a{2}"; "a??"; "\\pL"; "ä"; "(?s).+"; "(?m)^b"; "\\s"`)
	texts := words(`""; "aab"; "a1b22 web\nb"; "äab ÄA"; "\xffa"`)
	return all(
		cross(`
{{ regexMatch %s %s }} {{ regexFind %[1]s %[2]s | quote }} {{ regexFindAll %[1]s %[2]s -1 | toJson }} {{ regexFindAll %[1]s %[2]s 2 | toJson }}
{{ regexReplaceAll %s %s "<${1}>" | quote }} {{ regexReplaceAllLiteral %[1]s %[2]s "<$1>" | quote }} {{ regexSplit %[1]s %[2]s -1 | toJson }} {{ regexSplit %[1]s %[2]s 2 | toJson }}`, patterns, texts),
		cross("{{ regexMatch %s \"a\" }}\n{{ regexFind %[1]s \"a\" }}\n{{ regexReplaceAll %[1]s \"a\" \"b\" }}\n{{ mustRegexMatch %[1]s \"a\" }}\n{{ mustRegexFind %[1]s \"a\" }}\n{{ mustRegexReplaceAll %[1]s \"a\" \"b\" }}\n{{ regexSplit %[1]s \"a\" 1 }}",
			words(`"("; ")"; "["; "a)"; "*"; "+a"; "a**"; "(?<n>a)"; "(?=a)"; "(?!a)"; "(?<=a)"; "\\1"; "a{1001}"; "a{2,1}"; "\\"; "[z-a]"; "\\z"; "\\Z"; "\\A"; "\\Q.\\E"; "(?P<a>x)(?P<a>y)"; "[[:alpha:]]"; "[[:foo:]]"; "\\p{Greek}"; "\\p{Foo}"; "(?U)a+"; "(?z)a"; "a++"; "\\C"; "\\x{61}"; "\\x{110000}"; "\\8"; "\\_"; "(?"; "(?i"; "x{,2}"; "a{"; "[a"; "\xff"; "(((a{100}){100}){100})"`)),
		lines(`
{{ regexReplaceAll "a(x*)b" "-ab-axxb-" "${1}W" }} {{ regexReplaceAll "a(x*)b" "-ab-axxb-" "$1W" }} {{ regexReplaceAll "(a)(b)" "abab" "$2$1" }} {{ regexReplaceAll "(?P<first>a)" "bab" "[${first}]" }} {{ regexReplaceAll "a" "bab" "$$" }} {{ regexReplaceAll "a" "bab" "$0$0" }} {{ regexReplaceAll "a" "bab" "$" }} {{ regexReplaceAll "a" "bab" "${" }} {{ regexReplaceAll "a" "bab" "${x}" }} {{ regexReplaceAll "a" "bab" "\\1" }} {{ regexReplaceAll "(a)" "bab" "$1_" }} {{ regexReplaceAll "(a)" "bab" "${1}_" }} {{ regexReplaceAll "" "ab" "-" }} {{ regexReplaceAll "x*" "äb" "-" }} {{ regexReplaceAll "a" "bab" "$99" }}
{{ regexReplaceAllLiteral "a(x*)b" "-ab-axxb-" "${1}" }} {{ regexReplaceAllLiteral "" "ab" "-" }}
{{ regexFindAll "[2,4,6,8]" "123456789" -1 }} {{ regexFindAll "a" "aaa" 0 }} {{ regexFindAll "a" "aaa" 2 }} {{ regexFindAll "" "ab" -1 | toJson }} {{ regexFindAll "x" "aaa" -1 | toJson }} {{ regexFindAll "a*" "baac" -1 | toJson }}
{{ regexSplit "z+" "pizza" -1 }} {{ regexSplit "z" "pizza" 1 }} {{ regexSplit "z" "pizza" 0 | toJson }} {{ regexSplit "" "abc" -1 | toJson }} {{ regexSplit "," "" -1 | toJson }} {{ regexSplit "a" "aaa" -1 | toJson }} {{ regexSplit "^" "abc" -1 | toJson }} {{ regexSplit "x*" "axbxc" -1 | toJson }} {{ regexSplit "x*" "axbxc" 3 | toJson }}
{{ regexQuoteMeta "1.2.3" }} {{ regexQuoteMeta "a+b*c?(d)[e]{f}^$|\\" }} {{ regexQuoteMeta "ä-_/" }} {{ regexQuoteMeta "" }}
{{ regexMatch "^[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,}$" "test@acme.com" }} {{ regexMatch "^v?[0-9]+(\\.[0-9]+)*$" "v1.2.3" }} {{ regexFind "[a-zA-Z][1-9]" "abcd1234" }} {{ regexFind "^(?:.*/)?([^:@]+)" "a/b/c:1" }} {{ regexReplaceAll "[^a-z0-9-]" (lower "My_App.Name") "-" }} {{ regexReplaceAllLiteral "[^a-zA-Z0-9-]" "a.b_c" "$0" }}
{{ regexMatch "a" 1 }}
{{ regexMatch 1 "a" }}
{{ regexMatch nil "a" }}
{{ regexMatch "a" .Values.absent }}
{{ regexFindAll "a" "a" }}
{{ regexFindAll "a" "a" "1" }}
{{ mustRegexFindAll "a" "aa" -1 }} {{ mustRegexSplit "a" "bab" -1 }} {{ mustRegexReplaceAllLiteral "a" "bab" "$1" }} {{ mustRegexReplaceAll "(a)" "bab" "$1$1" }} {{ mustRegexFind "a." "bab" }} {{ mustRegexMatch "a" "b" }}
{{ mustRegexFindAll "(" "aa" -1 }}
{{ mustRegexSplit "(" "bab" -1 }}
{{ mustRegexReplaceAllLiteral "(" "bab" "$1" }}
{{ regexFindAll "(" "aa" -1 }}
{{ regexReplaceAllLiteral "(" "aa" "" }}
{{ regexMatch "^\\S+$" "a\u00a0b" }} {{ regexMatch "\\w" "ä" }} {{ regexMatch "(?i)ä" "Ä" }} {{ regexMatch "(?i)k" "K" }} {{ regexMatch "(?i)s" "ſ" }} {{ regexMatch "^.$" "😀" }} {{ regexMatch "^.$" "\n" }} {{ regexMatch "a$" "a\n" }} {{ regexMatch "(?m)a$" "a\nb" }} {{ regexFind "\\D+" "ab1" }} {{ regexFind "[[:upper:]]+" "abCDe" }} {{ regexFind "a.*?b" "aXbXb" }} {{ regexFind "(?U)a.*b" "aXbXb" }} {{ regexFind "(a|ab)(c|bcd)" "abcd" }} {{ regexFind "\\x41\\101?" "AA" }} {{ regexFind "[\\d\\-]+" "a1-2b" }} {{ regexFind "(?i:A)b" "ab" }} {{ regexFind "\\Qa.b\\E" "xa.b" }}
`))
}
