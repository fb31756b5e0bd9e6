module fairlead.dev/conformance/policy

go 1.26.0

require github.com/Masterminds/semver/v3 v3.5.0
