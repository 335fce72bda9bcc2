import { readFileSync } from 'node:fs';
import type { IContainer, IPodSpec } from 'kubernetes-models/v1';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { MS_FOR_EACH_MIB } from '../../src/kernel/product.js';
import { SETTINGS } from '../../src/kernel/settings/settings.js';
import { UPLOAD_BOUNDS } from '../../src/modules/statements/console/upload.console.js';
import { parseDockerfile, textsOf } from '../support/dockerfile.js';
import { typeErrors, validate } from './support/kubernetes-types.js';
import { describeOverlays } from './support/kustomize.js';
import { selects, type Manifest, type Of, type Rendered } from './support/manifests.js';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const METRICS = readFileSync('docs/metrics.md', 'utf8');
const [uid, gid] = textsOf(parseDockerfile(readFileSync('docker/Dockerfile', 'utf8')).stages.at(-1)!, 'USER')[0]!
  .split(':')
  .map(Number);

const UNITS: Record<string, number> = { m: 0.001, Mi: 2 ** 20, Gi: 2 ** 30 };

/** A quantity of Kubernetes, such as 500m or 1Gi. */
function amount(quantity: unknown): number {
  const [, digits, unit = ''] = /^(\d+)(m|Mi|Gi)?$/.exec(String(quantity))!;
  return Number(digits) * (UNITS[unit] ?? 1);
}

const containersOf = ({ containers, initContainers = [] }: IPodSpec): IContainer[] => [...containers, ...initContainers];

type Way = readonly [host: string, tls: string, service: string, port: string | number];

function wayOfIngress({ spec }: Of<'Ingress'>): Way {
  const [[rule, ...rules], [tls]] = [spec.rules!, spec.tls!];
  expect([rules, tls!.hosts]).toEqual([[], [rule!.host]]);
  const { name, port } = rule!.http!.paths[0]!.backend.service!;
  return [rule!.host!, tls!.secretName!, name, port!.name!];
}

function wayOfGateway({ metadata, spec }: Of<'Gateway'>, rendered: Rendered): Way {
  const [https, http] = spec.listeners;
  expect([http!.hostname, http!.port, https!.port, https!.protocol]).toEqual([https!.hostname, 80, 443, 'HTTPS']);
  const { parentRefs, rules } = rendered.one('HTTPRoute', 'claims').spec;
  expect(parentRefs).toEqual([{ name: metadata.name, sectionName: https!.name }]);
  const { name, port } = rules![0]!.backendRefs![0]!;
  return [https!.hostname!, https!.tls!.certificateRefs![0]!.name, name, port!];
}

describeOverlays('the manifests of', (_overlay, rendered) => {
  it('are what the schemas of Kubernetes, KEDA and the Prometheus Operator allow', async () => {
    for (const manifest of rendered.all)
      await expect(validate(manifest), `${manifest.kind} ${manifest.metadata.name}`).resolves.toBeUndefined();
  });

  it('have no field that Kubernetes does not know: it would ignore a misspelt one', () => {
    expect(typeErrors(rendered.all)).toEqual([]);
    const misspelt = structuredClone(rendered.all.filter(({ kind }) => kind === 'Deployment')) as unknown as {
      spec: { template: { spec: object } };
    }[];
    Object.assign(misspelt[0]!.spec.template.spec, { terminationGracePeriod: 60 });
    expect(typeErrors(misspelt as unknown as Manifest[])).toEqual([expect.stringContaining('terminationGracePeriod')]);
  });

  it('are all in one namespace, which starts only what keeps to the restricted standard', () => {
    const [namespace, ...others] = rendered.of('Namespace');
    expect(others).toEqual([]);
    expect(namespace!.metadata.labels).toMatchObject({ 'pod-security.kubernetes.io/enforce': 'restricted' });
    const elsewhere = rendered.all.filter(({ kind, metadata }) => kind !== 'Namespace' && metadata.namespace !== namespace!.metadata.name);
    expect(elsewhere).toEqual([]);
  });

  it('run the image of this version', () => {
    const images = rendered.makers.flatMap(({ template }) => containersOf(template.spec!).map(({ image }) => image));
    expect(images).toHaveLength(3);
    expect(new Set(images)).toEqual(new Set([`registry.example.com/claims-api:${version}`]));
  });

  describe.each(rendered.makers)('a pod of $name', ({ template }) => {
    const spec = template.spec!;

    it('keeps to the restricted standard of pod security, and cannot write to its image', () => {
      expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: uid, runAsGroup: gid });
      expect(spec.securityContext!.seccompProfile).toEqual({ type: 'RuntimeDefault' });
      expect([spec.hostNetwork, spec.hostPID, spec.hostIPC]).toEqual([undefined, undefined, undefined]);
      for (const volume of spec.volumes ?? []) expect(Object.keys(volume).toSorted()).toEqual(['emptyDir', 'name']);
      for (const { securityContext, ports = [] } of containersOf(spec)) {
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        for (const port of ports) expect(port).not.toHaveProperty('hostPort');
      }
    });

    it('has no token of Kubernetes', () => {
      expect(spec.automountServiceAccountToken).toBe(false);
      if (spec.serviceAccountName) expect(rendered.one('ServiceAccount', spec.serviceAccountName).automountServiceAccountToken).toBe(false);
    });

    it('asks for processor, memory and disk, and has limits for them', () => {
      for (const { resources } of containersOf(spec)) {
        const [requests, limits] = [resources!.requests as object, resources!.limits as Record<string, unknown>];
        expect(Object.keys(requests).toSorted()).toEqual(['cpu', 'ephemeral-storage', 'memory']);
        for (const [name, quantity] of Object.entries(requests)) expect(amount(quantity), name).toBeLessThanOrEqual(amount(limits[name]));
        // Memory cannot be taken back: a pod that asked for less than it may use is the first to be killed.
        expect((requests as Record<string, unknown>).memory).toBe(limits.memory);
      }
    });
  });

  describe.each(rendered.of('Deployment'))('$metadata.name', ({ metadata, spec }) => {
    const labels = spec.template.metadata!.labels as Record<string, string>;
    const [container, ...more] = spec.template.spec!.containers;
    const ports = container!.ports!.map(({ name }) => name);

    it('selects its own pods and no others', () => {
      const chosen = rendered.makers.filter(({ template }) => selects(spec.selector, template.metadata!.labels as Record<string, string>));
      expect(chosen.map(({ name }) => name)).toEqual([metadata.name]);
      for (const { labelSelector } of spec.template.spec!.topologySpreadConstraints!) expect(selects(labelSelector!, labels)).toBe(true);
    });

    it('has probes of its own for each question, on ports that it has', () => {
      expect(more).toEqual([]);
      const { startupProbe, livenessProbe, readinessProbe } = container!;
      for (const probe of [startupProbe, livenessProbe, readinessProbe]) expect(ports).toContain(probe!.httpGet!.port);
      expect([startupProbe, livenessProbe, readinessProbe].map((probe) => probe!.httpGet!.path)).toEqual([
        '/health/live',
        '/health/live',
        '/health/ready',
      ]);
      // Longer than a start takes on a busy machine.
      expect(startupProbe!.periodSeconds! * startupProbe!.failureThreshold!).toBeGreaterThanOrEqual(60);
    });

    it('never has fewer pods than before while it is replaced', () => {
      expect(spec.strategy).toEqual({ type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } });
    });

    it('lets machines be emptied, one pod at a time', () => {
      const budgets = rendered.of('PodDisruptionBudget').filter((budget) => selects(budget.spec.selector!, labels));
      expect(budgets.map((budget) => budget.spec.maxUnavailable)).toEqual([1]);
      expect(budgets[0]!.spec).not.toHaveProperty('minAvailable');
    });

    it('has as many pods as one autoscaler says, and no number of its own to fight with it', () => {
      const byKubernetes = rendered.of('HorizontalPodAutoscaler').map((scaler) => scaler.spec);
      const byKeda = rendered.of('ScaledObject').map((scaler) => ({
        scaleTargetRef: scaler.spec.scaleTargetRef,
        minReplicas: scaler.spec.minReplicaCount,
        maxReplicas: scaler.spec.maxReplicaCount,
      }));
      const mine = [...byKubernetes, ...byKeda].filter(
        ({ scaleTargetRef: { kind, name } }) => `${kind} ${name}` === `Deployment ${metadata.name}`,
      );
      expect(mine).toHaveLength(1);
      expect(mine[0]!.minReplicas).toBeGreaterThan(0);
      expect(mine[0]!.maxReplicas).toBeGreaterThan(mine[0]!.minReplicas!);
      expect(spec).not.toHaveProperty('replicas');
    });
  });

  it('have services whose pods and ports exist', () => {
    for (const { metadata, spec } of rendered.of('Service')) {
      const pods = rendered.makers.filter(({ template }) => selects({ matchLabels: spec.selector }, template.metadata!.labels as never));
      expect(pods.map(({ name }) => name)).toEqual([metadata.name]);
      const names = pods[0]!.template.spec!.containers[0]!.ports!.map(({ name }) => name);
      for (const { targetPort } of spec.ports!) expect(names).toContain(targetPort);
    }
  });

  it('send calls by TLS to the API, by a Gateway or an Ingress, whose host is that of BASE_URL', () => {
    const [ingress] = rendered.of('Ingress');
    const [gateway] = rendered.of('Gateway');
    expect([ingress, gateway].filter(Boolean)).toHaveLength(1);
    const [host, tls, service, port] = ingress ? wayOfIngress(ingress) : wayOfGateway(gateway!, rendered);
    const settings = rendered.of('ConfigMap').find(({ metadata }) => metadata.name.startsWith('claims-settings'))!;
    expect(`https://${host}`).toBe((settings.data as Record<string, string>).BASE_URL);
    expect(tls).toBe('claims-tls');
    const { ports } = rendered.one('Service', service).spec;
    expect(ports!.find((one) => one.name === port || one.port === port)!.targetPort).toBe('http');
  });

  it('need nothing that one controller alone understands: no class of the base, and no annotation', () => {
    for (const { metadata, spec } of [...rendered.of('Ingress'), ...rendered.of('Gateway'), ...rendered.of('HTTPRoute')]) {
      expect(metadata.annotations).toBeUndefined();
      expect(JSON.stringify(spec)).not.toContain('"example"');
    }
  });

  it('lead pages without TLS to the address with it, and refuse calls of the API there; a slow upload has the time that it may have', () => {
    const routes = rendered.of('HTTPRoute');
    if (rendered.of('Gateway').length === 0) return void expect(routes).toEqual([]);
    const toHttps = rendered.one('HTTPRoute', 'claims-to-https').spec.rules!;
    for (const { filters, backendRefs } of toHttps)
      expect([filters, backendRefs]).toEqual([
        [{ type: 'RequestRedirect', requestRedirect: { scheme: 'https', statusCode: 301 } }],
        undefined,
      ]);
    const redirected = toHttps.flatMap(({ matches }) => matches!.map(({ path }) => [path!.type, path!.value]));
    // A request that matches no rule is answered with 404, without reaching the service.
    expect(redirected).toEqual([
      ['Exact', '/'],
      ...['/console', '/docs', '/files', '/guides', '/invitations', '/uploads'].map((path) => ['PathPrefix', path]),
      ...['/oauth/connections', '/oauth/device'].map((path) => ['PathPrefix', path]),
    ]);
    const [rule] = rendered.one('HTTPRoute', 'claims').spec.rules!;
    const longestMs = SETTINGS.requestTimeoutMs.fallback + (UPLOAD_BOUNDS.formBytes / 2 ** 20) * MS_FOR_EACH_MIB;
    expect(Number(/^(\d+)s$/.exec(rule!.timeouts!.request!)![1]) * 1000).toBeGreaterThan(longestMs);
  });

  it('let Prometheus find the metrics of API and worker', () => {
    const { selector, endpoints } = rendered.one('ServiceMonitor', 'claims').spec;
    const found = rendered.of('Service').filter(({ metadata }) => selects(selector as never, metadata.labels));
    expect(found.map(({ metadata }) => metadata.name)).toEqual(['claims-api', 'claims-worker']);
    for (const { spec } of found) expect(spec.ports!.map(({ name }) => name)).toContain(endpoints[0]!.port);
  });

  it('give Prometheus all rules of the service', () => {
    const groupsOf = (file: string) => (parse(readFileSync(`docker/prometheus/${file}`, 'utf8')) as { groups: unknown[] }).groups;
    const groups = [...groupsOf('alerts.yaml'), ...groupsOf('slo-rules.yaml')];
    expect(rendered.one('PrometheusRule', 'claims').spec.groups).toEqual(groups);
  });

  it('scale workers by the processor, and by how late deliveries are in this namespace', () => {
    const { triggers } = rendered.one('ScaledObject', 'claims-worker').spec;
    const [cpu, late, ...more] = triggers;
    expect(more).toEqual([]);
    expect(cpu).toMatchObject({ type: 'cpu', metricType: 'Utilization' });
    expect(late).toMatchObject({ type: 'prometheus', metricType: 'AverageValue' });
    const { name } = rendered.of('Namespace')[0]!.metadata;
    const [, metric, labels] = /^max\((\w+)\{(.*)\}\)$/.exec(late!.metadata.query as string)!;
    expect(labels).toBe(`table="webhook_deliveries", namespace="${name}"`);
    expect(METRICS).toContain(`| \`${metric}\` | gauge | \`table\` |`);
    // KEDA reads all of these as text.
    for (const { metadata } of triggers) expect(Object.values(metadata).every((value) => typeof value === 'string')).toBe(true);
  });

  it('migrate before the rest is there, so with nothing of the rest', () => {
    const { metadata, spec } = rendered.one('Job', 'claims-migrate');
    expect(metadata.annotations).toMatchObject({ 'argocd.argoproj.io/hook': 'PreSync' });
    const pod = spec.template.spec!;
    expect([pod.serviceAccountName, pod.containers[0]!.envFrom]).toEqual([undefined, undefined]);
    expect(pod.containers[0]!.args).toEqual(['migrate']);
    expect(spec.ttlSecondsAfterFinished).toBeGreaterThan(0);
  });
});
