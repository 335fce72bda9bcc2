import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { SETTINGS } from '../../../src/kernel/settings/settings.js';
import { isLeftOut, parseDockerfile, textsOf } from '../../support/dockerfile.js';

const source = readFileSync('docker/Dockerfile', 'utf8');
const { args, stages } = parseDockerfile(source);
const ignored = readFileSync('docker/Dockerfile.dockerignore', 'utf8');
const all = stages.flatMap(({ instructions }) => instructions);
const last = stages.at(-1)!;
const own = JSON.parse(readFileSync('package.json', 'utf8')) as { name: string; description: string; license: string };

describe('the Dockerfile', () => {
  it('names its bases by whole versions and digests, of the same Debian and of a Node with support', () => {
    const base = args.get('DEBIAN_IMAGE')!;
    expect(args.get('NODE_IMAGE')).toMatch(/^node:24\.\d+\.\d+-bookworm-slim@sha256:[\da-f]{64}$/);
    expect(base).toMatch(/^debian:12\.\d+-slim@sha256:[\da-f]{64}$/);
    expect(stages.map(({ from }) => from)).toEqual(['${NODE_IMAGE} AS build', '${DEBIAN_IMAGE}']);
    const [tag, digest] = base.split('@');
    expect(textsOf(last, 'LABEL')[0]).toContain(`base.name="docker.io/library/${tag}"`);
    expect(textsOf(last, 'LABEL')[0]).toContain(`base.digest="${digest}"`);
  });

  it('runs as a user by number who is not root', () => {
    const users = textsOf(last, 'USER');
    expect(users).toEqual([expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/)]);
    const names = last.instructions.map(({ name }) => name);
    expect(names.lastIndexOf('USER')).toBeLessThan(names.indexOf('ENTRYPOINT'));
  });

  it('starts programs without a shell between, so that signals reach them', () => {
    for (const name of ['ENTRYPOINT', 'CMD']) expect(Array.isArray(JSON.parse(textsOf(last, name)[0]!)), name).toBe(true);
    expect(textsOf(last, 'HEALTHCHECK')[0]).toMatch(/ CMD \[".*"\]$/);
  });

  it('keeps to the rules of good Dockerfiles', () => {
    expect(all.map(({ name }) => name)).not.toContain('ADD');
    expect(all.map(({ name }) => name)).not.toContain('MAINTAINER');
    for (const { text } of all.filter(({ name }) => name === 'WORKDIR')) expect(text).toMatch(/^\//);
    for (const { text } of all.filter(({ name }) => name === 'RUN')) {
      expect(text).not.toMatch(/\b(sudo|cd|apt-get|apk|curl|wget)\b/);
      // The status of a pipe would be that of its last command.
      expect(text).not.toMatch(/[^|]\|[^|]/);
    }
    for (const { instructions } of stages)
      expect(instructions.filter(({ name }, index) => name === 'RUN' && instructions[index + 1]?.name === 'RUN')).toEqual([]);
    const secret = /TOKEN|PASSWORD|SECRET|KEY|_URL/;
    expect(all.filter(({ name, text }) => ['ARG', 'ENV'].includes(name) && secret.test(text))).toEqual([]);
  });

  it('lists and keeps the packages of extensions that stay out of the bundle', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'claims-packages-'));
    const write = async (path: string, content: object) => {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), JSON.stringify(content));
    };
    const extension = { name: 'purchasing', private: true, type: 'module', dependencies: { fflate: '*' } };
    await write('package.json', { name: own.name, version: '1.0.0', workspaces: ['src/extensions/*'] });
    await write('src/extensions/purchasing/package.json', extension);
    await write('dist/bundle/external-packages.json', ['fflate']);
    for (const name of ['fflate', 'swagger-ui-dist', 'unpdf', 'dejavu-fonts-ttf'])
      await write(`node_modules/${name}/package.json`, { name, version: '1.2.3' });
    await symlink('../src/extensions/purchasing', join(folder, 'node_modules/purchasing'));
    const packages = {
      'node_modules/fflate': {},
      'node_modules/purchasing': { link: true },
      'node_modules/swagger-ui-dist': {},
      'node_modules/dejavu-fonts-ttf': {},
    };
    await write('package-lock.json', { packages });
    await cp('scripts/prune-packages.js', join(folder, 'scripts/prune-packages.js'));

    const commands = textsOf(stages[0]!, 'RUN').at(-1)!.split(' && ');
    const after = commands.slice(commands.findIndex((command) => command.startsWith('find ')));
    await promisify(execFile)('sh', ['-c', after.join(' && ')], { cwd: folder });
    const list = JSON.parse(await readFile(join(folder, 'sbom.cdx.json'), 'utf8')) as { components: { name: string }[] };
    expect(list.components).toContainEqual(expect.objectContaining({ name: 'fflate', version: '1.2.3' }));
    const left = await readdir(join(folder, 'node_modules'));
    expect(left).toContain('fflate');
    expect(left).not.toContain('purchasing');
    await rm(folder, { recursive: true });
  });

  it('says what the image is', () => {
    const label = textsOf(last, 'LABEL')[0]!;
    const said = Object.fromEntries(
      [...label.matchAll(/org\.opencontainers\.image\.([\w.]+)="([^"]*)"/g)].map(([, key, text]) => [key, text]),
    );
    expect(said).toMatchObject({ title: own.name, description: own.description, licenses: own.license });
    expect([said.version, said.revision]).toEqual(['${VERSION}', '${REVISION}']);
    expect(textsOf(last, 'EXPOSE')).toEqual([String(SETTINGS.port.fallback)]);
  });

  it('is given all that it copies, and no secrets', () => {
    const copied = textsOf(last, 'COPY').flatMap((text) => [...text.matchAll(/ \/app\/(\S+)/g)].map(([, path]) => path!));
    const made = ['node_modules', 'sbom.cdx.json', 'dist/bundle', 'extensions'];
    const words = ['words', 'tools/bank-tables/words', 'tools/personal-data/words'];
    const read = ['codes', 'docs', 'public', ...words, 'layouts', 'forms', 'templates', 'wording'];
    expect(copied).toEqual(expect.arrayContaining([...made, 'bin', ...read]));
    expect(copied.filter((path) => !made.includes(path) && isLeftOut(path, ignored))).toEqual([]);
    for (const path of ['.env', '.git/config', '.data/encryption-key', 'node_modules/pg', 'client/node_modules/x', 'dist/src/main.js'])
      expect(isLeftOut(path, ignored), path).toBe(true);
  });
});
