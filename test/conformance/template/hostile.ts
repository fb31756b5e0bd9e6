/** A template of a chart that nobody should have to trust. */
export interface HostileRow {
  readonly name: string;
  readonly template: string;
  readonly partials?: string;
  /** What stops it: a limit of ours, or a message that Helm has for it too. */
  readonly ends: "limit-exceeded" | RegExp;
}

const repeated = (text: string, count: number): string => text.repeat(count);
const allocate = 'set $.Values "s" (print $.Values.s $.Values.s)';

/** Each of these has to end soon, and without much memory. */
export const hostileRows: readonly HostileRow[] = [
  {
    name: "a template that includes itself",
    template: '{{ define "a" }}{{ include "a" . }}{{ end }}{{ include "a" . }}',
    ends: /rendering template has a nested reference name: a: unable to execute template|nests too deeply/u,
  },
  {
    name: "a template that includes itself twice",
    template: '{{ define "a" }}{{ include "a" . }}{{ include "a" . }}{{ end }}{{ include "a" . }}',
    ends: /rendering template has a nested reference name: a|nests too deeply/u,
  },
  {
    name: "two templates that include each other",
    template: '{{ include "a" . }}',
    partials: '{{ define "a" }}x{{ include "b" . }}{{ end }}{{ define "b" }}y{{ include "a" . }}{{ end }}',
    ends: /nested reference name: [ab]|nests too deeply/u,
  },
  {
    name: "a template action that calls its own template",
    template: '{{ define "a" }}{{ template "a" . }}{{ end }}{{ template "a" . }}',
    ends: /limit-exceeded|exceeded maximum template depth|nests too deeply/u,
  },
  {
    name: "a text that tpl renders with itself",
    template: '{{ $_ := set .Values "t" "{{ tpl .Values.t . }}" }}{{ tpl .Values.t . }}',
    ends: /limit-exceeded|nests too deeply/u,
  },
  {
    name: "mutual recursion through tpl and include",
    template: '{{ define "a" }}{{ tpl "{{ include \\"a\\" . }}" . }}{{ end }}{{ include "a" . }}',
    ends: /nested reference name: a|nests too deeply/u,
  },
  {
    name: "a text of tpl that doubles itself",
    template:
      '{{ $_ := set .Values "s" "xxxxxxxx" }}{{ range until 40 }}{{ $_ := tpl "{{ set .Values \\"s\\" (print .Values.s .Values.s) | len }}" $ }}{{ end }}',
    ends: "limit-exceeded",
  },
  {
    name: "until a thousand million",
    template: "{{ range until 1000000000 }}x{{ end }}",
    ends: "limit-exceeded",
  },
  {
    name: "untilStep by one over a thousand million",
    template: "{{ len (untilStep 0 1000000000 1) }}",
    ends: "limit-exceeded",
  },
  { name: "seq to a thousand million", template: "{{ seq 1000000000 | len }}", ends: "limit-exceeded" },
  { name: "range over an integer", template: "{{ range 1000000000 }}{{ end }}", ends: "limit-exceeded" },
  {
    name: "ranges in ranges",
    template: `${repeated("{{ range until 1000 }}", 6)}x${repeated("{{ end }}", 6)}`,
    ends: "limit-exceeded",
  },
  {
    name: "ranges in ranges that write nothing",
    template: `${repeated("{{ range until 1000 }}", 6)}${repeated("{{ end }}", 6)}`,
    ends: "limit-exceeded",
  },
  {
    name: "repeat a thousand million times",
    template: '{{ repeat 1000000000 "x" | len }}',
    ends: "limit-exceeded",
  },
  {
    name: "repeat more often than a number can say",
    template: '{{ repeat 9223372036854775807 "ab" }}',
    ends: /limit-exceeded|output length overflow/u,
  },
  {
    name: "a width of a thousand million",
    template: '{{ printf "%1000000000d" 1 }}',
    ends: /^%!\(NOVERB\)%!\(EXTRA int=1\)$/u,
  },
  {
    name: "widths below fmt's own limit, many times",
    template: '{{ range until 100000 }}{{ $_ := printf "%1000000d" 1 }}{{ end }}',
    ends: "limit-exceeded",
  },
  {
    name: "a precision below fmt's own limit, many times",
    template: '{{ range until 100000 }}{{ $_ := printf "%.1000000f" 1.5 }}{{ end }}',
    ends: "limit-exceeded",
  },
  {
    name: "printf of printf of printf",
    template: `{{ ${repeated('printf "%s%s%s%s%s%s%s%s%s%s" . . . . . . . . . . | ', 1)}len }}{{ $s := "xxxxxxxxxx" }}${repeated('{{ $s = printf "%[1]s%[1]s%[1]s%[1]s%[1]s%[1]s%[1]s%[1]s" $s }}', 12)}`,
    ends: "limit-exceeded",
  },
  {
    name: "a text that doubles",
    template: `{{ $_ := set .Values "s" "x" }}{{ range until 100 }}{{ $_ := ${allocate} }}{{ end }}`,
    ends: "limit-exceeded",
  },
  {
    name: "a text that doubles by cat",
    template: '{{ $s := "x" }}{{ range until 100 }}{{ $s = cat $s $s }}{{ end }}',
    ends: "limit-exceeded",
  },
  {
    name: "a text that doubles by join",
    template: '{{ $s := "x" }}{{ range until 100 }}{{ $s = join "" (list $s $s) }}{{ end }}',
    ends: "limit-exceeded",
  },
  {
    name: "a text that doubles by replace",
    template: '{{ $s := "x" }}{{ range until 100 }}{{ $s = replace "x" "xx" $s }}{{ end }}',
    ends: "limit-exceeded",
  },
  {
    name: "a text that doubles by an expression",
    template: '{{ $s := "x" }}{{ range until 100 }}{{ $s = regexReplaceAll "x" $s "xx" }}{{ end }}',
    ends: "limit-exceeded",
  },
  {
    name: "a text that grows by indent",
    template: '{{ $s := "a\\nb" }}{{ range until 100 }}{{ $s = print (indent 1000000 $s) $s }}{{ end }}',
    ends: "limit-exceeded",
  },
  {
    name: "a text that grows by quoting",
    template: '{{ $s := "\\"" }}{{ range until 100 }}{{ $s = quote $s }}{{ end }}',
    ends: "limit-exceeded",
  },
  {
    name: "a text that grows by base64",
    template: '{{ $s := "x" }}{{ range until 200 }}{{ $s = b64enc $s }}{{ end }}',
    ends: "limit-exceeded",
  },
  {
    name: "a text that grows by toJson",
    template: '{{ $s := "<" }}{{ range until 200 }}{{ $s = toJson $s }}{{ end }}',
    ends: "limit-exceeded",
  },
  {
    name: "a text that grows by toYaml",
    template: '{{ $s := "\\n" }}{{ range until 200 }}{{ $s = toYaml (list $s $s) }}{{ end }}',
    ends: "limit-exceeded",
  },
  {
    name: "a text that grows by html",
    template: '{{ $s := "<" }}{{ range until 100 }}{{ $s = html $s $s }}{{ end }}',
    ends: "limit-exceeded",
  },
  {
    name: "a text that grows by urlquery",
    template: '{{ $s := "%" }}{{ range until 100 }}{{ $s = urlquery $s $s }}{{ end }}',
    ends: "limit-exceeded",
  },
  {
    name: "a text that grows by wrapping",
    template: '{{ $w := repeat 10000 "x" }}{{ wrapWith 1 $w (repeat 1000000 "a ") | len }}',
    ends: "limit-exceeded",
  },
  {
    name: "a list that grows",
    template: "{{ $l := list 1 }}{{ range until 1000000 }}{{ $l = append $l $l }}{{ end }}",
    ends: "limit-exceeded",
  },
  {
    name: "a list that doubles",
    template: "{{ $l := list 1 }}{{ range until 100 }}{{ $l = concat $l $l }}{{ end }}{{ len $l }}",
    ends: "limit-exceeded",
  },
  {
    name: "lists in lists that are printed",
    template: "{{ $l := list 1 }}{{ range until 60 }}{{ $l = list $l $l }}{{ end }}{{ $l }}",
    ends: "limit-exceeded",
  },
  {
    name: "lists in lists as JSON",
    template: "{{ $l := list 1 }}{{ range until 60 }}{{ $l = list $l $l }}{{ end }}{{ toJson $l | len }}",
    ends: "limit-exceeded",
  },
  {
    name: "lists in lists as YAML",
    template: "{{ $l := list 1 }}{{ range until 60 }}{{ $l = list $l $l }}{{ end }}{{ toYaml $l | len }}",
    ends: "limit-exceeded",
  },
  {
    name: "maps in maps as TOML",
    template:
      '{{ $l := dict "a" 1 }}{{ range until 60 }}{{ $l = dict "a" $l "b" $l }}{{ end }}{{ toToml $l | len }}',
    ends: "limit-exceeded",
  },
  {
    name: "lists in lists that are copied",
    template: "{{ $l := list 1 }}{{ range until 60 }}{{ $l = list $l $l }}{{ end }}{{ deepCopy $l | len }}",
    ends: "limit-exceeded",
  },
  {
    name: "lists in lists that are compared",
    template:
      "{{ $l := list 1 }}{{ $m := list 1 }}{{ range until 60 }}{{ $l = list $l $l }}{{ $m = list $m $m }}{{ end }}{{ deepEqual $l $m }}",
    ends: /^true$/u,
  },
  {
    name: "a list a million levels deep",
    template: "{{ $l := list }}{{ range until 1000000 }}{{ $l = list $l }}{{ end }}{{ toJson $l | len }}",
    ends: "limit-exceeded",
  },
  {
    name: "a deep list that is printed",
    template: "{{ $l := list }}{{ range until 50000 }}{{ $l = list $l }}{{ end }}{{ $l }}",
    ends: "limit-exceeded",
  },
  {
    name: "a deep list that is copied",
    template: "{{ $l := list }}{{ range until 50000 }}{{ $l = list $l }}{{ end }}{{ deepCopy $l | len }}",
    ends: "limit-exceeded",
  },
  {
    name: "a map that holds itself",
    template: '{{ $d := dict }}{{ $_ := set $d "d" $d }}{{ toYaml $d }}',
    ends: "limit-exceeded",
  },
  {
    name: "a map that holds itself, printed",
    template: '{{ $d := dict }}{{ $_ := set $d "d" $d }}{{ $d }}',
    ends: /limit-exceeded|nests too deeply/u,
  },
  {
    name: "a map that holds itself, copied",
    template: '{{ $d := dict }}{{ $_ := set $d "d" $d }}{{ deepCopy $d | len }}',
    ends: /limit-exceeded|nests too deeply/u,
  },
  {
    name: "a map that holds itself, merged",
    template: '{{ $d := dict }}{{ $_ := set $d "d" $d }}{{ merge (dict "d" (dict)) $d | len }}',
    ends: /^1$/u,
  },
  {
    name: "a map that holds itself, compared",
    template:
      '{{ $d := dict }}{{ $_ := set $d "d" $d }}{{ $e := dict }}{{ $_ := set $e "d" $e }}{{ deepEqual $d $e }}',
    ends: /limit-exceeded|nests too deeply|^true$/u,
  },
  {
    name: "an expression that backtracks elsewhere",
    template: '{{ regexMatch "^(a+)+$" (print (repeat 100000 "a") "!") }}',
    ends: /^false$|limit-exceeded/u,
  },
  {
    name: "an expression with alternatives that overlap",
    template: '{{ regexMatch "^(a|aa|a?)*b$" (repeat 50000 "a") }}',
    ends: /^false$|limit-exceeded/u,
  },
  {
    name: "an expression with large counts",
    template: '{{ regexMatch "((a{1,100}){1,100}){1,100}" "a" }}',
    ends: /^false$|limit-exceeded/u,
  },
  {
    name: "an expression a million characters long",
    template: '{{ regexMatch (repeat 1000000 "(a|b)") "a" }}',
    ends: /limit-exceeded|expression|^false$/u,
  },
  {
    name: "an expression with deep parentheses",
    template: '{{ regexMatch (print (repeat 100000 "(") (repeat 100000 ")")) "a" }}',
    ends: /^false$|limit-exceeded/u,
  },
  {
    name: "anchors of anchors of anchors",
    template: `{{ fromYaml "a: &a [x,x,x,x,x,x,x,x,x]\\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e]\\ng: &g [*f,*f,*f,*f,*f,*f,*f,*f,*f]\\nh: &h [*g,*g,*g,*g,*g,*g,*g,*g,*g]\\n" | toJson | trunc 200 }}`,
    ends: /limit-exceeded|excessive aliasing/u,
  },
  {
    name: "YAML that nests deeply",
    template: '{{ fromYaml (print (repeat 100000 "[") (repeat 100000 "]")) | toJson | trunc 100 }}',
    ends: /limit-exceeded|exceeded max depth/u,
  },
  {
    name: "JSON that nests deeply",
    template: '{{ fromJson (print (repeat 100000 "[") (repeat 100000 "]")) | toJson | trunc 100 }}',
    ends: /limit-exceeded|exceeded max depth/u,
  },
  {
    name: "TOML that nests deeply",
    template: '{{ fromToml (print "a=" (repeat 100000 "[") (repeat 100000 "]")) | toJson | trunc 100 }}',
    ends: /./u,
  },
  {
    name: "a million bytes of parentheses",
    template: `{{ ${repeated("(", 500_000)}1${repeated(")", 500_000)} }}`,
    ends: "limit-exceeded",
  },
  {
    name: "a hundred thousand nested actions",
    template: `${repeated("{{ if true }}", 100_000)}x${repeated("{{ end }}", 100_000)}`,
    ends: "limit-exceeded",
  },
  {
    name: "a hundred thousand else ifs",
    template: `{{ if false }}${repeated("{{ else if false }}", 100_000)}{{ end }}`,
    ends: "limit-exceeded",
  },
  {
    name: "a hundred thousand open parentheses",
    template: `{{ ${repeated("(", 100_000)}`,
    ends: /limit-exceeded|parse error/u,
  },
  {
    name: "a chain of a million fields",
    template: `{{ .Values${repeated(".a", 500_000)} }}`,
    ends: /nil pointer evaluating interface/u,
  },
  {
    name: "a pipeline of ten thousand steps",
    template: `{{ 1${repeated(" | print", 10_000)} }}`,
    ends: /^1$|limit-exceeded/u,
  },
  { name: "ten thousand variables", template: repeated("{{ $x := 1 }}", 10_000), ends: /^$/u },
  {
    name: "a search for many pieces",
    template: '{{ splitList "" (repeat 3000000 "ab") | len }}',
    ends: /limit-exceeded|^6000000$/u,
  },
  {
    name: "many matches of nothing",
    template: '{{ regexFindAll "" (repeat 3000000 "ab") -1 | len }}',
    ends: /limit-exceeded|^6000001$/u,
  },
  {
    name: "a sum of a thousand texts",
    template: '{{ range until 100000 }}{{ $_ := sha512sum (repeat 100000 "x") }}{{ end }}',
    ends: "limit-exceeded",
  },
  {
    name: "keys without end",
    template: '{{ range until 100000 }}{{ $_ := genPrivateKey "ed25519" }}{{ end }}',
    ends: "limit-exceeded",
  },
  {
    name: "passwords without end",
    template: '{{ range until 100000 }}{{ $_ := htpasswd "u" "p" }}{{ end }}',
    ends: "limit-exceeded",
  },
  {
    name: "derived passwords without end",
    template: '{{ range until 100000 }}{{ $_ := derivePassword 1 "long" "p" "u" (toString .) }}{{ end }}',
    ends: "limit-exceeded",
  },
  {
    name: "a number with a large exponent",
    template: '{{ floor "1e1000000000" }}{{ float64 "1e999999999999999999999" }}{{ round 1.5 1000000000 }}',
    ends: /./u,
  },
  {
    name: "a decimal with a large exponent",
    template: '{{ addf "1e100000000" 1 }}{{ mulf "1e-100000000" "1e100000000" }}',
    ends: /./u,
  },
  {
    name: "a version with long numbers",
    template: '{{ semverCompare (repeat 100000 ">1 ") "1.2.3" }}',
    ends: /./u,
  },
  {
    name: "a pattern of files that backtracks elsewhere",
    template: '{{ len (.Files.Glob "**a**a**a**a**a**a**a**a**a**a**a**a**a**a**b") }}',
    ends: /^0$/u,
  },
  {
    name: "a pattern of files with nested braces",
    template: '{{ len (.Files.Glob (print (repeat 10000 "{a,") "b" (repeat 10000 "}"))) }}',
    ends: /./u,
  },
  {
    name: "a merge of maps that grow",
    template:
      "{{ $d := dict }}{{ range $i := until 1000000 }}{{ $_ := merge $d (dict (toString $i) $d) }}{{ end }}",
    ends: "limit-exceeded",
  },
  {
    name: "a date with a long layout",
    template: '{{ range until 1000 }}{{ $_ := date (repeat 1000000 "January") 0 }}{{ end }}',
    ends: "limit-exceeded",
  },
  {
    name: "random text without end",
    template: "{{ range until 1000 }}{{ $_ := randAlphaNum 1000000 }}{{ end }}",
    ends: "limit-exceeded",
  },
  {
    name: "one very long random text",
    template: "{{ randAlphaNum 1000000000 | len }}",
    ends: "limit-exceeded",
  },
  {
    name: "a shuffled text without end",
    template: '{{ $s := repeat 1000000 "ab" }}{{ range until 1000 }}{{ $_ := shuffle $s }}{{ end }}',
    ends: "limit-exceeded",
  },
  {
    name: "chunks of one",
    template: "{{ range until 1000 }}{{ $_ := chunk 1 (until 100000) }}{{ end }}",
    ends: "limit-exceeded",
  },
  {
    name: "sorting without end",
    template: "{{ range until 1000 }}{{ $_ := sortAlpha (until 100000) }}{{ end }}",
    ends: "limit-exceeded",
  },
  {
    name: "uniq over many",
    template: "{{ uniq (until 200000) | len }}",
    ends: /^200000$|limit-exceeded/u,
  },
  {
    name: "uniq over many maps",
    template:
      '{{ $l := list }}{{ range $i := until 20000 }}{{ $l = append $l (dict "a" $i) }}{{ end }}{{ uniq $l | len }}',
    ends: "limit-exceeded",
  },
  {
    name: "without many from many",
    template: "{{ without (until 200000) 1 2 3 | len }}",
    ends: /limit-exceeded|^199997$/u,
  },
];

/** What a template tries to read that is not the chart's; each prints nothing of it. */
export const prying: readonly { readonly name: string; readonly template: string; readonly ends: RegExp }[] =
  [
    { name: "a file above the chart", template: '[{{ .Files.Get "../x" }}]', ends: /^\[\]$/u },
    {
      name: "a file far above the chart",
      template: '[{{ .Files.Get "../../../../../../../../etc/passwd" }}]',
      ends: /^\[\]$/u,
    },
    { name: "a file of the machine", template: '[{{ .Files.Get "/etc/passwd" }}]', ends: /^\[\]$/u },
    {
      name: "a file of the machine as bytes",
      template: '[{{ .Files.GetBytes "/etc/passwd" | len }}]',
      ends: /^\[0\]$/u,
    },
    {
      name: "lines of the machine's files",
      template: '[{{ .Files.Lines "/etc/passwd" | len }}]',
      ends: /^\[0\]$/u,
    },
    {
      name: "files of the machine by a pattern",
      template:
        '[{{ len (.Files.Glob "/etc/*") }}{{ len (.Files.Glob "../*") }}{{ len (.Files.Glob "/**") }}]',
      ends: /^\[000\]$/u,
    },
    { name: "a file by an index", template: '[{{ index .Files "/etc/passwd" }}]', ends: /^\[\[\]\]$/u },
    { name: "a file by its address", template: '[{{ .Files.Get "file:///etc/passwd" }}]', ends: /^\[\]$/u },
    {
      name: "a file behind a zero byte",
      template: '[{{ .Files.Get "README.md\\x00/etc/passwd" }}]',
      ends: /^\[\]$/u,
    },
    { name: "the environment", template: '{{ env "PATH" }}', ends: /function "env" not defined/u },
    {
      name: "the environment in a text",
      template: '{{ expandenv "$PATH" }}',
      ends: /function "expandenv" not defined/u,
    },
    {
      name: "the environment by way of tpl",
      template: '{{ tpl "{{ env \\"PATH\\" }}" . }}',
      ends: /function "env" not defined/u,
    },
    {
      name: "the name of a host",
      template: '[{{ getHostByName "localhost" }}{{ getHostByName "example.com" }}]',
      ends: /^\[\]$/u,
    },
    {
      name: "the cluster",
      template: '[{{ lookup "v1" "Secret" "kube-system" "" | toJson }}]',
      ends: /^\[\{\}\]$/u,
    },
    {
      name: "what belongs to JavaScript",
      template:
        "{{ .Values.constructor }}{{ .Values.__proto__ }}{{ .Values.toString }}{{ .Values.hasOwnProperty }}",
      ends: /^$/u,
    },
    {
      name: "what belongs to JavaScript, of a list",
      template: "{{ .Values.names.length }}",
      ends: /can't evaluate field length in type/u,
    },
    {
      name: "what belongs to JavaScript, of a text",
      template: "{{ .Values.word.length }}",
      ends: /can't evaluate field length in type/u,
    },
    {
      name: "what belongs to JavaScript, of the chart",
      template: "{{ .Chart.constructor }}",
      ends: /can't evaluate field constructor in type/u,
    },
    {
      name: "a function of JavaScript",
      template: '{{ constructor "return 1" }}',
      ends: /function "constructor" not defined/u,
    },
    {
      name: "a template of JavaScript's names",
      template: '{{ template "__proto__" . }}',
      ends: /template "__proto__" not defined/u,
    },
    {
      name: "a key of JavaScript's names",
      template:
        '{{ $d := dict "__proto__" (dict "x" 1) }}{{ $d.x }}{{ $d.__proto__.x }}{{ hasKey (dict) "constructor" }}{{ get (dict) "__proto__" }}',
      ends: /^1false$/u,
    },
    {
      name: "JavaScript's names through JSON and YAML",
      template:
        '{{ (fromJson "{\\"__proto__\\":{\\"x\\":1}}").x }}{{ (fromYaml "__proto__: {x: 1}").x }}{{ (fromToml "__proto__.x = 1").x }}{{ merge (dict) (fromJson "{\\"__proto__\\":{\\"x\\":1}}") | toJson }}{{ (dict).x }}',
      ends: /^\{"__proto__":\{"x":1\}\}$/u,
    },
  ];
