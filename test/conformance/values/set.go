package main

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"strings"

	"helm.sh/helm/v3/pkg/strvals"
)

// setCase is one --set flag applied to a map: the map afterwards, or Helm's error.
type setCase struct {
	setInput
	Value json.RawMessage `json:"value,omitempty"`
	Error string          `json:"error,omitempty"`
}

type setInput struct {
	Mode   string          `json:"mode"`
	Target json.RawMessage `json:"target"`
	Text   string          `json:"text"`
}

func evaluateSet(input setInput) setCase {
	values := map[string]any{}
	if err := json.Unmarshal(input.Target, &values); err != nil {
		panic(err)
	}
	if err := applySet(input, values); err != nil {
		return setCase{setInput: input, Error: err.Error()}
	}
	encoded, err := json.Marshal(values)
	if err != nil {
		return setCase{setInput: input, Error: err.Error()}
	}
	return setCase{setInput: input, Value: encoded}
}

func applySet(input setInput, values map[string]any) error {
	switch input.Mode {
	case "set":
		return strvals.ParseInto(input.Text, values)
	case "set-string":
		return strvals.ParseIntoString(input.Text, values)
	case "set-json":
		return strvals.ParseJSON(input.Text, values)
	case "set-literal":
		return strvals.ParseLiteralInto(input.Text, values)
	case "set-file":
		return strvals.ParseIntoFile(input.Text, values, func(path []rune) (any, error) {
			if string(path) == "missing" {
				return nil, fmt.Errorf("no such file")
			}
			return "<" + string(path) + ">", nil
		})
	}
	return fmt.Errorf("unknown mode %q", input.Mode)
}

var setTargets = []string{
	`{}`,
	`{"a":1,"b":{"c":2,"d":[1,{"e":3},[4,5]]},"l":[1,2,3],"n":null,"s":"text","m":[{"x":1},{"y":2}]}`,
}

var setTexts = []string{
	"", "a", "a=", "a=b", "a=b,", "a=b,c=d", "a=,b=1", ",a=b", "a,b=c", "=", "=b", "a==b", "a=b=c", "a.b=c", "a.b.c=d", "a.=b", ".a=b", "a.", "a..b=c", "a.b", "a.b=", "a.b,",
	"a=1", "a=-1", "a=+1", "a=0", "a=00", "a=01", "a=-0", "a=-01", "a=+0", "a=1.5", "a=1e3", "a=0x10", "a=1_000", "a=9007199254740993", "a=9223372036854775807", "a=9223372036854775808", "a=-9223372036854775808", "a=-9223372036854775809",
	"a=true", "a=True", "a=TRUE", "a=tRuE", "a=false", "a=FALSE", "a=fal\u017fe", "a=null", "a=NULL", "a=Null", "a=~", "a=yes", "a=on", "a=\"b\"", "a='b'", "a= b", " a=b", "a =b", "a=b c", "a=b\nc=d", "a=\u00e4\U0001f600", "\u00e4=b",
	`a=b\,c`, `a=b\\c`, `a\.b=c`, `a\=b=c`, `a\,b=c`, `a\[0\]=b`, `a=b\`, `a\`, `a=\{b\}`, `a={b\,c,d}`, `a={b\},c}`, `a=\ntrue`, `a=\true`, `a=nul\l`, `a=\1`, "a=\\\U0001f600", `annotations.a\.b/c=d`,
	"a={}", "a={b}", "a={b,c}", "a={b,c", "a={", "a={b}c", "a={b},c=d", "a={b}}", "a={{b}}", "a={b,}", "a={,b}", "a={,}", "a={1,true,null,01,x}", "a=b{c}", "a={b=c}", "a={b.c}", "a={ b , c }", "l={9}", "a={b},", "a.b={c},d={e}",
	"a[0]=b", "a[1]=b", "a[0]=b,a[1]=c", "a[2]=c,a[0]=a", "a[0].b=c", "a[0].b=c,a[0].d=e", "a[0].b=c,a[1].b=d", "a[0][0]=b", "a[0][1]=b,a[1][0]=c", "a[0][0].b=c", "a.b[0]=c", "a.b[0].c[1]=d", "a[0]", "a[0", "a[", "a[]=b", "a[x]=b", "a[-1]=b", "a[+1]=b", "a[01]=b", "a[ 1]=b", "a[1.5]=b", "a[1]b=c", "a[0]=", "a[0]=,b=c", "a[0].", "a[0].b", "a[0].b=", "a[0].=b", "a[1].b=", "a[0]={b,c}", "a[0].b={c}", "a[0][0]", "a[0][", "a[0][0]=", "a[65537]=b", "a[65537]", "a[99999999999999999999]=b", "a[0]=b,a=c", "a=b,a[0]=c", "a[0],b=c", "[0]=b", "a[2].b=c", "a[3]=b", `a[0\]=b`,
	"b=x", "b.c=x", "b.d[0]=x", "b.d[1].e=x", "b.d[1].f=x", "b.d[2][0]=x", "b.d[2][2]=x", "b.d[0].x=y", "b.d[5]=x", "b.x.y=z", "b[0]=x", "s.x=y", "s[0]=x", "n.x=y", "n[0]=x", "l.x=y", "l[0]=x", "l[5]=x", "l[0].x=y", "l[0][0]=x", "m[0].x=2", "m[0].z=2", "m[2].z=2", "m[0][0]=1", "n=null", "b=null", "b.c=null", "l[1]=null", "b.d[1]=null", "m[0].", "m[5].", "l[0].", "b.", "b.d[", "b.d[0]", "s.", "s[0]", "n.", "a.x=1",
	"a={b},a[0]=c", "a={b,c},a[3]=d", "a.b=1,a.b.c=2", "a.b=1,a.c=2", "a=1,a=2", "a={1},a={2}", "a.b[0]=1,a.b[1]=2,a.c=3", "image.repository=docker.io/nginx,image.tag=1.27", "image.tag=1.10", "image.tag=20240101", "env[0].name=A,env[0].value=1", "nodeSelector.kubernetes\\.io/role=master", "args={--a=b,--c=d}", "a=b,c", "a=b,c,d=e", "a=b,,c=d", "a=b, c=d", "a=b , c=d", "a={b} ,c=d", "a=null,a.b=1", "a={},a[0]=1", "__proto__=1", "__proto__.a=1", "a.__proto__.b=1", "a[0].__proto__=1", "constructor.prototype.x=1", "toString=1", "hasOwnProperty.x=1",
	strings.Repeat("a.", 29) + "a=b", strings.Repeat("a.", 30) + "a=b", strings.Repeat("a.", 31) + "a=b", "a[0]." + strings.Repeat("a.", 30) + "a=b", "a" + strings.Repeat("[0]", 20) + "=b",
	`a={"b":1}`, `a=[1,2]`, `a="b"`, `a=1`, `a=1.5`, `a=-1`, `a=01`, `a=1.`, `a=1e`, `a=1e5`, `a=1e400`, `a=1.5.5`, `a=12.`, `a=12e`, `a=12.5e`, `a=12e5.`, `a=-12.`, `a=120`, `a=12.50,b=1`, `a=1e5e5`, `a=-`, `a=true`, `a=tru`, `a=truex`, `a=null`, `a=`, `a= `, `a=,b=1`, `a=1,b=2`, `a=1 , b=2`, `a={"b":[1,{"c":null}]},d="e"`, `a={"b":1`, `a=[1,`, `a=[1,]`, `a={"b":1,}`, `a={b:1}`, `a='b'`, `a="b`, `a="\u0041"`, `a="\ud800"`, `a="\ud83d\ude00"`, `a="\x"`, `a="b"c=1`, `a=[1]b=2`, `a={"b":1}c=2`, `a=[[[]]]`, `a={}`, `a=[]`, `a.b={"c":1}`, `a[0]={"c":1}`, `a[1]=2,a[0]=1`, `a={"__proto__":{"x":1}}`, `a={"b":1,"b":2}`, `b={"z":1}`, `b.c={"z":1}`, `a= {"b" : 1 } `, `a=  1`, "a=\u00a01", "a=\u00851", "a=\t1\n", `a=NaN`, `a=Infinity`, `a=+1`, `a=.5`, `a=0.5`, `a=-0`, `a=0e0`, `a="a,b",c=1`, `a=["a,b","]"],c="}"`, `a="\"",b=1`, `a=1 b=2`, `a="\\",b=1`, `a=[`, `a=]`, `a=}`, `a=[1}`, `a={"b"]`, `{"a":1}`, `a=nullb=1`, `a=[1 2]`, `a=-0.0`, `a=[1e400]`, "a=\"\t\"",
	`a=b\,c=d`, `a=b,c=d`, `a={b}`, `a\.b=c`, `a[0]=b,c`, `a[0].b=c=d`, `a==`, `a=\`, `a.b[0].c=x`, `a,b=c`, `a=https://example.com/?x=1,2`,
	"a=missing", "a=file.txt", "a={x,y}", "a={x,missing}", "a[0]=missing", "a.b=missing", "a=missing,b=1", "a=dir/file,b=other",
}

func setInputs() []setInput {
	inputs := []setInput{}
	add := func(mode, target, text string) {
		inputs = append(inputs, setInput{Mode: mode, Target: json.RawMessage(target), Text: text})
	}
	for _, text := range unique(append(setTexts, randomSetTexts(300)...)) {
		for i, target := range setTargets {
			add("set", target, text)
			if i == 1 {
				add("set-string", target, text)
				add("set-json", target, text)
				add("set-literal", target, text)
				add("set-file", target, text)
			}
		}
	}
	return inputs
}

func randomSetTexts(count int) []string {
	parts := []string{"a", "b", "c", "d", "l", "m", "n", "s", ".", ".", "=", "=", ",", ",", "[0]", "[1]", "[", "]", "{", "}", "\\", "1", "01", "true", "null", "{x,y}", "\"", " ", "{\"x\":1}", "x"}
	random := rand.New(rand.NewSource(20261103))
	texts := make([]string, count)
	for i := range texts {
		var text strings.Builder
		for j := 0; j < 2+random.Intn(9); j++ {
			text.WriteString(parts[random.Intn(len(parts))])
		}
		texts[i] = text.String()
	}
	return texts
}
