// Prints, as JSON lines, what kubelet's image manager does in made-up sequences of pulls.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/flowcontrol"
	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"
	defaults "k8s.io/kubernetes/pkg/apis/core/v1"
	"k8s.io/kubernetes/pkg/credentialprovider"
	"k8s.io/kubernetes/pkg/kubelet/container"
	"k8s.io/kubernetes/pkg/kubelet/images"
	testingclock "k8s.io/utils/clock/testing"
)

type step struct {
	AdvanceMs    int64    `json:"advanceMs"`
	Pod          string   `json:"pod"`
	Image        string   `json:"image"`
	Policy       string   `json:"policy,omitempty"`
	Present      string   `json:"present,omitempty"`
	InspectError string   `json:"inspectError,omitempty"`
	PullError    string   `json:"pullError,omitempty"`
	ID           string   `json:"id,omitempty"`
	Reason       string   `json:"reason,omitempty"`
	Message      string   `json:"message,omitempty"`
	Events       []string `json:"events"`
}

var imageNames = []string{
	"nginx", "nginx:1.27", "nginx:latest", "quay.io/a/b:v2", "quay.io/a/b", "bad name",
	"x@sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
	"x:latest@sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
	"x:1@sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
}

type service struct {
	container.ImageService
	now *step
}

func (s *service) GetImageRef(context.Context, container.ImageSpec) (string, error) {
	if s.now.InspectError != "" {
		return "", errors.New(s.now.InspectError)
	}
	return s.now.Present, nil
}

func (s *service) GetImageSize(context.Context, container.ImageSpec) (uint64, error) {
	return 4321, nil
}

func (s *service) PullImage(context.Context, container.ImageSpec, []credentialprovider.TrackedAuthConfig, *runtimeapi.PodSandboxConfig) (string, *credentialprovider.TrackedAuthConfig, error) {
	if s.now.PullError != "" {
		return "", nil, errors.New(s.now.PullError)
	}
	return "sha256:pulled", nil, nil
}

type recorder struct{ now *step }

func (r *recorder) Event(_ runtime.Object, kind, reason, message string) {
	r.now.Events = append(r.now.Events, fmt.Sprintf("%s %s %s", kind, reason, message))
}

func (r *recorder) Eventf(object runtime.Object, kind, reason, format string, values ...any) {
	r.Event(object, kind, reason, fmt.Sprintf(format, values...))
}

func (r *recorder) AnnotatedEventf(object runtime.Object, _ map[string]string, kind, reason, format string, values ...any) {
	r.Eventf(object, kind, reason, format, values...)
}

type untimed struct{}

func (untimed) RecordImageStartedPulling(types.UID)  {}
func (untimed) RecordImageFinishedPulling(types.UID) {}

func main() {
	random := rand.New(rand.NewSource(7))
	encoder := json.NewEncoder(os.Stdout)
	for range 60 {
		encoder.Encode(sequence(random))
	}
}

func sequence(random *rand.Rand) []*step {
	clock := testingclock.NewFakeClock(time.Unix(1_800_000_000, 0))
	backOff := flowcontrol.NewFakeBackOff(10*time.Second, 300*time.Second, clock)
	fake := &service{}
	record := &recorder{}
	manager := images.NewImageManager(record, &credentialprovider.BasicDockerKeyring{}, fake, nil, backOff, random.Intn(2) == 0, nil, 0, 0, untimed{})
	// Few names and mostly failures, so that waits grow.
	names := []string{imageNames[random.Intn(len(imageNames))], imageNames[random.Intn(len(imageNames))]}
	steps := []*step{}
	for range 25 {
		now := &step{
			AdvanceMs: pick(random, []int64{0, 1_000, 9_999, 10_000, 20_000, 60_000, 299_999, 300_000, 600_000, 600_001, 900_000}),
			Pod:       pick(random, []string{"one", "one", "two"}),
			Image:     pick(random, names),
			Policy:    pick(random, []string{"", "", "Always", "IfNotPresent", "Never"}),
			Present:   pick(random, []string{"", "", "", "sha256:present"}),
			PullError: pick(random, []string{"", "no room", "no room", "no room", "RegistryUnavailable: refused", "SignatureValidationFailed: wrong key"}),
			Events:    []string{},
		}
		if random.Intn(10) == 0 {
			now.InspectError = "no answer"
		}
		clock.Step(time.Duration(now.AdvanceMs) * time.Millisecond)
		fake.now, record.now = now, now
		defaulted := v1.Container{Image: now.Image, ImagePullPolicy: v1.PullPolicy(now.Policy)}
		defaults.SetDefaults_Container(&defaulted)
		pod := &v1.Pod{}
		pod.Name, pod.Namespace, pod.UID = now.Pod, "default", types.UID(now.Pod)
		id, message, err := manager.EnsureImageExists(context.Background(), &v1.ObjectReference{}, pod, now.Image, nil, &runtimeapi.PodSandboxConfig{Metadata: &runtimeapi.PodSandboxMetadata{}}, "", defaulted.ImagePullPolicy)
		now.ID = id
		if err != nil {
			now.Reason, now.Message = err.Error(), message
		}
		steps = append(steps, now)
	}
	return steps
}

func pick[Value any](random *rand.Rand, values []Value) Value {
	return values[random.Intn(len(values))]
}
