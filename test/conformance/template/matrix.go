package main

import (
	"fmt"
	"math/rand"
	"reflect"
	"sort"
	"strings"

	"github.com/Masterminds/sprig/v3"
)

// unpredictable functions depend on chance, on the time, on the order of a map, or take long.
var unpredictable = strings.Fields(`
ago bcrypt buildCustomCert date date_in_zone dateInZone date_modify dateModify derivePassword encryptAES env expandenv genCA genCAWithKey
genPrivateKey genSelfSignedCert genSelfSignedCertWithKey genSignedCert genSignedCertWithKey getHostByName htmlDate htmlDateInZone htpasswd
keys must_date_modify mustDateModify now randAlpha randAlphaNum randAscii randBytes randInt randNumeric shuffle uuidv4 values repeat`)

// helmsOwn are the functions that Helm adds, with the number of arguments they take.
var helmsOwn = map[string]int{
	"toToml": 1, "fromToml": 1, "toYaml": 1, "toYamlPretty": 1, "fromYaml": 1, "fromYamlArray": 1, "fromJson": 1, "fromJsonArray": 1,
	"include": 2, "tpl": 2, "required": 2, "lookup": 4,
	"and": 2, "or": 2, "not": 1, "len": 1, "index": 2, "slice": 3, "print": 2, "printf": 3, "println": 2, "html": 1, "js": 1, "urlquery": 1, "call": 1,
	"eq": 2, "ne": 2, "lt": 2, "le": 2, "gt": 2, "ge": 2,
}

var matrixArguments = words(`"abc"; ""; "3"; "äß 😀"; 3; -1; 2.5; true; nil; .Values.absent; .Values.three; (int64 7); (list 1 "a"); .Values.emptyList; (dict "a" 1); .Values.single; 'x'; .Chart`)

// matrixCases give every function arguments of every type, one, two and three of them.
func matrixCases() []testCase {
	cases := []testCase{}
	random := rand.New(rand.NewSource(20261201))
	call := func(name string, arguments ...string) {
		cases = append(cases, testCase{Template: fmt.Sprintf("{{ %s %s }}", name, strings.Join(arguments, " "))})
	}
	pick := func() string { return matrixArguments[random.Intn(len(matrixArguments))] }
	arities := arities()
	names := []string{}
	for name := range arities {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		arity := arities[name]
		cases = append(cases, testCase{Template: fmt.Sprintf("{{ %s }}", name)})
		if arity.accepts(1) {
			for _, argument := range matrixArguments {
				call(name, argument)
			}
		} else {
			call(name, pick())
		}
		if arity.accepts(2) {
			for i := 0; i < 18; i++ {
				call(name, pick(), pick())
			}
		} else {
			call(name, pick(), pick())
		}
		if arity.accepts(3) {
			for i := 0; i < 9; i++ {
				call(name, pick(), pick(), pick())
			}
		}
	}
	return cases
}

type arity struct {
	count    int
	variadic bool
}

func (arity arity) accepts(count int) bool {
	return count == arity.count || arity.variadic && count >= arity.count
}

func arities() map[string]arity {
	found := map[string]arity{}
	for name, function := range sprig.TxtFuncMap() {
		kind := reflect.TypeOf(function)
		count := kind.NumIn()
		if kind.IsVariadic() {
			count--
		}
		found[name] = arity{count, kind.IsVariadic()}
	}
	for name, count := range helmsOwn {
		found[name] = arity{count, false}
	}
	for _, name := range unpredictable {
		delete(found, name)
	}
	return found
}
