import { readFileSync } from 'node:fs';
import type { IContainer, IPodSpec } from 'kubernetes-models/v1';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { Settings, SETTINGS } from '../../src/kernel/settings/settings.js';
import { SECRET_SETTINGS } from '../../src/kernel/settings/secret-source.js';
import { CHART, helm } from '../support/run-helm.js';
import { chart, lint } from './support/chart.js';
import { typeErrors, validate } from './support/kubernetes-types.js';
import { selects, type Manifest, type Rendered } from './support/manifests.js';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const GUIDE = readFileSync('docs/operating.md', 'utf8');
const DRILL = { restoreDrill: { enabled: true, dumps: { claim: 'dumps', folder: 'claims' } } };
const CLUSTER = { postgres: { cluster: { enabled: true, spec: { resources: { requests: { memory: '2Gi' } } } } } };
const PEER = { podSelector: { matchLabels: { app: 'peer' } } };

/** Values that change what is created. The others change what it says. */
const CHOICES: Record<string, object> = {
  'a Gateway that is there': { entry: { gateway: { name: 'shared', namespace: 'gateways', sectionName: 'https' } } },
  'an Ingress with annotations': { entry: { by: 'ingress', annotations: { 'cert-manager.io/cluster-issuer': 'letsencrypt' } } },
  'no way in': { entry: { by: 'none' } },
  'autoscalers of Kubernetes alone': { worker: { scaler: 'hpa' } },
  'no autoscalers': { worker: { scaler: 'none' }, api: { scaler: 'none' } },
  'no monitoring': { monitoring: { enabled: false }, worker: { scaler: 'none' } },
  'no network policies': { network: { enabled: false }, postgres: { networks: [] }, redis: { networks: [] } },
  'no way out to the internet': { network: { internet: false } },
  'private networks': {
    network: {
      dns: { nodeLocal: '169.254.20.10' },
      collector: { to: [PEER] },
      smtp: { to: [{ ipBlock: { cidr: '10.1.2.3/32' } }], port: 587 },
      identityProvider: { to: [{ ipBlock: { cidr: '10.1.2.4/32' } }] },
      files: { to: [{ ipBlock: { cidr: '10.1.2.5/32' } }] },
      receivers: { to: [{ ipBlock: { cidr: '10.1.3.0/24' } }], port: 8443 },
    },
  },
  'secrets as files': { secrets: { asFiles: true }, auditVerify: { enabled: true }, ...DRILL },
  'secrets of a store': { externalSecrets: { enabled: true, store: { name: 'vault' } } },
  'a Postgres of CloudNativePG': CLUSTER,
  'an audit log that is verified': { auditVerify: { enabled: true } },
  'a restore drill': { ...DRILL, restoreDrill: { ...DRILL.restoreDrill, to: [PEER] } },
  'places and volumes of its own': {
    image: { pullSecrets: ['registry'], digest: `sha256:${'0'.repeat(64)}` },
    api: {
      nodeSelector: { pool: 'web' },
      tolerations: [{ key: 'web', operator: 'Exists' }],
      priorityClassName: 'high',
      podAnnotations: { 'example.com/owner': 'claims' },
      volumes: [{ name: 'ca', secret: { secretName: 'database-ca' } }],
      volumeMounts: [{ name: 'ca', mountPath: '/etc/claims', readOnly: true }],
    },
  },
};

/** The schemas of CloudNativePG are in no package. */
const hasSchema = ({ kind }: Manifest): boolean => kind !== 'Cluster';

const containersOf = ({ containers, initContainers = [] }: IPodSpec): IContainer[] => [...containers, ...initContainers];

const podOf = (rendered: Rendered, name: string): IPodSpec => rendered.makers.find((made) => made.name === name)!.template.spec!;

/** The environment of the first container, without what comes from Secrets. */
function environmentOf(rendered: Rendered, name: string): Record<string, string> {
  const [{ env = [] }] = podOf(rendered, name).containers as [IContainer];
  const own = env.flatMap(({ name: variable, value }) => (value === undefined ? [] : [[variable, value]]));
  const { data } = rendered.one('ConfigMap', 'claims-settings');
  return { ...(data as Record<string, string>), ...(Object.fromEntries(own) as Record<string, string>) };
}

describe('the chart', () => {
  it('is what Helm takes for a good chart, of this version of the program', () => {
    expect(lint({}).stdout).toContain('0 chart(s) failed');
    const { appVersion, version: own } = parse(readFileSync(`${CHART}/Chart.yaml`, 'utf8')) as Record<string, string>;
    expect([appVersion, own]).toEqual([version, version]);
  });

  describe.each(Object.entries(CHOICES))('with %s', (_choice, values) => {
    const rendered = chart(values);

    it('is linted without a complaint', () => {
      const { ok, stdout } = lint(values);
      expect(ok, stdout).toBe(true);
    });

    it('creates what Kubernetes and the operators of others allow and know', async () => {
      const known = rendered.all.filter(hasSchema);
      for (const manifest of known) await expect(validate(manifest), `${manifest.kind} ${manifest.metadata.name}`).resolves.toBeUndefined();
      expect(typeErrors(known)).toEqual([]);
      for (const { kind, metadata } of rendered.all) expect([kind, metadata.namespace]).toEqual([kind, 'claims']);
    });

    it('runs all pods by the restricted standard of pod security, without a token of Kubernetes', () => {
      for (const { name, template } of rendered.makers) {
        const { securityContext, automountServiceAccountToken } = template.spec!;
        expect(securityContext, name).toMatchObject({ runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } });
        expect(automountServiceAccountToken, name).toBe(false);
        for (const container of containersOf(template.spec!)) {
          expect(container.securityContext, name).toEqual({
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          });
          expect(container.resources!.limits, name).toBeDefined();
        }
      }
    });

    it('mounts only volumes that the pod has', () => {
      for (const { name, template } of rendered.makers) {
        const volumes = (template.spec!.volumes ?? []).map((volume) => volume.name);
        const mounted = containersOf(template.spec!).flatMap(({ volumeMounts = [] }) => volumeMounts.map((mount) => mount.name));
        expect(new Set(mounted), name).toEqual(new Set(volumes));
      }
    });
  });

  it.each<[string, object, string]>([
    ['a value that there is not', { repicas: 3 }, 'repicas'],
    ['a setting that there is not', { settings: { DRAIN_DELAI: '10s' } }, 'DRAIN_DELAI'],
    ['a secret among the settings', { settings: { DATABASE_URL: 'postgres://claims@localhost/claims' } }, 'DATABASE_URL'],
    ['an address instead of a host', { host: 'https://claims.example.com' }, 'host'],
    ['no network of Postgres', { postgres: { networks: [] } }, 'postgres.networks'],
    ['a drill without a volume of dumps', { restoreDrill: { enabled: true } }, 'restoreDrill.dumps.claim'],
    ['a store of secrets without a name', { externalSecrets: { enabled: true } }, 'externalSecrets.store.name'],
    ['another scaler', { worker: { scaler: 'vpa' } }, 'worker.scaler'],
  ])('refuses %s', (_what, values, place) => {
    const { ok, stdout, stderr } = lint(values);
    expect(ok).toBe(false);
    // As Helm 3 names a place; Helm 4 writes slashes.
    expect((stdout + stderr).replaceAll('/', '.')).toContain(place);
  });

  it('cannot be installed before it is said where the service is', () => {
    const { ok, stderr } = helm('template', 'claims', CHART);
    expect(ok).toBe(false);
    expect(stderr).toContain('host');
  });
});

describe('settings of the chart', () => {
  const secret = SECRET_SETTINGS as readonly string[];
  const names = Object.values(SETTINGS)
    .map(({ name }) => name)
    .filter((name) => !secret.includes(name) && name !== 'ROLE');

  it('reach the pods, each of them as it was written', () => {
    const written = Object.fromEntries(names.map((name) => [name, `value of ${name}`]));
    // Ports of the pods are made of these.
    const ports = { PORT: 3100, METRICS_PORT: 9500, HEALTH_PORT: 3101, DATA_DIR: '/var/lib/claims' };
    const rendered = chart({ settings: { ...written, ...ports } });
    const all = Object.fromEntries(Object.entries({ ...written, ...ports }).map(([name, value]) => [name, String(value)]));
    expect(rendered.one('ConfigMap', 'claims-settings').data).toEqual(all);
    const [api] = podOf(rendered, 'claims-api').containers as [IContainer];
    expect(api.ports).toEqual([
      { name: 'http', containerPort: 3100 },
      { name: 'metrics', containerPort: 9500 },
    ]);
    expect(api.volumeMounts).toEqual([{ name: 'data', mountPath: '/var/lib/claims' }]);
  });

  it('may be numbers and objects, which the service reads as they were meant', () => {
    const settings = {
      WEBHOOK_MAX_BYTES_IN_FLIGHT: 67_108_864,
      OTEL_TRACES_SAMPLER_ARG: 0.05,
      STATEMENT_KEEP_ORIGINAL: true,
      PLANS: { scale: { like: 'enterprise', perMinute: 6000, burst: 2000 } },
      REPORT_LIMITS: { lines: 7_000_000 },
    };
    const read = Settings.from(environmentOf(chart({ settings }), 'claims-api'));
    expect(read).toMatchObject({ webhookMaxBytesInFlight: 67_108_864, traceShare: 0.05, statementKeepOriginal: true });
    expect(read.reportLimits).toMatchObject({ lines: 7_000_000 });
    expect(Object.keys(read.rateLimits as object)).toContain('scale');
  });

  it('of extensions may have any name', () => {
    expect(environmentOf(chart({ extensionSettings: { ACME_BROKER: 'amqp://broker' } }), 'claims-worker').ACME_BROKER).toBe(
      'amqp://broker',
    );
  });

  it('that are changed restart the pods', () => {
    const hashOf = (values: object): unknown =>
      chart(values).one('Deployment', 'claims-api').spec.template.metadata!.annotations!['checksum/settings'];
    expect(hashOf({ settings: { LOG_LEVEL: 'debug' } })).not.toBe(hashOf({}));
    expect(hashOf({ api: { replicas: { max: 12 } } })).toBe(hashOf({}));
  });
});

describe('secrets of the chart', () => {
  it('as files are mounted where the settings look for them, and in no environment', () => {
    const rendered = chart(CHOICES['secrets as files']!);
    for (const [name, secretName, keys] of [
      ['claims-api', 'claims', ['DATABASE_URL', 'REDIS_URL', 'ENCRYPTION_KEY', 'SMTP_URL']],
      ['claims-worker', 'claims', ['DATABASE_URL', 'REDIS_URL', 'ENCRYPTION_KEY', 'SMTP_URL']],
      ['claims-audit-verify', 'claims', ['DATABASE_URL', 'REDIS_URL', 'ENCRYPTION_KEY', 'SMTP_URL']],
      ['claims-migrate', 'claims-migrate', ['DATABASE_DIRECT_URL']],
    ] as const) {
      const { containers, volumes } = podOf(rendered, name);
      const [{ env = [], volumeMounts = [] }] = containers as [IContainer];
      const { mountPath } = volumeMounts.find((mount) => mount.name === 'secrets')!;
      expect(env.filter(({ valueFrom }) => valueFrom)).toEqual([]);
      for (const key of keys) expect(env).toContainEqual({ name: `${key}_FILE`, value: `${mountPath}/${key}` });
      expect(volumes).toContainEqual({ name: 'secrets', secret: { secretName, defaultMode: 0o444 } });
    }
  });

  it('come from a store with the keys that the pods read, those of the migration before it runs', () => {
    const rendered = chart(CHOICES['secrets of a store']!);
    const made = rendered.all.filter(({ kind }) => kind === 'ExternalSecret') as (Manifest & {
      spec: { target: { name: string }; data: { secretKey: string }[] };
    })[];
    for (const { name, template } of rendered.makers) {
      for (const { valueFrom } of template.spec!.containers[0]!.env ?? []) {
        if (!valueFrom) continue;
        const { name: secret, key } = valueFrom.secretKeyRef!;
        const { data } = made.find(({ spec }) => spec.target.name === secret)!.spec;
        expect(
          data.map(({ secretKey }) => secretKey),
          name,
        ).toContain(key);
      }
    }
    const [weight, hook] = ['hook-weight', 'hook'].map(
      (one) => made.find(({ metadata }) => metadata.name === 'claims-migrate')!.metadata.annotations![`helm.sh/${one}`],
    );
    expect([Number(weight), hook]).toEqual([-1, 'pre-install,pre-upgrade']);
  });
});

describe('the migration of the chart', () => {
  it('runs before a version is installed and before an upgrade, with the role that owns the tables', () => {
    for (const more of [[], ['--is-upgrade']]) {
      const { metadata, spec } = chart({}, ...more).one('Job', 'claims-migrate');
      expect(metadata.annotations!['helm.sh/hook']).toBe('pre-install,pre-upgrade');
      expect(spec.template.spec!.containers[0]!.env).toEqual([
        { name: 'DATABASE_DIRECT_URL', valueFrom: { secretKeyRef: { name: 'claims-migrate', key: 'DATABASE_DIRECT_URL' } } },
      ]);
    }
  });

  it('waits beside a new Postgres of the chart, and runs before an upgrade of it', () => {
    expect(chart(CLUSTER).one('Job', 'claims-migrate').metadata.annotations).toEqual({
      'argocd.argoproj.io/hook': 'Sync',
      'argocd.argoproj.io/hook-delete-policy': 'BeforeHookCreation',
    });
    const upgrade = chart(CLUSTER, '--is-upgrade').one('Job', 'claims-migrate');
    expect(upgrade.metadata.annotations!['helm.sh/hook']).toBe('pre-install,pre-upgrade');
    expect(upgrade.spec.template.spec!.containers[0]!.env).toEqual([
      { name: 'DATABASE_DIRECT_URL', valueFrom: { secretKeyRef: { name: 'claims-postgres-app', key: 'uri' } } },
    ]);
  });

  it('comes before the workers, and these before the API, in an upgrade in two steps', () => {
    const rendered = chart({ image: { tag: '1.1.0' }, api: { tag: '1.0.0' } });
    const tagOf = (name: string): string => podOf(rendered, name).containers[0]!.image!.split(':')[1]!;
    expect(['claims-migrate', 'claims-worker', 'claims-api'].map(tagOf)).toEqual(['1.1.0', '1.1.0', '1.0.0']);
  });
});

describe('a Postgres of the chart', () => {
  const rendered = chart(CLUSTER);
  const cluster = rendered.all.find(({ kind }) => kind === 'Cluster') as Manifest & {
    spec: {
      bootstrap: { initdb: { owner: string; postInitApplicationSQL: string[] } };
      managed: { roles: { name: string; superuser?: boolean }[] };
      resources: object;
    };
  };

  it('has the roles and privileges that the guide gives them', () => {
    const [, block] = /<!-- roles -->\n```sql\n([^`]+)```/.exec(GUIDE)!;
    const written = block!.split(';').map((statement) => statement.trim().replaceAll(/\s+/g, ' '));
    const { owner, postInitApplicationSQL } = cluster.spec.bootstrap.initdb;
    // The operator creates the owner, and gives the other its password.
    const expected = written.filter((statement) => statement && !statement.startsWith(`CREATE ROLE ${owner} `));
    expect(postInitApplicationSQL).toEqual(expected.map((statement) => statement.replace(/ PASSWORD '[^']+'/, '')));
    expect(cluster.spec.managed.roles).toEqual([expect.objectContaining({ name: 'claims_service', login: true })]);
    expect(cluster.spec.resources).toEqual({ requests: { memory: '2Gi' } });
  });

  it('is reached by the pods of the service, and by its operator alone besides', () => {
    const { ingress } = rendered.one('NetworkPolicy', 'claims-postgres-instances').spec;
    expect(ingress!.flatMap(({ from }) => from!)).toEqual([
      { podSelector: { matchLabels: { 'app.kubernetes.io/name': 'claims' } } },
      { podSelector: { matchLabels: { 'cnpg.io/cluster': 'claims-postgres' } } },
      { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'cnpg-system' } } },
    ]);
    expect(rendered.one('NetworkPolicy', 'claims-postgres').spec.egress![0]!.to).toEqual([
      { podSelector: { matchLabels: { 'cnpg.io/cluster': 'claims-postgres' } } },
    ]);
  });

  it('stays when the release is uninstalled', () => {
    expect(cluster.metadata.annotations).toMatchObject({ 'helm.sh/resource-policy': 'keep' });
  });
});

describe('the network of the chart', () => {
  const rendered = chart(CHOICES['private networks']!);

  /** The addresses that a pod may reach besides the defaults. */
  function reachedBy(name: string): string[] {
    const { labels } = rendered.makers.find((made) => made.name === name)!.template.metadata!;
    const others = ['postgres', 'redis', 'internet', 'names'].map((each) => `claims-${each}`);
    return rendered
      .of('NetworkPolicy')
      .filter(({ metadata, spec }) => !others.includes(metadata.name) && selects(spec.podSelector as never, labels as never))
      .flatMap(({ spec }) => spec.egress ?? [])
      .flatMap(({ to, ports }) => to!.map(({ ipBlock }) => `${ipBlock?.cidr ?? 'peer'}:${ports![0]!.port}`));
  }

  it('lets each part reach what it needs among private addresses, and nothing else', () => {
    const both = ['10.1.2.5/32:443', '10.1.3.0/24:8443', 'peer:4318'];
    expect(reachedBy('claims-api').toSorted()).toEqual(['10.1.2.4/32:443', ...both]);
    expect(reachedBy('claims-worker').toSorted()).toEqual(['10.1.2.3/32:587', ...both]);
    expect(reachedBy('claims-migrate')).toEqual([]);
  });

  it('asks the DNS of the node, too, if there is one', () => {
    const [{ to, ports }] = rendered.one('NetworkPolicy', 'claims-names').spec.egress as [{ to: object[]; ports: object[] }];
    expect(to).toContainEqual({ ipBlock: { cidr: '169.254.20.10/32' } });
    expect(ports).toHaveLength(2);
  });
});

describe('the jobs of the chart', () => {
  const rendered = chart({ ...DRILL, auditVerify: { enabled: true } });
  const scripts = rendered.one('ConfigMap', 'claims-scripts').data as Record<string, string>;

  it('run scripts that they have', () => {
    for (const name of ['claims-audit-verify', 'claims-restore-drill'])
      for (const { command } of containersOf(podOf(rendered, name)))
        expect(Object.keys(scripts)).toContain(command![1]!.replace('/scripts/', ''));
    for (const [name, text] of Object.entries(scripts)) expect(text).toBe(readFileSync(`${CHART}/files/${name}`, 'utf8'));
  });

  it('fail at the first fault, and are not tried again beside one that runs', () => {
    for (const { spec } of rendered.of('CronJob')) {
      expect(spec.concurrencyPolicy).toBe('Forbid');
      expect(spec.jobTemplate.spec!.backoffLimit).toBe(0);
      expect(spec.jobTemplate.spec!.template.spec!.restartPolicy).toBe('Never');
    }
  });

  it('let the drill see the scratch database and the key, not the database of the service, and read the dumps only', () => {
    const { containers, initContainers, volumes } = podOf(rendered, 'claims-restore-drill');
    const all = [...containers, ...initContainers!];
    const secrets = all.flatMap(({ env }) => env!.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef?.key ?? []));
    expect(new Set(secrets)).toEqual(new Set(['SCRATCH_DATABASE_URL', 'ENCRYPTION_KEY']));
    expect(all.flatMap(({ envFrom = [] }) => envFrom)).toEqual([]);
    expect(volumes).toContainEqual({ name: 'dumps', persistentVolumeClaim: { claimName: 'dumps', readOnly: true } });
  });

  it('raise an alert when they fail, and the drill also when it does not run', () => {
    const { groups } = rendered.one('PrometheusRule', 'claims').spec as unknown as {
      groups: { name: string; rules: { alert: string }[] }[];
    };
    const alerts = groups.find(({ name }) => name === 'claims-jobs')!.rules.map(({ alert }) => alert);
    expect(alerts).toEqual(['ClaimsAuditVerifyFailed', 'ClaimsRestoreDrillFailed', 'ClaimsRestoreDrillMissing']);
  });
});
