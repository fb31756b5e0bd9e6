// Program notification records events with Flux's own recorder, which posts them to a server.
//
//	go run . ADDRESS < samples.json
//
// The input is a list of objects: the object's manifest fields, the type of event (Normal, Warning, Trace), reason,
// message and annotations. Each is recorded in turn; the recorder waits for its answer. With ADDRESS "record" the
// program is the server as well, and prints each request that it gets, and what became a Kubernetes Event, as a line of
// JSON, in which the time and the machine's name are always the same.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"time"

	"github.com/fluxcd/pkg/runtime/events"
	"github.com/go-logr/logr/funcr"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"
)

// What differs from run to run.
var (
	timestamp = regexp.MustCompile(`"timestamp":"[^"]*"`)
	instance  = regexp.MustCompile(`"reportingInstance":"[^"]*"`)
)

type sample struct {
	Name        string            `json:"name"`
	Object      map[string]any    `json:"object"`
	Type        string            `json:"type"`
	Reason      string            `json:"reason"`
	Message     string            `json:"message"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

// request is what the server got, and what became a Kubernetes Event.
type request struct {
	Name        string           `json:"name"`
	Method      string           `json:"method,omitempty"`
	Path        string           `json:"path,omitempty"`
	ContentType string           `json:"contentType,omitempty"`
	Body        string           `json:"body,omitempty"`
	Kubernetes  *kubernetesEvent `json:"kubernetes"`
}

type kubernetesEvent struct {
	Type        string            `json:"type"`
	Reason      string            `json:"reason"`
	Message     string            `json:"message"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

// kubernetesRecorder keeps the last Kubernetes Event.
type kubernetesRecorder struct{ last *kubernetesEvent }

var _ record.EventRecorder = &kubernetesRecorder{}

func (r *kubernetesRecorder) Event(object runtime.Object, eventType, reason, message string) {
	r.AnnotatedEventf(object, nil, eventType, reason, "%s", message)
}

func (r *kubernetesRecorder) Eventf(object runtime.Object, eventType, reason, format string, args ...any) {
	r.AnnotatedEventf(object, nil, eventType, reason, format, args...)
}

func (r *kubernetesRecorder) AnnotatedEventf(_ runtime.Object, annotations map[string]string, eventType, reason, format string, args ...any) {
	r.last = &kubernetesEvent{eventType, reason, fmt.Sprintf(format, args...), annotations}
}

func main() {
	if len(os.Args) != 2 {
		fail(fmt.Errorf("usage: notification ADDRESS|record < samples.json"))
	}
	var samples []sample
	if err := json.NewDecoder(os.Stdin).Decode(&samples); err != nil {
		fail(err)
	}
	address := os.Args[1]
	var got *request
	if address == "record" {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			fail(err)
		}
		address = "http://" + listener.Addr().String() + "/"
		go http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			body = timestamp.ReplaceAll(body, []byte(`"timestamp":"2026-11-22T08:00:00Z"`))
			body = instance.ReplaceAll(body, []byte(`"reportingInstance":"sample-instance"`))
			got = &request{Method: r.Method, Path: r.URL.Path, ContentType: r.Header.Get("Content-Type"), Body: string(body)}
			w.WriteHeader(http.StatusAccepted)
		}))
	}
	kubernetes := &kubernetesRecorder{}
	log := funcr.New(func(prefix, args string) { fmt.Fprintln(os.Stderr, prefix, args) }, funcr.Options{})
	recorder, err := events.NewRecorderForScheme(runtime.NewScheme(), kubernetes, log, address, "sample-controller")
	if err != nil {
		fail(err)
	}
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for _, sample := range samples {
		got, kubernetes.last = nil, nil
		object := &unstructured.Unstructured{Object: sample.Object}
		began := time.Now()
		recorder.AnnotatedEventf(object, sample.Annotations, sample.Type, sample.Reason, "%s", sample.Message)
		fmt.Fprintf(os.Stderr, "%s took %s\n", sample.Name, time.Since(began).Round(time.Millisecond))
		if os.Args[1] != "record" {
			continue
		}
		if got == nil {
			got = &request{}
		}
		got.Name, got.Kubernetes = sample.Name, kubernetes.last
		if err := out.Encode(got); err != nil {
			fail(err)
		}
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
