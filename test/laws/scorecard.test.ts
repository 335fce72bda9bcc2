import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, describe, it } from 'vitest';
import { parse } from 'yaml';
import { ownFiles } from '../support/releases.js';

/** What the checks of OpenSSF Scorecard that read a checkout would find. The others ask GitHub: docs/releasing.md lists them. */

interface Step {
  readonly uses?: string;
  readonly run?: string;
}
type Permissions = Readonly<Record<string, string>> | string;
interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions?: Permissions;
  readonly jobs: Readonly<Record<string, { readonly permissions?: Permissions; readonly steps: readonly Step[] }>>;
}

const FOLDER = '.github/workflows';
const files = readdirSync(FOLDER).map((name) => `${FOLDER}/${name}`);
const read = (path: string): string => readFileSync(path, 'utf8');

/** Actions and images that are named by a tag, which its owner can move. */
function unpinned(text: string): string[] {
  const actions = [...text.matchAll(/^\s*(?:- )?uses: (\S+)(.*)$/gm)].filter(
    ([, action, comment]) => !action!.startsWith('./') && !/@[\da-f]{40} # v\d+\.\d+\.\d+$/.test(`${action}${comment}`),
  );
  const images = [...text.matchAll(/^\s*(?:image|services): \[?['"]?([^\s'"\]]+)/gm)].filter(
    ([, image]) => !/@sha256:[\da-f]{64}$/.test(image!),
  );
  return [...actions, ...images].map(([, name]) => name!);
}

/** Jobs that may write, and what. */
const MAY_WRITE: Readonly<Record<string, readonly string[]>> = {
  // The page of the release, the identity that signs, and the image.
  'release.yml release': ['contents', 'id-token', 'packages'],
};

function permissionFaults(file: string, { permissions, jobs }: Workflow): string[] {
  const name = file.split('/').pop()!;
  const top = typeof permissions === 'object' && Object.values(permissions).every((value) => value === 'read' || value === 'none');
  const ofJobs = Object.entries(jobs).flatMap(([job, { permissions: own = {} }]) => {
    const allowed = MAY_WRITE[`${name} ${job}`] ?? [];
    if (typeof own === 'string') return [`${name}: the job ${job} has ${own}`];
    const writes = Object.entries(own).filter(([, value]) => value === 'write');
    return writes.filter(([what]) => !allowed.includes(what)).map(([what]) => `${name}: the job ${job} may write ${what}`);
  });
  return [...(top ? [] : [`${name} may do more than read`]), ...ofJobs];
}

/** Texts of others must not become a part of a command, and their code must not run with our secrets. */
function dangers(file: string, { on, jobs }: Workflow): string[] {
  const triggers = ['pull_request_target', 'workflow_run', 'issue_comment'].filter((trigger) => trigger in on);
  const scripts = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
  const inserted = scripts.flatMap((script) => [...script.matchAll(/\$\{\{(?!\s*matrix\.)\s*([^}]*?)\s*\}\}/g)].map(([, what]) => what!));
  return [...triggers.map((trigger) => `${file} runs on ${trigger}`), ...inserted.map((what) => `${file} puts ${what} into a command`)];
}

describe.each(files)('%s', (file) => {
  const text = read(file);
  const workflow = parse(text) as Workflow;

  it('names actions by their commits, since a tag can be moved', () => {
    expect(text).toContain('uses: ');
    expect(unpinned(text)).toEqual([]);
  });

  it('reads only, but for what is listed here', () => {
    expect(permissionFaults(file, workflow)).toEqual([]);
  });

  it('puts no text of others into a command, and does not run code of others with our secrets', () => {
    expect(dangers(file, workflow)).toEqual([]);
  });

  it('leaves no credential in the checkout', () => {
    const checkouts = text.match(/uses: actions\/checkout@/g) ?? [];
    expect(text.match(/persist-credentials: false/g)).toHaveLength(checkouts.length);
  });
});

it('finds what it looks for', () => {
  expect(unpinned('  - uses: actions/checkout@v6\n    image: node:24\n')).toEqual(['actions/checkout@v6', 'node:24']);
  const step = { run: 'echo ${{ github.event.issue.title }}' };
  const workflow = { on: { pull_request_target: {} }, jobs: { a: { permissions: { contents: 'write' }, steps: [step] } } };
  expect(permissionFaults('x.yml', workflow)).toEqual(['x.yml may do more than read', 'x.yml: the job a may write contents']);
  expect(dangers('x.yml', workflow)).toEqual(['x.yml runs on pull_request_target', 'x.yml puts github.event.issue.title into a command']);
});

/** Of GitLab, which has no digests that we could verify from here; the whole version says at least what it was. */
const BY_TAG: Readonly<Record<string, string>> = {
  'node:24.21.0-bookworm': 'The tests and the files of a release; a version is never published twice',
  'docker:28': 'Builds and signs the image; its newest patch has mends of Docker itself',
  'docker:28-dind': 'The same',
};

it('images of GitLab are named by a version, and listed here with the reason', () => {
  const named = ['.gitlab-ci.yml', ...readdirSync('.gitlab').map((name) => `.gitlab/${name}`)].flatMap((file) => unpinned(read(file)));
  expect([...new Set(named)].sort()).toEqual(Object.keys(BY_TAG).sort());
});

it('the image is built from bases that are named by digest', () => {
  const bases = [...read('docker/Dockerfile').matchAll(/^ARG \w+_IMAGE=(\S+)$/gm)].map(([, base]) => base!);
  expect(bases).toHaveLength(2);
  for (const base of bases) expect(base).toMatch(/@sha256:[\da-f]{64}$/);
  const from = [...read('docker/Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, base]) => base!);
  expect(
    from.every((base) => /^\$\{\w+_IMAGE\}$/.test(base)),
    from.join(),
  ).toBe(true);
});

it('has a security policy that says how to report, and in what time we answer', () => {
  const policy = read('SECURITY.md');
  expect(policy).toMatch(/^## Reporting a vulnerability$/m);
  expect(policy.match(/\d+ (?:working )?days/g)!.length).toBeGreaterThan(3);
});

it('has a licence that its packages name, too', () => {
  expect(read('LICENSE')).toContain('Apache License');
  for (const file of ['package.json', 'client/package.json'])
    expect((JSON.parse(read(file)) as { license: string }).license, file).toBe('Apache-2.0');
});

it('has no programs that were built elsewhere', async () => {
  const tracked = await ownFiles();
  expect(tracked.length).toBeGreaterThan(1000);
  const named = tracked.filter((name) => /\.(?:exe|dll|so|dylib|a|o|class|jar|war|pyc|wasm|node|deb|rpm|msi|bin|ko)$/.test(name));
  const isProgram = (path: string): boolean => {
    const begin = readFileSync(path).subarray(0, 4).toString('latin1');
    return begin.startsWith('\x7fELF') || begin.startsWith('MZ') || begin === '\0asm' || /^[\xCF\xCE]\xFA\xED\xFE/.test(begin);
  };
  expect(named).toEqual([]);
  expect(tracked.filter((path) => existsSync(path) && isProgram(path))).toEqual([]);
});

it('a release stops at a package with a serious flaw that is known', () => {
  const { jobs } = parse(read(`${FOLDER}/release.yml`)) as Workflow;
  const ofGitlab = (parse(read('.gitlab/release.yml')) as { release: { script: string[] } }).release.script;
  for (const steps of [jobs.release!.steps.map(({ run = '' }) => run), ofGitlab]) {
    const [installs, audits, releases] = ['npm ci', 'npm audit --omit=dev --audit-level=high', 'npm run release -- --tests-passed'].map(
      (step) => steps.indexOf(step),
    );
    expect([installs! >= 0, installs! < audits!, audits! < releases!]).toEqual([true, true, true]);
  }
  expect(read('SECURITY.md').match(/^\| .*[Pp]ackage.*\| \d+ days \|$/gm)).toHaveLength(3);
});

it('has tools that propose newer versions of everything that is installed', () => {
  const { updates } = parse(read('.github/dependabot.yml')) as { updates: { 'package-ecosystem': string; directory: string }[] };
  expect(updates.map((one) => one['package-ecosystem']).sort()).toEqual(['docker', 'github-actions', 'npm']);
  for (const { directory } of updates) expect(existsSync(`.${directory}`), directory).toBe(true);
  const renovate = JSON.parse(read('renovate.json')) as { packageRules: { matchPackageNames?: string[]; matchFileNames?: string[] }[] };
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read('package.json')) as Record<string, object>;
  const known = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
  const named = renovate.packageRules.flatMap(({ matchPackageNames = [] }) => matchPackageNames);
  expect(named.filter((name) => !known.some((one) => one.startsWith(name.replace('**', ''))))).toEqual([]);
  expect(renovate.packageRules.flatMap(({ matchFileNames = [] }) => matchFileNames).filter((file) => !existsSync(file))).toEqual([]);
});

it('tries generated inputs: fast-check, which Scorecard knows as fuzzing', async () => {
  const { devDependencies } = JSON.parse(read('package.json')) as { devDependencies: object };
  expect(devDependencies).toHaveProperty('fast-check');
  const tests = (await ownFiles()).filter((file) => /\.(?:test|spec)\.ts$/.test(file));
  const users = tests.filter((file) => read(file).includes("from 'fast-check'"));
  expect(users.length).toBeGreaterThan(5);
});
