module fairlead.dev/conformance/containerd-api

go 1.24.0

require (
	github.com/containerd/containerd v1.6.20
	github.com/gogo/protobuf v1.3.2
)
