{{- /* An image map as a reference: registry/repository:tag or registry/repository@digest. */}}
{{- define "shop.image" -}}
{{- $registry := .image.registry | default "" -}}
{{- if $registry }}{{ $registry }}/{{ end }}{{ .image.repository }}
{{- if .image.digest }}@{{ .image.digest }}{{ else }}:{{ .image.tag | default .chart.AppVersion }}{{ end }}
{{- end }}
