package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/features"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
)

// observer sees the changes of one resource.
type observer struct {
	name     string
	resource schema.GroupVersionResource
	// Whether it began after the first writes.
	late bool
	seen *history

	mutex     sync.Mutex
	bookmarks int
	watches   int
	failures  []string
	// What an informer keeps.
	store cache.Store
}

func newObserver(name string, resource schema.GroupVersionResource, late bool) *observer {
	return &observer{name: name, resource: resource, late: late, seen: newHistory()}
}

func (o *observer) fail(format string, values ...any) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	o.failures = append(o.failures, fmt.Sprintf(format, values...))
}

// startInformers begins shared informers of every resource, and returns when they have their first state.
func startInformers(ctx context.Context, client kubernetes.Interface, namespace string, watchList, late bool) ([]*observer, error) {
	gates, ok := features.FeatureGates().(interface {
		Set(features.Feature, bool) error
	})
	if !ok {
		return nil, fmt.Errorf("client-go's features cannot be set")
	}
	if err := gates.Set(features.WatchListClient, watchList); err != nil {
		return nil, err
	}
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace(namespace))
	var observers []*observer
	for _, resource := range resources {
		generic, err := factory.ForResource(resource)
		if err != nil {
			return nil, err
		}
		seen := newObserver(fmt.Sprintf("informer, watch-list %t", watchList), resource, late)
		seen.store = generic.Informer().GetStore()
		if err := generic.Informer().SetWatchErrorHandler(func(_ *cache.Reflector, err error) { seen.fail("watch: %v", err) }); err != nil {
			return nil, err
		}
		if _, err := generic.Informer().AddEventHandler(seen.handler()); err != nil {
			return nil, err
		}
		observers = append(observers, seen)
	}
	factory.Start(ctx.Done())
	for resource, synced := range factory.WaitForCacheSync(ctx.Done()) {
		if !synced {
			return nil, fmt.Errorf("the informer of %v did not get its first state", resource)
		}
	}
	return observers, nil
}

func (o *observer) handler() cache.ResourceEventHandler {
	set := func(object any) {
		accessor, err := meta.Accessor(object)
		if err != nil {
			o.fail("%v", err)
			return
		}
		o.seen.add(accessor.GetName(), changeOf(accessor))
	}
	return cache.ResourceEventHandlerFuncs{
		AddFunc:    set,
		UpdateFunc: func(_, object any) { set(object) },
		DeleteFunc: func(object any) {
			accessor, err := meta.Accessor(object)
			if err != nil {
				o.fail("missed a deletion: %v", object)
				return
			}
			o.seen.add(accessor.GetName(), deleted)
		},
	}
}

// rawWatches watches a resource by watches of a few seconds, each from where the last one ended. With initial it
// begins by a watch-list.
func rawWatches(ctx context.Context, client dynamic.ResourceInterface, o *observer, start string, initial, expectImageSpec bool) {
	lastVersion := start
	timeoutSeconds := int64(5)
	for ctx.Err() == nil {
		options := metav1.ListOptions{ResourceVersion: lastVersion, AllowWatchBookmarks: true, TimeoutSeconds: &timeoutSeconds}
		awaitsInitial := initial && lastVersion == ""
		if awaitsInitial {
			options.SendInitialEvents = &awaitsInitial
			options.ResourceVersionMatch = metav1.ResourceVersionMatchNotOlderThan
		}
		events, err := client.Watch(ctx, options)
		if err != nil {
			if ctx.Err() == nil {
				o.fail("watch from %q: %v", lastVersion, err)
				time.Sleep(time.Second)
			}
			continue
		}
		o.mutex.Lock()
		o.watches++
		o.mutex.Unlock()
		for event := range events.ResultChan() {
			object, ok := event.Object.(*unstructured.Unstructured)
			if !ok || event.Type == watch.Error {
				o.fail("watch from %q: %v", lastVersion, apierrors.FromObject(event.Object))
				continue
			}
			if event.Type == watch.Bookmark {
				o.bookmark(object, &awaitsInitial)
			} else {
				o.event(event.Type, object, expectImageSpec)
			}
			// Initial events are in no order of time.
			if !awaitsInitial {
				lastVersion = object.GetResourceVersion()
			}
		}
		if awaitsInitial && ctx.Err() == nil {
			o.fail("a watch-list ended without its bookmark")
		}
	}
}

func (o *observer) bookmark(object *unstructured.Unstructured, awaitsInitial *bool) {
	o.mutex.Lock()
	o.bookmarks++
	o.mutex.Unlock()
	isEnd := object.GetAnnotations()[metav1.InitialEventsAnnotationKey] == "true"
	if isEnd != *awaitsInitial {
		o.fail("a bookmark of version %s, end of initial events: %t", object.GetResourceVersion(), isEnd)
	}
	*awaitsInitial = false
}

func (o *observer) event(kind watch.EventType, object *unstructured.Unstructured, expectImageSpec bool) {
	if kind == watch.Deleted {
		o.seen.add(object.GetName(), deleted)
	} else {
		o.seen.add(object.GetName(), changeOf(object))
	}
	path := []string{"spec", "containers"}
	if o.resource == deployments {
		path = []string{"spec", "template", "spec", "containers"}
	}
	containers, _, err := unstructured.NestedSlice(object.Object, path...)
	if err != nil || len(containers) != 1 {
		o.fail("%s %s has no container: %v", kind, object.GetName(), err)
		return
	}
	container, _ := containers[0].(map[string]any)
	docker, isStructured, _ := unstructured.NestedStringMap(container, "imageSpec", "dockerImage")
	if isStructured != expectImageSpec {
		o.fail("%s %s: imageSpec %v", kind, object.GetName(), container["imageSpec"])
	}
	if joined := fmt.Sprintf("%s/%s:%s", docker["registry"], docker["name"], docker["tag"]); isStructured && joined != container["image"] {
		o.fail("%s %s: image %v, imageSpec %v", kind, object.GetName(), container["image"], docker)
	}
}

func changeOf(object metav1.Object) string {
	if object.GetDeletionTimestamp() != nil {
		return deleting
	}
	return object.GetResourceVersion()
}
