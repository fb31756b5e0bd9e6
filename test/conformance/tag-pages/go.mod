module fairlead.dev/conformance/tag-pages

go 1.26.0
