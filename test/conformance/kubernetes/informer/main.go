// Watches pods and deployments through one server while it writes them through another and through the watched
// one, and says as JSON whether each observer saw each write once and in order. It ends by 1 where one did not.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"math/rand"
	"os"
	"reflect"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

const (
	settleTime       = time.Minute
	shownDifferences = 10
	listLimit        = 100
)

type arguments struct {
	watched, written, namespace string
	objects, perSecond, seconds int
	imageSpec                   bool
}

type summary struct {
	Objects   int               `json:"objects"`
	Writes    int               `json:"writes"`
	Seconds   float64           `json:"seconds"`
	Failures  []string          `json:"failures"`
	Observers []observerSummary `json:"observers"`
}

type observerSummary struct {
	Name        string   `json:"name"`
	Resource    string   `json:"resource"`
	Late        bool     `json:"late"`
	Events      int      `json:"events"`
	Bookmarks   int      `json:"bookmarks"`
	Watches     int      `json:"watches"`
	Differences []string `json:"differences"`
}

func main() {
	var given arguments
	flag.StringVar(&given.watched, "watched", "", "kubeconfig of the server that is watched, and written too")
	flag.StringVar(&given.written, "written", "", "kubeconfig of the server that is written and listed at the end")
	flag.StringVar(&given.namespace, "namespace", "default", "must have no pods and deployments")
	flag.IntVar(&given.objects, "objects", 1000, "half pods, half deployments")
	flag.IntVar(&given.perSecond, "writes-per-second", 200, "after the objects are there")
	flag.IntVar(&given.seconds, "seconds", 30, "how long it writes")
	flag.BoolVar(&given.imageSpec, "image-spec", false, "whether the watched server shows and takes imageSpec")
	flag.Parse()
	result, err := observe(given)
	if err != nil {
		log.Fatal(err)
	}
	if err := json.NewEncoder(os.Stdout).Encode(result); err != nil {
		log.Fatal(err)
	}
	if result.hasDifferences() {
		os.Exit(1)
	}
}

func (s summary) hasDifferences() bool {
	for _, observer := range s.Observers {
		if len(observer.Differences) > 0 {
			return true
		}
	}
	return len(s.Failures) > 0
}

func observe(given arguments) (summary, error) {
	watched, err := configuration(given.watched)
	if err != nil {
		return summary{}, err
	}
	written, err := configuration(given.written)
	if err != nil {
		return summary{}, err
	}
	direct := kubernetes.NewForConfigOrDie(written)
	typed := kubernetes.NewForConfigOrDie(watched)
	raw := dynamic.NewForConfigOrDie(watched)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()

	var observers []*observer
	begin := func(late bool) error {
		for _, watchList := range []bool{false, true} {
			started, err := startInformers(ctx, typed, given.namespace, watchList, late)
			if err != nil {
				return err
			}
			observers = append(observers, started...)
		}
		for _, resource := range resources {
			client := raw.Resource(resource).Namespace(given.namespace)
			list, err := client.List(ctx, metav1.ListOptions{Limit: 1})
			if err != nil {
				return err
			}
			initial := newObserver("raw watch-list", resource, late)
			observers = append(observers, initial)
			go rawWatches(ctx, client, initial, "", true, given.imageSpec)
			if !late {
				plain := newObserver("raw watch", resource, late)
				observers = append(observers, plain)
				go rawWatches(ctx, client, plain, list.GetResourceVersion(), false, given.imageSpec)
			}
		}
		return nil
	}

	if err := begin(false); err != nil {
		return summary{}, err
	}
	work := &writer{
		clients:    []dynamic.Interface{dynamic.NewForConfigOrDie(written), raw},
		structured: given.imageSpec,
		namespace:  given.namespace,
		written:    map[schema.GroupVersionResource]*history{pods: newHistory(), deployments: newHistory()},
	}
	work.create(ctx, given.objects)
	failed := make(chan error, 1)
	time.AfterFunc(time.Duration(given.seconds)*time.Second/3, func() { failed <- begin(true) })
	start := time.Now()
	writes := work.write(ctx, given.objects, given.perSecond, given.seconds, rand.New(rand.NewSource(1)))
	took := time.Since(start)
	if err := <-failed; err != nil {
		return summary{}, err
	}

	result := summary{Objects: given.objects, Writes: writes, Seconds: took.Seconds(), Failures: append([]string{}, work.failures...)}
	deadline := time.Now().Add(settleTime)
	for _, each := range observers {
		found := settle(each, work.written[each.resource], deadline)
		if each.store != nil {
			found = append(found, compareStore(ctx, direct, given.namespace, each)...)
		}
		each.mutex.Lock()
		found = append(found, each.failures...)
		each.mutex.Unlock()
		result.Observers = append(result.Observers, observerSummary{
			Name: each.name, Resource: each.resource.Resource, Late: each.late,
			Events: each.seen.count, Bookmarks: each.bookmarks, Watches: each.watches,
			Differences: append([]string{}, found[:min(len(found), shownDifferences)]...),
		})
	}
	return result, nil
}

// settle waits until an observer has seen all, and gives what it has not by then.
func settle(each *observer, written *history, deadline time.Time) []string {
	expected := written.copy()
	for {
		found := differences(expected, each.seen.copy(), each.late)
		if len(found) == 0 || time.Now().After(deadline) {
			return found
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// compareStore compares what an informer keeps with what the other server lists, page by page.
func compareStore(ctx context.Context, client kubernetes.Interface, namespace string, each *observer) []string {
	var found []string
	listed := 0
	options := metav1.ListOptions{Limit: listLimit}
	for {
		objects, next, err := page(ctx, client, namespace, each.resource, options)
		if err != nil {
			return append(found, err.Error())
		}
		for _, object := range objects {
			listed++
			accessor, err := meta.Accessor(object)
			if err != nil {
				return append(found, err.Error())
			}
			kept, exists, err := each.store.GetByKey(namespace + "/" + accessor.GetName())
			if err != nil || !exists || !reflect.DeepEqual(kept, object) {
				found = append(found, fmt.Sprintf("%s is kept as %v, listed as %v", accessor.GetName(), kept, object))
			}
		}
		if next == "" {
			break
		}
		options.Continue = next
	}
	if kept := len(each.store.List()); kept != listed {
		found = append(found, fmt.Sprintf("%d objects are kept, %d listed", kept, listed))
	}
	return found
}

func page(ctx context.Context, client kubernetes.Interface, namespace string, resource schema.GroupVersionResource, options metav1.ListOptions) ([]runtime.Object, string, error) {
	var objects []runtime.Object
	if resource == pods {
		list, err := client.CoreV1().Pods(namespace).List(ctx, options)
		if err != nil {
			return nil, "", err
		}
		for index := range list.Items {
			objects = append(objects, &list.Items[index])
		}
		return objects, list.Continue, nil
	}
	list, err := client.AppsV1().Deployments(namespace).List(ctx, options)
	if err != nil {
		return nil, "", err
	}
	for index := range list.Items {
		objects = append(objects, &list.Items[index])
	}
	return objects, list.Continue, nil
}

func configuration(kubeconfig string) (*rest.Config, error) {
	loaded, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, err
	}
	loaded.QPS = -1
	return loaded, nil
}
