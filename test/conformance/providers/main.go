// Command requests prints, one a line, the requests that Flux's notification-controller sends for two events by each
// of its providers. It is built inside a copy of that module, whose notifiers are internal.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"time"

	"github.com/fluxcd/notification-controller/internal/notifier"
	eventv1 "github.com/fluxcd/pkg/apis/event/v1beta1"
	tracepb "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// request is one request, as the server saw it.
type request struct {
	Type     string              `json:"type"`
	Severity string              `json:"severity"`
	Method   string              `json:"method"`
	Path     string              `json:"path"`
	Headers  map[string][]string `json:"headers"`
	Body     string              `json:"body"`
}

func main() {
	var typ, severity string
	var srv *httptest.Server
	enc := json.NewEncoder(os.Stdout)
	enc.SetEscapeHTML(false)
	srv = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		h := r.Header.Clone()
		for _, k := range []string{"User-Agent", "Accept-Encoding", "Content-Length"} {
			h.Del(k)
		}
		body := string(b)
		if r.Header.Get("Content-Type") == "application/x-protobuf" {
			body = traceJSON(b)
		}
		if r.Header.Get("Content-Type") == "application/x-sentry-envelope" {
			body = envelopeJSON(b)
		}
		body = strings.ReplaceAll(body, srv.URL, "http://flux.test")
		enc.Encode(request{typ, severity, r.Method, r.URL.RequestURI(), h, body})
		switch {
		case r.URL.Path == "/api/v1/version":
			w.Write([]byte(`{"version":"1.22.0"}`))
		case r.URL.Path == "/api/v4/user":
			w.Write([]byte(`{"username":"flux"}`))
		case r.URL.Path == "/api/v1/user" || r.URL.Path == "/api/v3/user":
			w.Write([]byte(`{"login":"flux"}`))
		case r.Method == "GET" && strings.HasSuffix(r.URL.Path, "/builds"):
			w.WriteHeader(404)
		case r.Method == "GET":
			w.Header().Set("Content-Type", "application/json")
			w.Write([]byte(`[]`))
		default:
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(201)
			w.Write([]byte(`{}`))
		}
	}))
	ev := func(sev, reason, msg string) eventv1.Event {
		return eventv1.Event{
			InvolvedObject:      corev1.ObjectReference{APIVersion: "kustomize.toolkit.fluxcd.io/v1", Kind: "Kustomization", Namespace: "flux-system", Name: "podinfo", UID: "7d0cdc51-ddcf-4743-b223-83ca5c699632"},
			Severity:            sev,
			Timestamp:           metav1.NewTime(time.Date(2026, 5, 4, 3, 2, 0, 0, time.UTC)),
			Message:             msg,
			Reason:              reason,
			Metadata:            map[string]string{"revision": "main@sha1:5394cb7f48332b2de7c17dd8b8384bbc84b7e738", "summary": "staging cluster", "change_request": "42"},
			ReportingController: "kustomize-controller", ReportingInstance: "kustomize-controller-0",
		}
	}
	u := srv.URL
	cases := []struct {
		typ string
		opt []notifier.Option
	}{
		{"generic", []notifier.Option{notifier.WithURL(u + "/hook"), notifier.WithHeaders(map[string]string{"X-A": "b"})}},
		{"generic-hmac", []notifier.Option{notifier.WithURL(u + "/hook"), notifier.WithToken("key")}},
		{"slack", []notifier.Option{notifier.WithURL(u + "/hook"), notifier.WithChannel("general"), notifier.WithToken("tok")}},
		{"discord", []notifier.Option{notifier.WithURL(u + "/hook"), notifier.WithChannel("general")}},
		{"rocket", []notifier.Option{notifier.WithURL(u + "/hook"), notifier.WithChannel("general")}},
		{"msteams", []notifier.Option{notifier.WithURL(u + "/hook")}},
		{"googlechat", []notifier.Option{notifier.WithURL(u + "/hook")}},
		{"webex", []notifier.Option{notifier.WithURL(u + "/hook"), notifier.WithChannel("room"), notifier.WithToken("tok")}},
		{"lark", []notifier.Option{notifier.WithURL(u + "/hook")}},
		{"matrix", []notifier.Option{notifier.WithURL(u), notifier.WithChannel("!room:example.org"), notifier.WithToken("tok")}},
		{"zulip", []notifier.Option{notifier.WithURL(u), notifier.WithChannel("stream/topic"), notifier.WithUsername("bot@x"), notifier.WithPassword("pw")}},
		{"grafana", []notifier.Option{notifier.WithURL(u + "/api/annotations"), notifier.WithUsername("u"), notifier.WithPassword("pw")}},
		{"alertmanager", []notifier.Option{notifier.WithURL(u + "/api/v2/alerts"), notifier.WithToken("tok")}},
		{"opsgenie", []notifier.Option{notifier.WithURL(u + "/v2/alerts"), notifier.WithToken("tok")}},
		{"pagerduty", []notifier.Option{notifier.WithURL(u), notifier.WithChannel("routing")}},
		{"datadog", []notifier.Option{notifier.WithURL(u), notifier.WithToken("tok")}},
		{"sentry", []notifier.Option{notifier.WithURL("http://key:sec@" + u[7:] + "/base/7"), notifier.WithChannel("prod")}},
		{"otel", []notifier.Option{notifier.WithURL(u + "/v1/traces"), notifier.WithHeaders(map[string]string{"X-A": "b"}), notifier.WithUsername("u"), notifier.WithPassword("pw"), notifier.WithToken("tok")}},
		{"github", []notifier.Option{notifier.WithURL(u + "/org/repo.git"), notifier.WithToken("tok"), notifier.WithCommitStatus("ctx")}},
		{"gitlab", []notifier.Option{notifier.WithURL(u + "/org/sub/re.po.git"), notifier.WithToken("tok"), notifier.WithCommitStatus("ctx")}},
		{"gitea", []notifier.Option{notifier.WithURL(u + "/org/repo"), notifier.WithToken("tok"), notifier.WithCommitStatus("ctx")}},
		{"bitbucketserver", []notifier.Option{notifier.WithURL(u + "/ctx/scm/proj/repo.git"), notifier.WithToken("tok"), notifier.WithCommitStatus("ctx")}},
		{"githubdispatch", []notifier.Option{notifier.WithURL(u + "/org/repo"), notifier.WithToken("tok")}},
		{"githubpullrequestcomment", []notifier.Option{notifier.WithURL(u + "/org/repo"), notifier.WithToken("tok"), notifier.WithProviderUID("uid-1")}},
		{"gitlabmergerequestcomment", []notifier.Option{notifier.WithURL(u + "/org/repo"), notifier.WithToken("tok"), notifier.WithProviderUID("uid-1")}},
		{"giteapullrequestcomment", []notifier.Option{notifier.WithURL(u + "/org/repo"), notifier.WithToken("tok"), notifier.WithProviderUID("uid-1")}},
	}
	for _, c := range cases {
		for _, e := range []eventv1.Event{ev("info", "ReconciliationSucceeded", "Deployment/default/podinfo configured\nService/default/podinfo created"), ev("error", "HealthCheckFailed", "timeout waiting")} {
			typ, severity = c.typ, e.Severity
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			ctx = notifier.WithAlertMetadata(ctx, metav1.ObjectMeta{Namespace: "flux-system", Name: "all", UID: "f1ba0a42-2d34-4c4c-9b19-0b6dbb5bd47c"})
			f := notifier.NewFactory(ctx, c.opt...)
			n, err := f.Notifier(c.typ)
			if err == nil {
				err = n.Post(ctx, e)
			}
			if err != nil {
				fmt.Fprintln(os.Stderr, typ, severity, err)
			}
			time.Sleep(300 * time.Millisecond)
			cancel()
		}
	}
}

// traceJSON is a request of OTLP in JSON, its IDs in base64 as protobuf has them.
func traceJSON(b []byte) string {
	var r tracepb.ExportTraceServiceRequest
	if err := proto.Unmarshal(b, &r); err != nil {
		return err.Error()
	}
	text, _ := protojson.Marshal(&r)
	var value any
	json.Unmarshal(text, &value)
	out, _ := json.Marshal(value)
	return string(out)
}

// envelopeJSON is the item of an envelope of Sentry's without what its library adds of the machine.
func envelopeJSON(b []byte) string {
	lines := strings.Split(string(b), "\n")
	var payload map[string]any
	json.Unmarshal([]byte(lines[2]), &payload)
	contexts, _ := payload["contexts"].(map[string]any)
	for _, key := range []string{"device", "os", "runtime"} {
		delete(contexts, key)
	}
	delete(payload, "modules")
	delete(payload, "sdk")
	out, _ := json.Marshal(payload)
	return string(out)
}
