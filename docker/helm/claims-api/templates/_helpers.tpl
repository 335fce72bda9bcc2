{{/* Labels of a part, by which selectors and policies find it. Call with the name of the part. */}}
{{- define "claims.labels" -}}
app.kubernetes.io/name: claims
app.kubernetes.io/component: {{ . }}
{{- end }}

{{/* The image: by its digest, or by the tag that is given beside the root, or that of the values, or the version of the program. */}}
{{- define "claims.image" -}}
{{- $image := .root.Values.image -}}
{{- if $image.digest -}}
{{ $image.repository }}@{{ $image.digest }}
{{- else -}}
{{ $image.repository }}:{{ .tag | default $image.tag | default .root.Chart.AppVersion }}
{{- end }}
{{- end }}

{{/* The value of a setting as text. Numbers by JSON: Go would write 67108864 as 6.7108864e+07. */}}
{{- define "claims.text" -}}
{{- if kindIs "string" . }}{{ . | quote }}{{ else }}{{ . | toJson | quote }}{{ end }}
{{- end }}

{{/* The settings of all pods, by name. */}}
{{- define "claims.settings" -}}
{{- $settings := merge (dict) .Values.settings .Values.extensionSettings -}}
{{- if not (hasKey $settings "BASE_URL") }}{{- $_ := set $settings "BASE_URL" (printf "https://%s" .Values.host) }}{{- end -}}
{{- range $name, $value := $settings }}
{{ $name }}: {{ include "claims.text" $value }}
{{- end }}
{{- end }}

{{/* The environment from a Secret: each key, or the file that has it. Call with root, the Secret's name and its keys. */}}
{{- define "claims.secretEnv" -}}
{{- $given := . -}}
{{- range .keys }}
{{- if $given.root.Values.secrets.asFiles }}
- name: {{ . }}_FILE
  value: /run/secrets/{{ $given.secret }}/{{ . }}
{{- else }}
- name: {{ . }}
  valueFrom:
    secretKeyRef: { name: {{ $given.secret }}, key: {{ . }} }
{{- end }}
{{- end }}
{{- end }}

{{/* Where the files of a Secret are, if secrets are files. Call with root and the Secret's name. */}}
{{- define "claims.secretMount" -}}
{{- if .root.Values.secrets.asFiles }}
- { name: secrets, mountPath: /run/secrets/{{ .secret }}, readOnly: true }
{{- end }}
{{- end }}

{{- define "claims.secretVolume" -}}
{{- if .root.Values.secrets.asFiles }}
- name: secrets
  secret: { secretName: {{ .secret }}, defaultMode: 292 } # 0444
{{- end }}
{{- end }}

{{- define "claims.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
{{- end }}

{{- define "claims.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "claims.pullSecrets" -}}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end }}

{{/* Where a pod may run. Call with the values of the part. */}}
{{- define "claims.placement" -}}
{{- with .nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end }}

{{/* Spreads the pods of a part over zones and machines. Call with the name of the part. */}}
{{- define "claims.spread" -}}
{{- $part := . -}}
{{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
- maxSkew: 1
  topologyKey: {{ . }}
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels: {{- include "claims.labels" $part | nindent 6 }}
{{- end }}
{{- end }}

{{/* Call with the name of the port. */}}
{{- define "claims.probes" -}}
# A start takes a second or two; a busy machine has two minutes for it.
startupProbe:
  httpGet: { path: /health/live, port: {{ . }} }
  periodSeconds: 2
  failureThreshold: 60
livenessProbe:
  httpGet: { path: /health/live, port: {{ . }} }
  periodSeconds: 10
  timeoutSeconds: 3
  failureThreshold: 6
readinessProbe:
  httpGet: { path: /health/ready, port: {{ . }} }
  periodSeconds: 5
  timeoutSeconds: 2
  failureThreshold: 2
{{- end }}

{{/* A Deployment. Call with root, part, its values, its ports, the port of its probes, the wave of Argo CD and a tag. */}}
{{- define "claims.deployment" -}}
{{- $root := .root -}}
{{- $values := .values -}}
{{- $secret := dict "root" $root "secret" $root.Values.secrets.name "keys" $root.Values.secrets.keys -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: claims-{{ .part }}
  namespace: {{ $root.Release.Namespace }}
  labels: {{- include "claims.labels" .part | nindent 4 }}
  annotations:
    argocd.argoproj.io/sync-wave: {{ .wave | quote }}
spec:
  # No number of replicas beside an autoscaler, which has it.
  {{- if eq $values.scaler "none" }}
  replicas: {{ $values.replicas.min }}
  {{- end }}
  revisionHistoryLimit: 5
  selector:
    matchLabels: {{- include "claims.labels" .part | nindent 6 }}
  strategy:
    type: RollingUpdate
    rollingUpdate: { maxSurge: 1, maxUnavailable: 0 }
  template:
    metadata:
      labels: {{- include "claims.labels" .part | nindent 8 }}
      annotations:
        # A changed setting restarts the pods one by one.
        checksum/settings: {{ include "claims.settings" $root | sha256sum }}
        {{- with $values.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      serviceAccountName: claims
      automountServiceAccountToken: false
      enableServiceLinks: false
      terminationGracePeriodSeconds: {{ $values.terminationGracePeriodSeconds }}
      {{- include "claims.pullSecrets" $root | nindent 6 }}
      {{- include "claims.placement" $values | nindent 6 }}
      securityContext:
        {{- include "claims.podSecurity" . | nindent 8 }}
        fsGroup: 1000
        seccompProfile: { type: RuntimeDefault }
      topologySpreadConstraints: {{- include "claims.spread" .part | nindent 8 }}
      containers:
        - name: {{ .part }}
          image: {{ include "claims.image" (dict "root" $root "tag" .tag) }}
          imagePullPolicy: {{ $root.Values.image.pullPolicy }}
          ports:
            {{- range $name, $port := .ports }}
            - { name: {{ $name }}, containerPort: {{ $port }} }
            {{- end }}
          envFrom:
            - configMapRef: { name: claims-settings }
          env:
            - { name: ROLE, value: {{ .part }} }
            {{- range $name, $value := $values.settings }}
            - { name: {{ $name }}, value: {{ include "claims.text" $value }} }
            {{- end }}
            {{- include "claims.secretEnv" $secret | nindent 12 }}
          {{- include "claims.probes" .probes | nindent 10 }}
          resources: {{- toYaml $values.resources | nindent 12 }}
          securityContext: {{- include "claims.containerSecurity" . | nindent 12 }}
          volumeMounts:
            # DATA_DIR: files of those who run commands in the pod, such as downloads.
            - { name: data, mountPath: {{ $root.Values.settings.DATA_DIR | default "/data" }} }
            {{- include "claims.secretMount" $secret | nindent 12 }}
            {{- with $values.volumeMounts }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
      volumes:
        - name: data
          emptyDir: { sizeLimit: 128Mi }
        {{- include "claims.secretVolume" $secret | nindent 8 }}
        {{- with $values.volumes }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
{{- end }}
