package main

import "strings"

func numberCases() []testCase {
	literals := strings.Fields(`0 1 -1 +1 00 01 07 08 09 010 0o17 0O17 0o8 0b101 0B1 0b2 0x1F 0X1f 0xfg 1_000 1__0 _1 1_ 0_1 0x_1 0b_1 1.5 1. .5 -.5 +.5 . 1e3 1E3 1e+3 1e-3 1e 1e400 -1e400 1e-400 1.5e2 0x1p4 0x1.8p1 0x1p-2 0x1.8 1p4
9223372036854775807 9223372036854775808 -9223372036854775808 -9223372036854775809 18446744073709551615 18446744073709551616 0xffffffffffffffff 9007199254740993 123456789012345678901234567890
1i 2.5i 1+2i 1+i 0i 1.5-2i -1i 1e3i 'a' '\u00e4' '😀' 1a 1.2.3 1..2 1-1 1x 0xg 0b 0x 0o 1e5 1e6 1e20 1e21 123456.0 1234567.0 0.1 0.00001 0.000001 100000.5 3.0 1.0 100.0 1.10 1e2 12345678.9 0.30000000000000004 1.7976931348623157e308 5e-324 0.1e1 00.5 08.5 1_0.5_0 inf nan Inf`)
	return all(
		cross("{{ %s }}\n{{ print %[1]s }} {{ kindOf %[1]s }}\n{{ add %[1]s 0 }}\n{{ int %[1]s }} {{ float64 %[1]s }}\n{{ index .Values.numbers %[1]s }}\n{{ trunc %[1]s \"abcdef\" }}\n{{ round %[1]s 1 }}\n{{ list %[1]s | toJson }}", literals),
		exact("{{ 1 }} {{ 1.0 }} {{ 1e3 }} {{ -0.0 }}"),
	)
}

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
