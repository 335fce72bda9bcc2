import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { kustomize } from '../../support/run-kustomize.js';
import type { IGateway, IHTTPRoute } from '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1';
import type { IDeployment } from 'kubernetes-models/apps/v1';
import type { IHorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import type { IJob } from 'kubernetes-models/batch/v1';
import type { IIngress, INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1';
import type { IConfigMap, INamespace, IPodTemplateSpec, IService, IServiceAccount } from 'kubernetes-models/v1';

/** Of KEDA: what is used of it. */
export interface ScaledObject {
  readonly spec: {
    readonly scaleTargetRef: { readonly kind: string; readonly name: string };
    readonly minReplicaCount: number;
    readonly maxReplicaCount: number;
    readonly triggers: readonly {
      readonly type: string;
      readonly metricType: string;
      readonly metadata: Readonly<Record<string, unknown>>;
    }[];
  };
}

/** Of the Prometheus Operator: what is used of it. */
export interface ServiceMonitor {
  readonly spec: {
    readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
    readonly endpoints: readonly { readonly port: string; readonly interval: string }[];
  };
}

/** Of the Prometheus Operator, too. */
export interface PrometheusRule {
  readonly spec: { readonly groups: readonly unknown[] };
}

interface Kinds {
  ConfigMap: IConfigMap;
  Deployment: IDeployment;
  Gateway: IGateway;
  HTTPRoute: IHTTPRoute;
  HorizontalPodAutoscaler: IHorizontalPodAutoscaler;
  Ingress: IIngress;
  Job: IJob;
  Namespace: INamespace;
  NetworkPolicy: INetworkPolicy;
  PodDisruptionBudget: IPodDisruptionBudget;
  PrometheusRule: PrometheusRule;
  ScaledObject: ScaledObject;
  Service: IService;
  ServiceAccount: IServiceAccount;
  ServiceMonitor: ServiceMonitor;
}

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
}

/** Tests for each overlay, with each way in. Without kustomize all fail, and say what to install. */
export function describeOverlays(title: string, tests: (overlay: string, rendered: Rendered) => void): void {
  const both = ['staging', 'production'].flatMap((overlay) => WAYS_IN.map((way) => [overlay, way] as const));
  describe.each(both)(`${title} %s by %s`, (overlay, way) => tests(overlay, renderedBy(overlay, way)));
}

const WAYS_IN = ['gateway', 'ingress'] as const;

/** An overlay, in which the way in is changed as its comment says. */
function renderedBy(overlay: string, way: (typeof WAYS_IN)[number]): Rendered {
  const folder = mkdtempSync(join(tmpdir(), 'claims-overlay-'));
  try {
    cpSync('docker/kubernetes', folder, { recursive: true });
    const file = join(folder, 'overlays', overlay, 'kustomization.yaml');
    const written = readFileSync(file, 'utf8');
    const chosen = written.replace(/^components: \[.*\]$/m, `components: [../../${way}]`);
    if (!written.includes('components: [../../gateway]')) throw new Error(`${overlay} has no line with its way in.`);
    writeFileSync(file, chosen);
    return new Rendered(join(folder, 'overlays', overlay));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The package that knows the kinds of an API of Kubernetes. */
export const modelsOf = (apiVersion: string): string =>
  apiVersion.startsWith('gateway.') ? `@kubernetes-models/gateway-api/${apiVersion}` : `kubernetes-models/${apiVersion}`;

/** A manifest of a kind. */
export type Of<K extends keyof Kinds> = Manifest & Required<Pick<Kinds[K], 'spec' & keyof Kinds[K]>> & Kinds[K];

/** What a folder applies, by kind. */
export class Rendered {
  readonly all: readonly Manifest[];

  constructor(folder: string) {
    const text = kustomize(folder);
    this.all = parseAllDocuments(text).map((document) => document.toJS() as Manifest);
  }

  of<K extends keyof Kinds>(kind: K): Of<K>[] {
    return this.all.filter((manifest) => manifest.kind === kind) as never;
  }

  one<K extends keyof Kinds>(kind: K, name: string) {
    const found = this.of(kind).find(({ metadata }) => metadata.name === name);
    if (!found) throw new Error(`There is no ${kind} ${name}.`);
    return found;
  }

  /** What makes pods, with what the pods are. */
  get makers(): { readonly name: string; readonly template: IPodTemplateSpec }[] {
    return [...this.of('Deployment'), ...this.of('Job')].map(({ metadata, spec }) => ({ name: metadata.name, template: spec.template }));
  }
}

/** Whether a selector takes a pod with these labels. */
export function selects(
  selector: { matchLabels?: Record<string, string>; matchExpressions?: { key: string; operator: string; values?: string[] }[] },
  labels: Readonly<Record<string, string>> = {},
): boolean {
  const { matchLabels = {}, matchExpressions = [] } = selector;
  if (matchExpressions.some(({ operator }) => operator !== 'In')) throw new Error('Only the operator In is understood.');
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, values = [] }) => values.includes(labels[key] ?? ''))
  );
}
