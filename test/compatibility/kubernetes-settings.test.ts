import { readFileSync } from 'node:fs';
import type { IContainer } from 'kubernetes-models/v1';
import { expect, it } from 'vitest';
import { MS_FOR_EACH_MIB } from '../../src/kernel/product.js';
import { Settings, SETTINGS } from '../../src/kernel/settings/settings.js';
import { parseDockerfile, textsOf } from '../support/dockerfile.js';
import { describeOverlays } from './support/kustomize.js';
import type { Of } from './support/manifests.js';

const GUIDE = readFileSync('docs/kubernetes.md', 'utf8');
const NAMES: string[] = Object.values(SETTINGS).map(({ name }) => name);
/** Of a process at its peak, apart from what its threads compute: docs/performance.md. */
const PROCESS_MIB = 200;
/** What a stop takes beside the longest work. */
const SLACK_MS = 10_000;
/** Stand for the values of the Secrets. */
const SECRETS: Record<string, string> = {
  DATABASE_URL: 'postgres://claims_service:secret@10.10.0.5:5432/claims',
  DATABASE_DIRECT_URL: 'postgres://claims_migrator:secret@10.10.0.5:5432/claims',
  REDIS_URL: 'rediss://:secret@10.10.1.5:6379',
  ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  SMTP_URL: 'smtps://claims:secret@smtp.example.com',
};

const imageEnv = Object.fromEntries(
  textsOf(parseDockerfile(readFileSync('docker/Dockerfile', 'utf8')).stages.at(-1)!, 'ENV').flatMap((text) =>
    text.split(' ').map((pair) => pair.split('=') as [string, string]),
  ),
);

/** The keys that the guide creates a Secret with. */
const documentedKeys = (secret: string): string[] => {
  const command = new RegExp(`create secret generic ${secret} (?:.*\\\\\\n)*.*`).exec(GUIDE)![0];
  return [...command.matchAll(/--from-(?:literal|file)="?([A-Z_]+)=/g)].map(([, key]) => key!);
};

describeOverlays('the settings of', (_overlay, rendered) => {
  const containers = rendered.makers.map(({ name, template }) => ({ name, template, container: template.spec!.containers[0]! }));

  /** The environment of a container, as Kubernetes makes it. */
  function environmentOf({ env = [], envFrom = [] }: IContainer): Record<string, string> {
    const shared = envFrom.map(({ configMapRef }) => rendered.one('ConfigMap', configMapRef!.name!).data as Record<string, string>);
    const each = env.map(({ name, value, valueFrom }) => [name, valueFrom ? SECRETS[valueFrom.secretKeyRef!.key]! : value!] as const);
    return Object.assign({}, imageEnv, ...shared, Object.fromEntries(each)) as Record<string, string>;
  }

  const settingsOf = (name: string): Settings => Settings.from(environmentOf(containers.find((made) => made.name === name)!.container));

  it('are all settings that the service knows', () => {
    for (const { name, container } of containers)
      expect(
        Object.keys(environmentOf(container)).filter((variable) => !NAMES.includes(variable.replace(/_FILE$/, ''))),
        name,
      ).toEqual([]);
  });

  it('start API and worker in production', () => {
    expect(settingsOf('claims-api')).toMatchObject({ isProduction: true, role: 'api', logFormat: 'json' });
    expect(settingsOf('claims-worker')).toMatchObject({ isProduction: true, role: 'worker', logFormat: 'json' });
    expect(settingsOf('claims-api').trustedProxies).not.toEqual([]);
  });

  it('make it listen on the ports that the pods declare, and write where they let it', () => {
    for (const { name, container, template } of containers.filter(({ container }) => container.ports)) {
      const { port, healthPort, host, dataDir } = settingsOf(name);
      const declared = Object.fromEntries(container.ports!.map((one) => [one.name, one.containerPort]));
      const { METRICS_PORT, METRICS_HOST } = environmentOf(container);
      expect(declared).toEqual({ metrics: Number(METRICS_PORT), ...(name === 'claims-api' ? { http: port } : { probes: healthPort }) });
      expect([host, METRICS_HOST]).toEqual(['0.0.0.0', '0.0.0.0']);
      expect(container.volumeMounts!.map(({ mountPath }) => mountPath)).toEqual([dataDir]);
      expect(template.spec!.volumes!.map((volume) => volume.name)).toEqual([container.volumeMounts![0]!.name]);
    }
  });

  // A JSON body has a MiB at most. Forms with files may take longer: they are cut off.
  it('let the longest work end before a pod is killed', () => {
    const graceOf = (name: string): number => rendered.one('Deployment', name).spec.template.spec!.terminationGracePeriodSeconds! * 1000;
    const [api, worker] = [settingsOf('claims-api'), settingsOf('claims-worker')];
    expect(graceOf('claims-api')).toBeGreaterThan(api.drainDelayMs + api.requestTimeoutMs + MS_FOR_EACH_MIB + SLACK_MS);
    expect(graceOf('claims-worker')).toBeGreaterThan(worker.drainDelayMs + worker.webhookTimeoutMs + SLACK_MS);
  });

  it('bound what is computed by the memory of the pod', () => {
    for (const name of ['claims-api', 'claims-worker']) {
      const { computeThreads, computeMemoryMib } = settingsOf(name);
      const { memory } = containers.find((made) => made.name === name)!.container.resources!.limits as Record<string, string>;
      const [, digits, unit] = /^(\d+)(Mi|Gi)$/.exec(memory!)!;
      const limitMib = Number(digits) * (unit === 'Gi' ? 1024 : 1);
      expect(PROCESS_MIB + computeThreads * computeMemoryMib, name).toBeLessThanOrEqual(limitMib);
    }
  });

  it('come from Secrets where they are secret, and nothing else does', () => {
    expect(rendered.all.map(({ kind }) => kind)).not.toContain('Secret');
    for (const { container } of containers) {
      const plain = [
        ...Object.keys(rendered.of('ConfigMap')[0]!.data!),
        ...container.env!.filter(({ value }) => value !== undefined).map(({ name }) => name),
      ];
      expect(plain.filter((name) => name in SECRETS)).toEqual([]);
    }
  });

  it('come from Secrets that the guide creates, with no other key', () => {
    const references = containers.flatMap(({ container }) => container.env!.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? []));
    for (const secret of ['claims', 'claims-migrate']) {
      const used = references.filter(({ name }) => name === secret).map(({ key }) => key);
      expect(documentedKeys(secret).toSorted()).toEqual([...new Set(used)].toSorted());
    }
    expect(new Set(references.map(({ name }) => name))).toEqual(new Set(['claims', 'claims-migrate']));
  });

  it('restart the pods when they change: the name of the ConfigMap has a hash of them, or the pods have it', () => {
    expect(rendered.of('ConfigMap').map(({ metadata }) => metadata.name)).toEqual([expect.stringMatching(/^claims-settings(-\w{10})?$/)]);
    const [{ metadata }] = rendered.of('ConfigMap') as [Of<'ConfigMap'>];
    for (const { spec } of metadata.name === 'claims-settings' ? rendered.of('Deployment') : [])
      expect(spec.template.metadata!.annotations).toEqual({ 'checksum/settings': expect.stringMatching(/^[\da-f]{64}$/) as string });
  });
});
