package main

import (
	"fmt"
	"math"
	"math/rand"
	"strconv"
)

// floatCase is what strconv.ParseFloat makes of a text: the bits of its value, or an error.
type floatCase struct {
	Text  string `json:"text"`
	Bits  string `json:"bits,omitempty"`
	Error string `json:"error,omitempty"`
}

var curatedFloats = []string{
	"0", "1", "-1", "+1", "007", "1.5", ".5", "5.", ".", "1e3", "1E3", "1e+3", "1e-3", "1e", "e1", "inf", "Inf", "+inf",
	"-Infinity", "infinit", "nan", "NaN", "+nan", "0x1p4", "0x1P-2", "0x.8p1", "0x1.8p1", "0X1p0", "0x10", "0x1", "0xp1",
	"0x1p", "0b1", "0o7", "1_000", "1__0", "_1", "1_", "1_.5", "0x_1p4", "0x1_0p0", "1e1_0", "", " 1", "1 ", "1,5", "v1",
	"1.2.3", "--1", "1e400", "-1e400", "1e-400", "0x1p1024", "0x1p-1080", "20240102030405678901", "20240102030405678902",
	"9007199254740993", "9007199254740992", "18446744073709551616", "1.7976931348623157e308", "1.7976931348623159e308",
	"4.9e-324", "2.4e-324", "0.1", "123456789012345678901234567890", "1600000000", "00", "-0", "0x1.fffffffffffff8p0",
	"0x1.00000000000008p0", "1f", "1d", "٣", "１",
}

func floatCases() []floatCase {
	var cases []floatCase
	for _, text := range curatedFloats {
		cases = append(cases, parseFloat(text))
	}
	random := rand.New(rand.NewSource(47))
	for range 600 {
		cases = append(cases, parseFloat(randomFloat(random)))
	}
	return cases
}

func parseFloat(text string) floatCase {
	value, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return floatCase{Text: text, Error: err.Error()}
	}
	if math.IsNaN(value) {
		return floatCase{Text: text, Bits: "nan"}
	}
	return floatCase{Text: text, Bits: fmt.Sprintf("%016x", math.Float64bits(value))}
}

func randomFloat(random *rand.Rand) string {
	text := ""
	for range 1 + random.Intn(9) {
		text += pick(random, "0", "1", "9", "5", "7", "_", ".", "e", "-", "+", "0x", "p", "a", "F", "12345678901234567")
	}
	return text
}
