package main

import (
	"fmt"
	"math"
	"math/rand"
	"strconv"
)

// number is a float64 with what `%v` prints and what sigs.k8s.io/yaml writes for it as a key.
type number struct {
	Bits    string `json:"bits"`
	Printed string `json:"printed"`
	Key     string `json:"key"`
}

func numbers() []number {
	values := []float64{
		0, math.Copysign(0, -1), 1, -1, 1.1, 1.10, 4.14, 16, 0.1, 0.0001, 0.00001, 1e-5, 1e-7, 123456, 999999, 999999.5, 1000000,
		1234567, 10000000, 20240101, 123456789, 1e20, 1e21, 1e22, 1e100, 1.7976931348623157e308, 5e-324, 3.4028235e38, 3.4e39,
		9007199254740991, 9007199254740993, 0.1234567891, 100000.5, -1234567, -0.00001234, 1.5e-10,
	}
	random := rand.New(rand.NewSource(20261102))
	for i := 0; i < 300; i++ {
		values = append(values, random.NormFloat64()*math.Pow(10, float64(random.Intn(40)-15)))
		values = append(values, math.Trunc(random.Float64()*math.Pow(10, float64(random.Intn(18)))))
	}
	numbers := make([]number, len(values))
	for i, value := range values {
		numbers[i] = number{
			Bits:    strconv.FormatUint(math.Float64bits(value), 16),
			Printed: fmt.Sprint(value),
			Key:     strconv.FormatFloat(value, 'g', -1, 32),
		}
	}
	return numbers
}
