{{- define "fairlead.image" -}}
{{- with .Values.image -}}
{{ .registry }}/{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}{{ with .digest }}@{{ . }}{{ end }}
{{- end -}}
{{- end -}}

{{- /* Labels of what the release owns; selectors and pods have those of the manifests alone. */ -}}
{{- define "fairlead.labels" -}}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end -}}

{{- /* The processes of `fairlead controller`: name, its one controller, and whether it takes events. */ -}}
{{- define "fairlead.processes" -}}
{{- if .Values.controllers.split -}}
- name: fairlead-image-reflector
  controller: image-reflector
  takesEvents: false
- name: fairlead-image-automation
  controller: image-automation
  takesEvents: false
- name: fairlead-notification
  controller: notification
  takesEvents: true
{{- else -}}
- name: fairlead-controller
  controller: ""
  takesEvents: true
{{- end -}}
{{- end -}}

{{- define "fairlead.podMetadata" -}}
{{- $annotations := dict "prometheus.io/scrape" "true" "prometheus.io/port" (toString .metricsPort) -}}
labels:
  {{- mergeOverwrite (dict) .settings.podLabels .labels | toYaml | nindent 2 }}
annotations:
  {{- mergeOverwrite (dict) $annotations .settings.podAnnotations | toYaml | nindent 2 }}
{{- end -}}

{{- define "fairlead.scheduling" -}}
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .settings.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .settings.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .settings.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .settings.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "fairlead.restrictedPod" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
{{- end -}}

{{- define "fairlead.restrictedContainer" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}
