package main

import (
	"math/rand/v2"
	"strings"
)

const (
	hexDigits = "0123456789abcdef"
	lower     = "abcdefghijklmnopqrstuvwxyz0123456789"
	capitals  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	// alphabet is what a mutation inserts.
	alphabet = lower + capitals + "...---___///:::@@@[]+~%;,*{}$#?=&|\\'\" \t\n\x00\x7féßİK中😀\u2028"
)

// generator builds texts from the grammar and then damages about half of them.
type generator struct{ random *rand.Rand }

func newGenerator() generator {
	return generator{rand.New(rand.NewPCG(2002, 6))}
}

func (g generator) text() string {
	text := g.reference()
	if g.random.IntN(100) < 55 {
		return text
	}
	for range 1 + g.random.IntN(2) {
		text = g.mutate(text)
	}
	return text
}

func (g generator) reference() string {
	var text strings.Builder
	if g.random.IntN(100) < 60 {
		text.WriteString(g.host() + "/")
	}
	text.WriteString(g.path())
	if g.random.IntN(100) < 55 {
		text.WriteString(":" + g.tag())
	}
	if g.random.IntN(100) < 18 {
		text.WriteString("@" + g.digest())
	}
	return text.String()
}

var hosts = []string{
	"docker.io", "index.docker.io", "registry-1.docker.io", "registry.hub.docker.com", "localhost", "quay.io",
	"gcr.io", "registry.k8s.io", "Docker.io", "INDEX.docker.io", "LOCALHOST", "library", "[::1]", "[2001:db8::1]",
	"127.0.0.1", "[fe80::1%eth0]", "[::ffff:1.2.3.4]", "my_registry.local", "registry", "Registry", "a--b.c",
}

func (g generator) host() string {
	host := g.pick(hosts)
	if g.random.IntN(2) == 0 {
		labels := make([]string, 1+g.random.IntN(4))
		for index := range labels {
			labels[index] = g.word(lower+lower+"-"+capitals, 1+g.random.IntN(8))
		}
		host = strings.Join(labels, ".")
	}
	switch g.random.IntN(5) {
	case 0:
		return host + ":" + g.word("0123456789", 1+g.random.IntN(6))
	case 1:
		return host + g.pick([]string{":5000", ":443", ":", ":http", ":0"})
	default:
		return host
	}
}

func (g generator) path() string {
	if g.random.IntN(150) == 0 {
		return g.long()
	}
	components := make([]string, 1+g.random.IntN(4))
	for index := range components {
		components[index] = g.component()
	}
	if g.random.IntN(12) == 0 {
		components[0] = "library"
	}
	return strings.Join(components, "/")
}

// long is a path about as long as paths may be.
func (g generator) long() string {
	length := 240 + g.random.IntN(20)
	path := strings.Repeat(g.word(lower, 15)+"/", 20)[:length-1]
	return strings.TrimSuffix(path, "/") + "a"
}

func (g generator) component() string {
	component := g.word(lower, 1+g.random.IntN(6))
	for range g.random.IntN(3) {
		component += g.pick([]string{".", "_", "__", "-", "--", "---", ".", "-", "-", "___", ".."}[:8+g.random.IntN(4)])
		component += g.word(lower, 1+g.random.IntN(4))
	}
	return component
}

func (g generator) tag() string {
	switch g.random.IntN(20) {
	case 0:
		return g.word(lower+capitals+"._-", 120+g.random.IntN(16))
	case 1:
		return g.word(lower+capitals+"._-", g.random.IntN(4))
	default:
		return g.word(lower+capitals+"_", 1) + g.word(lower+capitals+"._-", g.random.IntN(10))
	}
}

func (g generator) digest() string {
	algorithms := []string{"sha256", "sha256", "sha256", "sha384", "sha512", "sha1", "md5", "SHA256", "sha256+b64"}
	lengths := map[string]int{"sha384": 96, "sha512": 128, "sha1": 40, "md5": 32}
	algorithm := g.pick(algorithms)
	length, known := lengths[algorithm]
	if !known {
		length = 64
	}
	if g.random.IntN(10) == 0 {
		length += g.random.IntN(3) - 1
	}
	digits := hexDigits
	if g.random.IntN(15) == 0 {
		digits += "ABCDEF"
	}
	return algorithm + ":" + g.word(digits, length)
}

func (g generator) mutate(text string) string {
	characters := []rune(text)
	if len(characters) == 0 {
		return string([]rune(alphabet)[g.random.IntN(60)])
	}
	at := g.random.IntN(len(characters))
	inserted := []rune(alphabet)
	switch g.random.IntN(7) {
	case 0:
		return string(characters[:at]) + string(characters[at+1:])
	case 1:
		return string(characters[:at]) + string(inserted[g.random.IntN(len(inserted))]) + string(characters[at:])
	case 2:
		characters[at] = inserted[g.random.IntN(len(inserted))]
		return string(characters)
	case 3:
		return string(characters[:at])
	case 4:
		return string(characters[at:])
	case 5:
		end := at + g.random.IntN(len(characters)-at)
		return string(characters[:end]) + string(characters[at:])
	default:
		return string(characters[:at]) + strings.ToUpper(string(characters[at])) + string(characters[at+1:])
	}
}

func (g generator) word(from string, length int) string {
	var word strings.Builder
	for range length {
		word.WriteByte(from[g.random.IntN(len(from))])
	}
	return word.String()
}

func (g generator) pick(choices []string) string {
	return choices[g.random.IntN(len(choices))]
}
