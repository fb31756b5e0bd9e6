package main

func pathCases() []testCase {
	paths := words(`""; "."; "/"; "a"; "a/b"; "/a/b/"; "a/../b"; "../a"; "/.."; "a//b/./c"; "a.tar.gz"; ".hidden"; "a.b/c"; "/a/b.txt"; "a/"; "ä/ö.ü"; "\\a\\b"`)
	urls := words(`""; "http://a"; "https://user:pw@example.com:8080/a/b?x=1&y=2#frag"; "a/b"; "/a"; "mailto:a@b"; "//host/p"; "http://[::1]:80/"; "http://a/%41%2f?q=%20#%20"; "http://a b"; "http://a:b"; "%zz"; ":"; "http://user@h"; "http://h?"; "http://h/#"; "a:b"; "1:2"; "http://ä.com/ö?ü#ß"; "oci://ghcr.io/a/b:1.2"; "http://h\x7f"`)
	return all(
		cross("{{ base %s }} {{ dir %[1]s }} {{ clean %[1]s }} {{ ext %[1]s }} {{ isAbs %[1]s }} {{ osBase %[1]s }} {{ osDir %[1]s }} {{ osClean %[1]s }} {{ osExt %[1]s }} {{ osIsAbs %[1]s }}", paths),
		cross("{{ urlParse %s | toJson }}\n{{ urlParse %[1]s | urlJoin }}", urls),
		lines(`
{{ urlJoin (dict "scheme" "http" "host" "h:80" "path" "/p" "query" "a=1" "fragment" "f" "userinfo" "u:p") }}
{{ urlJoin (dict "host" "h") }} {{ urlJoin (dict "path" "p") }} {{ urlJoin (dict "scheme" "x" "opaque" "o") }} {{ urlJoin (dict) }} {{ urlJoin (dict "scheme" "http" "host" "h" "path" "p q") }} {{ urlJoin (dict "scheme" "http" "host" "h" "userinfo" "u") }} {{ urlJoin (dict "host" "h" "query" "a b") }} {{ urlJoin (dict "fragment" "a b#") }} {{ urlJoin (dict "scheme" "http" "path" "//p") }} {{ urlJoin (dict "path" "a:b") }}
{{ urlJoin (dict "scheme" 1) }}
{{ urlJoin "a" }}
{{ urlJoin (dict "userinfo" "a:b:c@d") }}
{{ urlParse 1 }}
{{ urlParse nil }}
{{ (urlParse .Values.url).host }} {{ (urlParse .Values.url).hostname }} {{ (urlParse .Values.url).path }} {{ (urlParse .Values.url).query }} {{ (urlParse .Values.url).userinfo }} {{ (urlParse .Values.url).fragment }} {{ (urlParse .Values.url).opaque }} {{ (urlParse .Values.url).scheme }} {{ (urlParse .Values.url).absent }}
{{ $u := urlParse .Values.url }}{{ $_ := set $u "host" "other" }}{{ urlJoin $u }}
{{ urlquery "a b" "c" }} {{ urlquery }} {{ urlquery "/?&=+%" }}
{{ base 1 }}
{{ dir }}
{{ ext nil }}
{{ .Template.BasePath | base }} {{ .Template.Name | dir }} {{ print .Template.BasePath "/x" | clean }}
`))
}

func cryptoCases() []testCase {
	return all(
		cross("{{ sha1sum %s }} {{ sha256sum %[1]s }} {{ sha512sum %[1]s }} {{ adler32sum %[1]s }}", words(`""; "a"; "hello world"; "ä😀"; "\x00\xff"; .Values.long; (repeat 200 "abc")`)),
		lines(`
{{ sha256sum 1 }}
{{ sha256sum nil }}
{{ sha256sum .Values.absent }}
{{ sha256sum (toYaml .Values.map) }} {{ .Values.map | toJson | sha256sum | trunc 8 }} {{ include "c/templates/_p" . | sha256sum }}
{{ derivePassword 1 "long" "password" "user" "example.com" }} {{ derivePassword 1 "maximum" "password" "user" "example.com" }}
{{ derivePassword 1 "medium" "password" "user" "example.com" }} {{ derivePassword 2 "short" "password" "user" "example.com" }} {{ derivePassword 1 "basic" "password" "user" "example.com" }} {{ derivePassword 1 "pin" "password" "user" "example.com" }} {{ derivePassword 1 "nope" "password" "user" "example.com" }}
{{ derivePassword "1" "long" "p" "u" "s" }}
{{ encryptAES "secret" "plain" | decryptAES "secret" }} {{ encryptAES "k" "" | b64dec | len }} {{ encryptAES "" "x" }}
{{ decryptAES "secretkey" "30tEfhuJSVRhpG97XCuWgz2okj7L8vQ1s6V9zVUPeDQ=" }}
{{ decryptAES "k" "" }}
{{ decryptAES "k" "!!" }}
{{ decryptAES "k" "YWJj" }}
{{ genPrivateKey "ecdsa" | hasPrefix "-----BEGIN EC PRIVATE KEY-----\n" }} {{ genPrivateKey "ed25519" | hasPrefix "-----BEGIN PRIVATE KEY-----\n" }} {{ genPrivateKey "rsa" | hasPrefix "-----BEGIN RSA PRIVATE KEY-----\n" }}
{{ genPrivateKey "dsa" | hasPrefix "-----BEGIN DSA PRIVATE KEY-----\n" }}
{{ genPrivateKey "nope" }}
{{ genPrivateKey "" | hasPrefix "-----BEGIN" }}
{{ genPrivateKey 1 }}
{{ $ca := genCA "ca" 365 }}{{ $ca.Cert | hasPrefix "-----BEGIN CERTIFICATE-----\n" }} {{ $ca.Key | hasPrefix "-----BEGIN RSA PRIVATE KEY-----\n" }} {{ $ca.Cert | hasSuffix "-----END CERTIFICATE-----\n" }} {{ typeOf $ca }} {{ kindOf $ca }}
{{ $ca := genCA "ca" 365 }}{{ $c := genSignedCert "host" (list "10.0.0.1") (list "a.b" "c.d") 30 $ca }}{{ $c.Cert | hasPrefix "-----BEGIN CERTIFICATE-----\n" }} {{ $c.Absent }}
{{ $c := genSelfSignedCert "host" nil (list "a.b") 30 }}{{ $c.Cert | hasPrefix "-----BEGIN CERTIFICATE-----\n" }}
{{ genSelfSignedCert "host" (list "nope") nil 30 }}
{{ genSelfSignedCert "host" (list 1) nil 30 }}
{{ genSelfSignedCert "host" nil (list 1) 30 }}
{{ genSelfSignedCert "host" "10.0.0.1" nil 30 }}
{{ genSelfSignedCert "host" nil nil "30" }}
{{ genCA "ca" "365" }}
{{ genCA "ca" }}
{{ genSignedCert "host" nil nil 30 "ca" }}
{{ genSignedCert "host" nil nil 30 nil }}
{{ genCAWithKey "ca" 365 "nope" }}
{{ buildCustomCert "a" "b" }}
{{ buildCustomCert "!" "b" }}
{{ buildCustomCert ("-----BEGIN CERTIFICATE-----\nMTIz\n-----END CERTIFICATE-----\n" | b64enc) ("nope" | b64enc) }}
{{ (buildCustomCert ((genCA "ca" 1).Cert | b64enc) (genPrivateKey "rsa" | b64enc)).Cert | hasPrefix "-----BEGIN CERTIFICATE" }}
{{ $ca := genCA "ca" 365 }}{{ (buildCustomCert ($ca.Cert | b64enc) ($ca.Key | b64enc)).Key | eq $ca.Key }}
{{ genCA "ca" 365 | toJson | hasPrefix "{\"Cert\":\"-----BEGIN" }}
{{ (genCA "ca" 365).Cert | b64enc | b64dec | hasPrefix "-----BEGIN" }}
{{ bcrypt "" | len }}
{{ bcrypt 1 }}
{{ htpasswd "u" }}
{{ htpasswd "u" "p" "bcrypt" }}
`))
}
