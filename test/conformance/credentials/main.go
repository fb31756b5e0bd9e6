// Command credentials prints which credentials kubelet takes for an image from pull secrets that are made up
// from a fixed seed.
//
//	go run . > cases.jsonl
package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	v1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/credentialprovider"
	"k8s.io/kubernetes/pkg/credentialprovider/secrets"
)

// Secret is a pull secret in short.
type Secret struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// Case holds the users whose credentials kubelet tries for each image, in its order.
type Case struct {
	Secrets []Secret            `json:"secrets"`
	Failed  bool                `json:"failed,omitempty"`
	Images  map[string][]string `json:"images,omitempty"`
}

var hosts = []string{
	"quay.io", "ghcr.io", "registry.example.com", "a.example.com", "b.example.com", "a.b.example.com",
	"docker.io", "index.docker.io", "registry-1.docker.io", "localhost", "10.0.0.1", "mirror",
}

// Images as kubelet normalises their names: none is a name without a registry, and none of index.docker.io.
var imageHosts = []string{
	"quay.io", "ghcr.io", "registry.example.com", "a.example.com", "b.example.com", "a.b.example.com", "docker.io",
	"docker.io", "10.0.0.1",
}
var globs = []string{
	"*.io", "*.example.com", "*.*.example.com", "reg*.example.com", "*.com", "*", "a.*.com", "q*y.io", "*a.example.com",
	"**.io", "a*.ex*le.com", "*.docker.io",
}
var ports = []string{"", "", "", "", ":5000", ":443"}
var paths = []string{
	"", "", "", "/", "/v1", "/v1/", "/v2/", "/v1/team", "/team", "/team/", "/team/app", "/te", "/team/app/web",
	"/other", "/library", "/v2/team/app",
}
var schemes = []string{"", "", "", "https://", "http://"}
var imagePaths = []string{"team/app", "team/app/web", "team", "other/app", "library/nginx", "teamwork/app", "app"}

var auths = []func(user string) map[string]any{
	func(user string) map[string]any {
		return map[string]any{"auth": base64.StdEncoding.EncodeToString([]byte(user + ":secret"))}
	},
	func(user string) map[string]any {
		return map[string]any{"auth": base64.RawStdEncoding.EncodeToString([]byte(user + ":se:cret"))}
	},
	func(user string) map[string]any { return map[string]any{"username": user, "password": "secret"} },
	func(user string) map[string]any {
		auth := base64.StdEncoding.EncodeToString([]byte(user + ":secret"))
		return map[string]any{"username": "not-" + user, "password": "not", "email": "a@b.c", "auth": auth}
	},
}
var brokenAuths = []any{
	map[string]any{"auth": "not base64!"},
	map[string]any{"auth": base64.StdEncoding.EncodeToString([]byte("no colon"))},
	map[string]any{"auth": 5},
	"text",
	[]any{},
}

func pick[T any](random *rand.Rand, from []T) T { return from[random.IntN(len(from))] }

func makeImage(random *rand.Rand) string {
	registry, path := pick(random, imageHosts)+pick(random, ports), pick(random, imagePaths)
	if registry == "docker.io" && !strings.Contains(path, "/") {
		path = "library/" + path
	}
	return registry + "/" + path
}

func makeSecret(random *rand.Rand, number *int) Secret {
	entries := map[string]any{}
	for range random.IntN(6) {
		host := pick(random, hosts)
		if random.IntN(3) == 0 {
			host = pick(random, globs)
		}
		key := pick(random, schemes) + host + pick(random, ports) + pick(random, paths)
		*number++
		entries[key] = pick(random, auths)(fmt.Sprintf("user%d", *number))
	}
	if random.IntN(40) == 0 {
		entries["broken.example.com"] = pick(random, brokenAuths)
	}
	if random.IntN(4) == 0 {
		return Secret{string(v1.SecretTypeDockercfg), encode(entries)}
	}
	if random.IntN(20) == 0 {
		return Secret{string(v1.SecretTypeOpaque), encode(map[string]any{"auths": entries})}
	}
	return Secret{string(v1.SecretTypeDockerConfigJson), encode(map[string]any{"auths": entries})}
}

func encode(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		log.Fatal(err)
	}
	return string(text)
}

func keyringOf(given []Secret) (credentialprovider.DockerKeyring, error) {
	made := []v1.Secret{}
	for _, secret := range given {
		data := map[string][]byte{v1.DockerConfigJsonKey: []byte(secret.Text)}
		if secret.Type == string(v1.SecretTypeDockercfg) {
			data = map[string][]byte{v1.DockerConfigKey: []byte(secret.Text)}
		}
		made = append(made, v1.Secret{Type: v1.SecretType(secret.Type), Data: data})
	}
	return secrets.MakeDockerKeyring(made, &credentialprovider.BasicDockerKeyring{})
}

func usersFor(given []Secret, image string) []string {
	keyring, err := keyringOf(given)
	if err != nil {
		log.Fatal(err)
	}
	found, _ := keyring.Lookup(image)
	users := []string{}
	for _, one := range found {
		users = append(users, one.Username)
	}
	return users
}

func main() {
	random := rand.New(rand.NewPCG(5, 5))
	output := json.NewEncoder(os.Stdout)
	number := 0
	for range 800 {
		given := []Secret{}
		for range 1 + random.IntN(3) {
			given = append(given, makeSecret(random, &number))
		}
		one := Case{Secrets: given, Images: map[string][]string{}}
		_, err := keyringOf(given)
		one.Failed = err != nil
		for range 6 {
			image := makeImage(random)
			if err != nil {
				break
			}
			users := usersFor(given, image)
			stable := true
			for range 12 {
				// Keys that mean the same stand in the order of a Go map.
				stable = stable && slices.Equal(users, usersFor(given, image))
			}
			if stable {
				one.Images[image] = users
			}
		}
		if err := output.Encode(one); err != nil {
			log.Fatal(err)
		}
	}
}
