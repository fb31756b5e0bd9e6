module fairlead.dev/conformance/cri-api

go 1.24.0

require k8s.io/cri-api v0.34.4
