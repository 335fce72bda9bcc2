import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import viteConfig from '../../vite.config.js';
import { LISTED } from '../../src/modules/contracts/guides.js';
import { GERMAN_PDF, pdfOf } from '../../src/modules/statements/formats/fixtures/pdf.js';
import { TEST_ENCRYPTION_KEY } from '../support/app.js';
import { createDatabase, rowsOf } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { buildImage, type Container, type Image } from '../support/image.js';
import { childrenOf, isAlive } from '../support/processes-of.js';

const MOST_BYTES = 220e6;
const redisUrl = inject('redisUrl');

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

interface Part {
  readonly name: string;
  readonly version: string;
}

const app = (...names: string[]): string => join(image.folder, 'app', ...names);

function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0);
}

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
  it('has at most 220 MB', () => {
    expect(sizeOf(image.folder)).toBeLessThan(MOST_BYTES);
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

  it('lists all its packages, and no others, in CycloneDX', async () => {
    const { bomFormat, components } = JSON.parse(readFileSync(app('sbom.cdx.json'), 'utf8')) as { bomFormat: string; components: Part[] };
    expect(bomFormat).toBe('CycloneDX');
    const files = await readdir(app('node_modules'), { recursive: true });
    const installed = files
      .filter((file) => /(?:^|node_modules\/)(?:@[^/]+\/)?[^/@]+\/package\.json$/.test(file))
      .map((file) => JSON.parse(readFileSync(app('node_modules', file), 'utf8')) as Part);
    const namesOf = (parts: readonly Part[]) => [...new Set(parts.map(({ name, version }) => `${name}@${version}`))].toSorted();
    expect(namesOf(components)).toEqual(namesOf(installed));
  });

  it('has every library that the service loads from node_modules', () => {
    const external = (viteConfig.ssr!.external as string[]).map((name) => (name === 'pdfjs-dist' ? `${name}/legacy/build/pdf.mjs` : name));
    const script = `globalThis.DOMMatrix = class {}; await Promise.all(${JSON.stringify(external)}.map((name) => import(name)))`;
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

  it('reads a statement in a PDF', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'claims-statement-'));
    await chmod(folder, 0o755);
    const file = join(folder, 'statement.pdf');
    await writeFile(file, await pdfOf(GERMAN_PDF));
    const { code, stdout, stderr } = await image.run(['statement', 'check', file, '--json'], settings);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ format: 'pdf' });
    await rm(folder, { recursive: true });
  });

  it('writes to no other folder than /data', async () => {
    const { code, stderr } = await image.run(['org', 'create', '--name', 'Image', '--plan', 'starter'], settings);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(readdirSync(image.folder).toSorted()).toEqual(['app', 'data']);
    if (process.getuid?.() === 0) expect(statSync(join(image.folder, 'data')).uid).toBe(1000);
  });
});
