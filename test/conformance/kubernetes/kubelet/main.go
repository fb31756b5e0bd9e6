// A stand-in of a kubelet: it says that the pods of one node run, lets deleted ones go, and serves what an API
// server calls on a node: exec, attach, port-forward and logs. Commands run on this machine, and ports are its own.
package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
	remotecommandconsts "k8s.io/apimachinery/pkg/util/remotecommand"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/remotecommand"
	"k8s.io/kubelet/pkg/cri/streaming/portforward"
	streaming "k8s.io/kubelet/pkg/cri/streaming/remotecommand"
	utilexec "k8s.io/utils/exec"
)

const (
	idleTimeout           = 5 * time.Minute
	streamCreationTimeout = 30 * time.Second
	followInterval        = 100 * time.Millisecond
	loggedLines           = 3
)

func main() {
	node := flag.String("node", "", "the node whose pods run here")
	kubeconfig := flag.String("kubeconfig", "", "of the API server")
	certificate := flag.String("certificate", "", "PEM file")
	key := flag.String("key", "", "PEM file")
	clientCA := flag.String("client-ca", "", "PEM file of who signs the certificates of clients")
	flag.Parse()
	if err := serve(*node, *kubeconfig, *certificate, *key, *clientCA); err != nil {
		log.Fatal(err)
	}
}

func serve(node, kubeconfig, certificate, key, clientCA string) error {
	configuration, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	configuration.QPS = -1
	client, err := kubernetes.NewForConfig(configuration)
	if err != nil {
		return err
	}
	authority, err := os.ReadFile(clientCA)
	if err != nil {
		return err
	}
	clients := x509.NewCertPool()
	clients.AppendCertsFromPEM(authority)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	if err := runPods(context.Background(), client, node); err != nil {
		return err
	}
	server := &http.Server{
		Handler:   handler(),
		TLSConfig: &tls.Config{ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: clients, NextProtos: []string{"http/1.1"}},
	}
	address := map[string]int{"port": listener.Addr().(*net.TCPAddr).Port}
	if err := json.NewEncoder(os.Stdout).Encode(address); err != nil {
		return err
	}
	return server.ServeTLS(listener, certificate, key)
}

func handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/exec/{namespace}/{pod}/{container}", func(w http.ResponseWriter, r *http.Request) {
		if options, ok := streamOptions(w, r); ok {
			streaming.ServeExec(w, r, machine{}, podName(r), "", r.PathValue("container"), r.URL.Query()["command"], options,
				idleTimeout, streamCreationTimeout, remotecommandconsts.SupportedStreamingProtocols)
		}
	})
	mux.HandleFunc("/attach/{namespace}/{pod}/{container}", func(w http.ResponseWriter, r *http.Request) {
		if options, ok := streamOptions(w, r); ok {
			streaming.ServeAttach(w, r, machine{}, podName(r), "", r.PathValue("container"), options,
				idleTimeout, streamCreationTimeout, remotecommandconsts.SupportedStreamingProtocols)
		}
	})
	mux.HandleFunc("/portForward/{namespace}/{pod}", func(w http.ResponseWriter, r *http.Request) {
		options, err := portforward.NewV4Options(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		portforward.ServePortForward(w, r, machine{}, podName(r), "", options, idleTimeout, streamCreationTimeout,
			portforward.SupportedProtocols)
	})
	mux.HandleFunc("/containerLogs/{namespace}/{pod}/{container}", serveLogs)
	return mux
}

func podName(r *http.Request) string {
	return r.PathValue("namespace") + "/" + r.PathValue("pod")
}

func streamOptions(w http.ResponseWriter, r *http.Request) (*streaming.Options, bool) {
	options, err := streaming.NewOptions(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
	}
	return options, err == nil
}

// serveLogs prints numbered lines; with follow=true one more every 100 ms until the client leaves.
func serveLogs(w http.ResponseWriter, r *http.Request) {
	follow := r.FormValue("follow") == "true"
	first := 1
	if tail, err := strconv.Atoi(r.FormValue("tailLines")); err == nil {
		first = max(1, loggedLines-tail+1)
	}
	w.Header().Set("Content-Type", "text/plain")
	for line := first; line <= loggedLines || follow; line++ {
		if line > loggedLines {
			select {
			case <-r.Context().Done():
				return
			case <-time.After(followInterval):
			}
		}
		fmt.Fprintf(w, "%s/%s line %d\n", podName(r), r.PathValue("container"), line)
		http.NewResponseController(w).Flush()
	}
}

// machine runs what is asked of containers on this machine.
type machine struct{}

func (machine) ExecInContainer(ctx context.Context, _ string, _ types.UID, _ string, command []string, in io.Reader, out, errOut io.WriteCloser, _ bool, _ <-chan remotecommand.TerminalSize, _ time.Duration) error {
	process := exec.CommandContext(ctx, command[0], command[1:]...)
	process.Env = []string{"PATH=" + os.Getenv("PATH")}
	if out != nil {
		process.Stdout = out
	}
	if errOut != nil {
		process.Stderr = errOut
	}
	input, err := process.StdinPipe()
	if err != nil {
		return err
	}
	if err := process.Start(); err != nil {
		return utilexec.CodeExitError{Err: err, Code: 127}
	}
	go func() {
		if in != nil {
			io.Copy(input, in)
		}
		input.Close()
	}()
	err = process.Wait()
	var exited *exec.ExitError
	if errors.As(err, &exited) {
		return utilexec.CodeExitError{Err: err, Code: exited.ExitCode()}
	}
	return err
}

// AttachContainer says where it is, and then whatever it is told.
func (machine) AttachContainer(_ context.Context, pod string, _ types.UID, container string, in io.Reader, out, _ io.WriteCloser, _ bool, _ <-chan remotecommand.TerminalSize) error {
	if out == nil {
		out = nopCloser{io.Discard}
	}
	if _, err := fmt.Fprintf(out, "attached to %s/%s\n", pod, container); err != nil || in == nil {
		return err
	}
	_, err := io.Copy(out, in)
	return err
}

func (machine) PortForward(_ context.Context, _ string, _ types.UID, port int32, stream io.ReadWriteCloser) error {
	defer stream.Close()
	connection, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(int(port))))
	if err != nil {
		return err
	}
	defer connection.Close()
	var sent sync.WaitGroup
	sent.Go(func() {
		io.Copy(connection, stream)
		connection.(*net.TCPConn).CloseWrite()
	})
	_, err = io.Copy(stream, connection)
	return err
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }
