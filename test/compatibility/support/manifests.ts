import { parseAllDocuments } from 'yaml';
import type { IGateway, IHTTPRoute } from '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1';
import type { IDeployment } from 'kubernetes-models/apps/v1';
import type { IHorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import type { ICronJob, IJob } from 'kubernetes-models/batch/v1';
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
  CronJob: ICronJob;
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

/** The package that knows the kinds of an API of Kubernetes. */
export function modelsOf(apiVersion: string): string {
  const ofOthers = PACKAGES.find(([group]) => apiVersion.startsWith(`${group}/`));
  return ofOthers ? `@kubernetes-models/${ofOthers[1]}/${apiVersion}` : `kubernetes-models/${apiVersion}`;
}

const PACKAGES = [
  ['gateway.networking.k8s.io', 'gateway-api'],
  ['keda.sh', 'keda'],
  ['monitoring.coreos.com', 'prometheus-operator'],
  ['external-secrets.io', 'external-secrets'],
] as const;

/** A manifest of a kind. */
export type Of<K extends keyof Kinds> = Manifest & Required<Pick<Kinds[K], 'spec' & keyof Kinds[K]>> & Kinds[K];

/** What is applied, by kind. */
export class Rendered {
  readonly all: readonly Manifest[];

  constructor(text: string) {
    this.all = parseAllDocuments(text).flatMap((document) => (document.toJS() as Manifest | null) ?? []);
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
    const once = [...this.of('Deployment'), ...this.of('Job')].map(({ metadata, spec }) => ({
      name: metadata.name,
      template: spec.template,
    }));
    const again = this.of('CronJob').map(({ metadata, spec }) => ({ name: metadata.name, template: spec.jobTemplate.spec!.template }));
    return [...once, ...again];
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
