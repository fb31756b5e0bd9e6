package main

import "strings"

// curated gives the texts whose treatment the documents and the grammar single out.
func curated() []string {
	sha256 := "@sha256:" + strings.Repeat("0123456789abcdef", 4)
	sha384 := "@sha384:" + strings.Repeat("0123456789abcdef", 6)
	sha512 := "@sha512:" + strings.Repeat("0123456789abcdef", 8)
	hex64 := strings.Repeat("0123456789abcdef", 4)
	texts := []string{
		// Docker Hub and its names
		"nginx", "nginx:1.23", "nginx" + sha256, "nginx:1.23" + sha256, "library/nginx", "bitnami/redis:latest",
		"docker.io/nginx:1.23", "docker.io/library/nginx", "docker.io/library/a/b", "docker.io/a/b/c",
		"index.docker.io/nginx", "index.docker.io/library/nginx:1", "index.docker.io:443/nginx",
		"docker.io:443/nginx", "registry-1.docker.io/nginx", "registry-1.docker.io/library/nginx:1",
		"registry.hub.docker.com/library/nginx:1", "registry.hub.docker.com/nginx", "Docker.io/nginx",
		"docker.io", "docker.io:80", "docker.io/", "docker.io/docker.io/x", "docker.io/example.com/x",
		// hosts
		"quay.io/prometheus/prometheus" + sha256, "quay.io/project/img:v4.2", "localhost", "localhost/x",
		"localhost:5000", "localhost:5000/x", "localhost:5000/x:1", "LOCALHOST/x", "Localhost:5000/x",
		"registry/x", "registry:5000/x", "Registry/x", "REGISTRY", "myharbor.internal:5000/dockerio/nginx:1",
		"127.0.0.1/x", "127.0.0.1:5000/x", "[::1]/x", "[::1]:5000/x", "[::1]:5000/x:1" + sha256, "[::1]", "[]/x",
		"[2001:DB8::1]:5000/x", "[fe80::1%25eth0]/x", "[::ffff:1.2.3.4]/x", "[::1/x", "::1/x", "[::1]5000/x",
		"a.b:/x", "a.b:99999999999/x", "a.b:0/x", "a.b:http/x", "-a.b/x", "a-.b/x", "a.-b/x", "a--b.c/x", "a..b/x",
		".a/x", "a./x", "a_b.c/x", "my_mirror.example/app:1" + sha256, "a_b.c:80/x", "a_b/x", "a__b.c/d", "A_b.c/x",
		"xn--n3h.com/myimage:xn--n3h.com", "xn--7o8h.com/myimage", "ünïcode.example/x", "foo.com:8080",
		strings.Repeat("a", 64) + ".example/x", strings.Repeat("abcdefgh.", 100) + "example/x",
		// paths
		"", "/", "a/", "/a", "a//b", "a/b/c/d/e/f", "a.b", "a..b", "a_b", "a__b", "a___b", "a-b", "a--b", "a---------b",
		"a.-b", "a._b", "a-_b", "-a", "a-", "_a", "a_", ".a", "a.", "1", "0/0", "aA", "a/B", "example.com/App", "App/x",
		"example.com/a_b__c--d.e/f", "a b", " a", "a ", "a\n", "\na", "a\x00", "a\u2028b", "ä", "a/ä", "İ/x", "K/x", "ſ/x",
		// tags
		"a:", "a:b", "a:_", "a:.b", "a:-b", "a:b.", "a:b-", "a:B", "a:1.10", "a:b:c", "a:b/c", "a/b:c/d", "a::b",
		"invalid::image", "a:b+c", "a:bé", "a:b\n", ":tag", "example.com:tag", "example.com:5000:tag",
		"a:" + strings.Repeat("x", 127), "a:" + strings.Repeat("x", 128), "a:" + strings.Repeat("x", 129),
		// digests
		"a" + sha384, "a" + sha512, "a:1" + sha384, "a:1" + sha512, "a@", "a@sha256", "a@sha256:", "a:" + sha256, sha256,
		"a@sha256:" + hex64[1:], "a@sha256:0" + hex64, "a@sha384:" + hex64, "a@sha512:" + hex64, "a@md5:" + hex64[:32],
		"a@SHA256:" + hex64, "a@sha256:" + strings.ToUpper(hex64), "a@sha256+b64:" + hex64, "a" + sha256 + sha256,
		"a" + sha256 + ":tag", "a@sha256:" + hex64[:63] + "g", "a@@sha256:" + hex64, "a@sha1:" + hex64[:40],
		"a@:" + hex64, "a@__proto__:" + hex64, "a@sha224:" + hex64[:56],
		// image identifiers
		hex64, hex64[1:], "0" + hex64, strings.ToUpper(hex64), hex64 + ":tag", "library/" + hex64, "docker.io/" + hex64,
		"example.com/" + hex64, hex64 + sha256, hex64 + "\n", "sha256:" + hex64,
		// not references
		"https://quay.io/a/b", "docker://nginx", "oci://example.com/a", "{{ .Values.image }}", "a:{{ .tag }}",
		"map[registry:a]", "$(IMAGE)", "${IMAGE}:1", "--image=a", "a,b", "a;b", "a|b", "user@host/x", "user:pw@host/x",
		"true", "null", "1.10", "10.0.0.0/8", "/usr/local/bin", "./a", "../a", "a/./b", "a/../b", "a\\b", "__proto__",
		"constructor", "toString:valueOf", "hasownproperty/x", "\u202ea", "\x1b[31ma",
	}
	for _, prefix := range []string{"", "b/", "docker.io/", "example.com/", "a_b.c/"} {
		for length := 244; length <= 258; length++ {
			texts = append(texts, prefix+strings.Repeat("a", length))
		}
	}
	return texts
}
