import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const OFFLINE = { ...process.env, NODE_OPTIONS: '', npm_config_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' };

/** A package that a test writes itself: its files by their names. */
export interface WrittenPackage {
  readonly name: string;
  readonly manifest?: object;
  readonly files?: Readonly<Record<string, string>>;
}

/** What the image has of the repository (docker/Dockerfile), in a folder of its own, so that a test can add packages to it. */
export class InstalledProgram {
  private constructor(readonly root: string) {}

  static async make(): Promise<InstalledProgram> {
    const root = await mkdtemp(join(tmpdir(), 'claims-installed-'));
    const dockerfile = await readFile(join(ROOT, 'docker/Dockerfile'), 'utf8');
    const copied = [...dockerfile.matchAll(/^COPY --from=build (\/app\/.+) \.\S*$/gm)].flatMap(([, paths]) => paths!.split(' '));
    for (const path of copied.map((each) => each.replace('/app/', '')))
      if (path === 'node_modules') await symlink(join(ROOT, path), join(root, path));
      // Only the image has a list of parts, and only a checkout with packages their folder.
      else if (!['sbom.cdx.json', 'extensions'].includes(path)) await cp(join(ROOT, path), join(root, path), { recursive: true });
    const installed = new InstalledProgram(root);
    await mkdir(installed.path('extensions'));
    await installed.list();
    return installed;
  }

  path(...names: readonly string[]): string {
    return join(this.root, ...names);
  }

  /** Says which packages are used. */
  async list(...names: readonly string[]): Promise<void> {
    const file = this.path('extensions/package.json');
    const before = existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as object) : {};
    await writeFile(file, JSON.stringify({ ...before, claims: { extensions: names } }));
  }

  /** As an operator does, but without a registry. */
  async install(archive: string): Promise<void> {
    await run('npm', ['install', archive], { cwd: this.path('extensions'), env: OFFLINE });
  }

  async write({ name, manifest = {}, files = {} }: WrittenPackage): Promise<void> {
    const folder = this.path('extensions/node_modules', name);
    const claims = { extension: './extension.js', madeFor: '^1.0.0' };
    const all = { 'package.json': JSON.stringify({ name, version: '1.2.3', type: 'module', claims, ...manifest }), ...files };
    for (const [file, text] of Object.entries(all)) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), text);
    }
  }

  remove(): Promise<void> {
    return rm(this.root, { recursive: true, force: true });
  }
}
