package main

import (
	"context"
	"fmt"
	"math/rand"
	"strings"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
)

const workers = 8

var (
	pods        = schema.GroupVersionResource{Version: "v1", Resource: "pods"}
	deployments = schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}
	resources   = []schema.GroupVersionResource{pods, deployments}
)

// writer writes objects through several clients in turn, those of one object one after the other.
type writer struct {
	// The first takes images as strings, the others as structures where structured says so.
	clients    []dynamic.Interface
	structured bool
	namespace  string
	written    map[schema.GroupVersionResource]*history

	mutex    sync.Mutex
	failures []string
}

// task is one write of an object; the number is unique to it.
type task struct {
	object int
	number int
}

func (w *writer) create(ctx context.Context, objects int) {
	tasks := make([]task, objects)
	for index := range tasks {
		tasks[index] = task{object: index, number: index}
	}
	w.work(ctx, tasks, 0)
}

// write does so many writes a second for a while, and gives how many it did.
func (w *writer) write(ctx context.Context, objects, perSecond, seconds int, random *rand.Rand) int {
	tasks := make([]task, perSecond*seconds)
	for index := range tasks {
		tasks[index] = task{object: random.Intn(objects), number: objects + index}
	}
	w.work(ctx, tasks, time.Second/time.Duration(perSecond))
	return len(tasks)
}

func (w *writer) work(ctx context.Context, tasks []task, interval time.Duration) {
	queues := make([]chan task, workers)
	var working sync.WaitGroup
	for index := range queues {
		queues[index] = make(chan task, len(tasks))
		working.Go(func() {
			for next := range queues[index] {
				if err := w.do(ctx, next); err != nil {
					w.mutex.Lock()
					w.failures = append(w.failures, fmt.Sprintf("write %d of object %d: %v", next.number, next.object, err))
					w.mutex.Unlock()
				}
			}
		})
	}
	start := time.Now()
	for index, next := range tasks {
		time.Sleep(time.Until(start.Add(time.Duration(index) * interval)))
		queues[next.object%workers] <- next
	}
	for _, queue := range queues {
		close(queue)
	}
	working.Wait()
}

// do creates an object by its first write; later ones change its image, and every twentieth a label or the object
// as a whole.
func (w *writer) do(ctx context.Context, next task) error {
	resource := resources[next.object%len(resources)]
	name := fmt.Sprintf("object-%d", next.object)
	turn := next.number / workers % len(w.clients)
	client := w.clients[turn].Resource(resource).Namespace(w.namespace)
	record := func(object *unstructured.Unstructured, err error) error {
		if err == nil {
			w.written[resource].add(name, object.GetResourceVersion())
		}
		return err
	}
	image := w.image(next.number, turn)
	switch {
	case next.number == next.object:
		return record(client.Create(ctx, newObject(resource, name, image), metav1.CreateOptions{}))
	case next.number%20 == 0:
		if err := client.Delete(ctx, name, metav1.DeleteOptions{}); err != nil {
			return err
		}
		if resource == pods {
			w.written[resource].add(name, deleting)
		}
		w.written[resource].add(name, deleted)
		return record(client.Create(ctx, newObject(resource, name, image), metav1.CreateOptions{}))
	case next.number%20 == 10:
		patch := fmt.Sprintf(`{"metadata":{"labels":{"number":"%d"}}}`, next.number)
		return record(client.Patch(ctx, name, types.MergePatchType, []byte(patch), metav1.PatchOptions{}))
	default:
		patch := fmt.Sprintf(`{"spec":{"containers":[{"name":"app",%s}]}}`, image)
		if resource == deployments {
			patch = fmt.Sprintf(`{"spec":{"template":%s}}`, patch)
		}
		return record(client.Patch(ctx, name, types.StrategicMergePatchType, []byte(patch), metav1.PatchOptions{}))
	}
}

// image gives the member of a container, as JSON without braces.
func (w *writer) image(number, turn int) string {
	if w.structured && turn > 0 {
		return fmt.Sprintf(`"imageSpec":{"dockerImage":{"registry":"registry.example","name":"team/app","tag":"v%d"}}`, number)
	}
	return fmt.Sprintf(`"image":"registry.example/team/app:v%d"`, number)
}

func newObject(resource schema.GroupVersionResource, name, image string) *unstructured.Unstructured {
	manifest := `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"NAME"},"spec":{"containers":[{"name":"app",IMAGE}]}}`
	if resource == deployments {
		manifest = `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"NAME"},"spec":{"selector":{"matchLabels":{"app":"NAME"}},` +
			`"template":{"metadata":{"labels":{"app":"NAME"}},"spec":{"containers":[{"name":"app",IMAGE}]}}}}`
	}
	object := &unstructured.Unstructured{}
	if err := object.UnmarshalJSON([]byte(strings.NewReplacer("NAME", name, "IMAGE", image).Replace(manifest))); err != nil {
		panic(err)
	}
	return object
}
