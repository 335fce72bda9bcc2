import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, TEST_ENCRYPTION_KEY, type TestApp } from '../support/app.js';
import { parseCurl } from '../support/curl.js';
import { createDatabase } from '../support/database.js';
import { kustomize } from '../support/run-kustomize.js';
import { describeOverlays } from './support/kustomize.js';
import { Rendered } from './support/manifests.js';

const run = promisify(execFile);
const GUIDE = readFileSync('docs/kubernetes.md', 'utf8');

describe('the guide to Kubernetes', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let app: TestApp;
  beforeAll(async () => {
    database = await createDatabase();
    app = await startApp({ DATABASE_URL: database.url });
  });
  afterAll(async () => {
    await app.close();
    await database.drop();
  });

  it('creates an organization and a key whose first call is answered', async () => {
    const commands = [...GUIDE.matchAll(/exec deploy\/claims-api -- (bin\/claims\.js (?:org|key) .*)$/gm)].map(([, command]) => command!);
    expect(commands).toHaveLength(2);
    const env = { PATH: process.env.PATH, DATABASE_URL: database.url, ENCRYPTION_KEY: TEST_ENCRYPTION_KEY };
    const printed: string[] = [];
    for (const command of commands) printed.push((await run('sh', ['-c', command], { env })).stdout);
    const [, key] = printed.at(-1)!.split('\n');
    const [curl] = /^ *curl .*auth\/context.*$/m.exec(GUIDE)!;
    const { url, init } = parseCurl(curl.trim().replace('https://claims.example.com', app.url).replace('$KEY', key!));
    expect((await fetch(url, init)).status).toBe(200);
  });
});

const withManifests = (overlay: string, manifests: Rendered): void => {
  it('leaves out KEDA and Prometheus as it says', () => {
    const yaml = /```yaml\n([^]*?)```/.exec(GUIDE)![1]!;
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'claims-overlay-')));
    const resources = `resources: [${relative(folder, join(process.cwd(), 'docker/kubernetes/overlays', overlay))}]\n`;
    writeFileSync(join(folder, 'kustomization.yaml'), resources + yaml.replaceAll(/^ {2}/gm, ''));
    const rendered = new Rendered(kustomize(folder));
    expect([...rendered.of('ScaledObject'), ...rendered.of('ServiceMonitor'), ...rendered.of('PrometheusRule')]).toEqual([]);
    expect(rendered.one('Deployment', 'claims-worker').spec.replicas).toBe(2);
    rmSync(folder, { recursive: true });
  });

  it('applies parts that there are', () => {
    const components = [...GUIDE.matchAll(/-l app\.kubernetes\.io\/component=(\w+)/g)].map(([, component]) => component!);
    expect(components.length).toBeGreaterThan(0);
    const has = (component: string): boolean =>
      manifests.all.some(({ metadata }) => metadata.labels?.['app.kubernetes.io/component'] === component);
    expect(components.filter((component) => !has(component))).toEqual([]);
    const folders = [...GUIDE.matchAll(/apply -[kf] (\S+)/g)].map(([, path]) => path!);
    for (const path of folders) expect(() => readFileSync(path.endsWith('.yaml') ? path : join(path, 'kustomization.yaml'))).not.toThrow();
  });
};

describeOverlays('the guide to Kubernetes, with the manifests of', withManifests, ['kustomize']);
