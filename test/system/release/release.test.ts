import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CleanCheckout, expectSuccess, type Finished } from '../../support/clean-checkout.js';

const WHO = { GIT_AUTHOR_NAME: 'T', GIT_AUTHOR_EMAIL: 't@example.com', GIT_COMMITTER_NAME: 'T', GIT_COMMITTER_EMAIL: 't@example.com' };
const { version: VERSION } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
/** A later one, which the changelog does not have. */
const NEXT = '9.1.0';
const CHANGE = '---\nfor: operators\nkind: new\n---\nSomething for operators.\n';

/** A repository of its own: the release looks at what is committed. */
let checkout: CleanCheckout;
/** What the release wrote, and the same from a copy of the repository in another folder. */
let made: string;
let again: string;
/** What the tag was that the release set, and what a second one said. */
let tagged: { type: string; second: Finished };

const run = (command: string): Promise<Finished> => checkout.run(command, WHO);
const git = async (command: string): Promise<void> => expectSuccess(await run(`git ${command}`));
const release = (args = ''): Promise<Finished> => run(`node scripts/release.js --tests-passed ${args}`);
const verify = (folder: string): Promise<Finished> => run(`node scripts/verify-release.js ${folder}`);
const read = (folder: string, name: string): Promise<string> => readFile(join(folder, name), 'utf8');
const sha256 = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex');

async function newFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'claims-release-test-'));
}

beforeAll(async () => {
  checkout = await CleanCheckout.make();
  [made, again] = [await newFolder(), await newFolder()];
  // Waiting changes would stop the release. Without them the generated documents are those of a release.
  expectSuccess(await run('if ls changes/[0-9]* 2>/dev/null; then rm changes/[0-9]* && npm run --silent contracts; fi'));
  await git('init --quiet --initial-branch main');
  await writeFile(checkout.path('.git/info/exclude'), 'node_modules\n');
  await git('add --all');
  await git('commit --quiet --message first');
  await git('tag start');
  expectSuccess(await release(`--tag --output ${made}`));
  tagged = { type: (await run(`git cat-file -t v${VERSION}`)).output.trim(), second: await release('--tag') };
  await git(`tag --delete v${VERSION}`);
  await cp(checkout.root, join(again, 'copy'), { recursive: true, verbatimSymlinks: true });
  const args = `scripts/release.js --tests-passed --output ${join(again, 'made')}`;
  expectSuccess(await run(`cd ${join(again, 'copy')} && node ${args}`));
});
afterAll(async () => {
  await checkout.remove();
  await Promise.all([made, again].map((folder) => rm(folder, { recursive: true })));
});
beforeEach(() => git('reset --quiet --hard start'));

it('two runs in two folders write the same bytes', async () => {
  const names = (await readdir(made)).sort();
  expect(names.length).toBeGreaterThan(7);
  expect((await readdir(join(again, 'made'))).sort()).toEqual(names);
  for (const name of names) {
    const [first, second] = await Promise.all([made, join(again, 'made')].map((folder) => readFile(join(folder, name))));
    expect(sha256(second!), name).toBe(sha256(first!));
  }
});

interface LockEntry {
  readonly dev?: boolean;
  readonly link?: boolean;
  readonly name?: string;
  readonly version: string;
  readonly integrity?: string;
}
interface Part {
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly hashes?: readonly { content: string }[];
  readonly licenses?: readonly object[];
  readonly licenseDeclared: string;
  readonly versionInfo: string;
  readonly checksums?: readonly { checksumValue: string }[];
}

it('each package that production installs is in both lists of parts once, with the hash of the lock', async () => {
  const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8')) as { packages: Record<string, LockEntry> };
  const installed = Object.entries(packages).filter(([path, { dev, link }]) => path !== '' && dev !== true && link !== true);
  const wanted = installed.map(([path, { name, version, integrity = '' }]) => {
    const hash = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex');
    return `${name ?? path.split('node_modules/').pop()!}@${version} ${hash}`;
  });
  // A package that is installed at two places is one part.
  const expected = [...new Set(wanted)].sort();
  expect(expected.length).toBeGreaterThan(200);
  const cycloneDx = JSON.parse(await read(made, `claims-api-${VERSION}.cdx.json`)) as { specVersion: string; components: Part[] };
  const spdx = JSON.parse(await read(made, `claims-api-${VERSION}.spdx.json`)) as { spdxVersion: string; packages: Part[] };
  expect([cycloneDx.specVersion, spdx.spdxVersion]).toEqual(['1.6', 'SPDX-2.3']);
  const ofCycloneDx = cycloneDx.components.map(
    ({ group, name, version, hashes }) => `${group === undefined ? '' : `${group}/`}${name}@${version} ${hashes?.[0]?.content ?? ''}`,
  );
  const [, ...others] = spdx.packages;
  const ofSpdx = others.map(({ name, versionInfo, checksums }) => `${name}@${versionInfo} ${checksums?.[0]?.checksumValue ?? ''}`);
  for (const { licenses } of cycloneDx.components) expect(licenses).toHaveLength(1);
  expect(spdx.packages.filter(({ licenseDeclared }) => !/^[A-Z\d][\w.-]*$/.test(licenseDeclared)).map(({ name }) => name)).toEqual([]);
  expect(spdx.packages.map(({ licenseDeclared }) => licenseDeclared)).not.toContain('NOASSERTION');
  expect(ofCycloneDx.sort()).toEqual(expected);
  expect(ofSpdx.sort()).toEqual(expected);
});

it('the provenance names the commit, the lock file and every other file', async () => {
  const commit = (await run('git rev-parse start')).output.trim();
  const { subject, predicate } = JSON.parse(await read(made, `claims-api-${VERSION}.provenance.json`)) as {
    subject: { name: string; digest: { sha256: string } }[];
    predicate: { buildDefinition: { resolvedDependencies: { digest: object }[]; internalParameters: { tests: string } } };
  };
  const { resolvedDependencies, internalParameters } = predicate.buildDefinition;
  const lock = sha256(await readFile('package-lock.json'));
  expect(resolvedDependencies.map(({ digest }) => digest)).toEqual([{ gitCommit: commit }, { sha256: lock }]);
  // The second, where all tests of this very checkout have passed.
  expect(internalParameters.tests).toMatch(/^(?:said to have passed|passed before, with the same files)$/);
  const files = (await readdir(made)).filter((name) => !/provenance|SHA256SUMS/.test(name)).sort();
  expect(subject.map(({ name }) => name).sort()).toEqual(files);
  for (const { name, digest } of subject) expect(digest.sha256).toBe(sha256(await readFile(join(made, name))));
});

describe('a release stops if', () => {
  const edit = async (file: string, change: (text: string) => string): Promise<void> => {
    const text = await readFile(checkout.path(file), 'utf8');
    expect(change(text)).not.toBe(text);
    await writeFile(checkout.path(file), change(text));
  };
  const places = ['package.json', 'client/package.json', 'package-lock.json', 'src/kernel/product.ts', 'server.json'];

  it.each<[what: string, said: string, prepare: () => Promise<unknown>]>([
    [
      'the changelog lacks the version',
      `CHANGELOG.md has no section for ${NEXT}`,
      async () => edit('package.json', (text) => text.replace(VERSION, NEXT)),
    ],
    [
      'the changelog says no day',
      'CHANGELOG.md says no day',
      async () => edit('CHANGELOG.md', (text) => text.replace(/\(\d{4}-\d\d-\d\d\)/, '(unreleased)')),
    ],
    [
      'a change waits',
      'These changes are not in CHANGELOG.md yet: changes/001-x.md',
      async () => writeFile(checkout.path('changes/001-x.md'), CHANGE),
    ],
    [
      'a change is for people whom we do not know',
      'changes/001-x.md: for: must be one of',
      async () => writeFile(checkout.path('changes/001-x.md'), CHANGE.replace('operators', 'all')),
    ],
    ...places
      .slice(1)
      .map((file): [string, string, () => Promise<unknown>] => [
        `${file} says another version`,
        `${file} says ${NEXT}, and package.json ${VERSION}`,
        async () => edit(file, (text) => text.replace(VERSION, NEXT)),
      ]),
    [
      'the description of the API is of another version',
      'docs/openapi.json says 9.1.0, and package.json',
      async () => edit('docs/openapi.json', (text) => text.replace(`\n    "version": "${VERSION}"`, `\n    "version": "${NEXT}"`)),
    ],
  ])('%s', async (_what, said, prepare) => {
    await prepare();
    await git('add --all');
    await git('commit --quiet --message changed');
    const { code, output } = await release();
    expect([code, output]).toEqual([1, expect.stringContaining(said)]);
    expect(output).toContain('There is no release.');
  });

  it('something is not committed', async () => {
    await edit('README.md', (text) => `${text}\n`);
    const { code, output } = await release();
    expect([code, output]).toEqual([1, expect.stringContaining('There are changes that are not committed:\nM README.md')]);
  });

  it('the generated documents are not those of the code', async () => {
    await edit('docs/operations.md', (text) => `${text}Another line.\n`);
    await git('commit --quiet --all --message changed');
    const { code, output } = await release();
    expect([code, output]).toEqual([1, expect.stringContaining('The documents are not those of the code: npm run contracts.')]);
  });

  it('the tests do not pass, which it runs unless it is told that they have', async () => {
    await edit('package.json', (text) => text.replace('"node scripts/test-all.js"', '"echo ran all tests && exit 1"'));
    await git('commit --quiet --all --message changed');
    const { code, output } = await run('node scripts/release.js');
    expect([code, output]).toEqual([1, expect.stringContaining('ran all tests')]);
    expect(output).toContain('The tests do not pass.');
  });

  it('the version has a tag already, at another commit', async () => {
    await git(`tag v${VERSION}`);
    await git('commit --quiet --allow-empty --message later');
    const { code, output } = await release();
    await git(`tag --delete v${VERSION}`);
    expect([code, output]).toEqual([1, expect.stringContaining(`the tag v${VERSION} is there, at another commit`)]);
  });
});

it('--tag sets an annotated tag, and only once', () => {
  expect(tagged.type).toBe('tag');
  const { code, output } = tagged.second;
  expect([code, output]).toEqual([1, expect.stringContaining(`the tag v${VERSION} is there.`)]);
});

it('prepare joins the changes for each audience, removes their files, and writes the version everywhere', async () => {
  const change = (name: string, audience: string, kind: string, text: string) =>
    writeFile(checkout.path('changes', name), `---\nfor: ${audience}\nkind: ${kind}\n---\n${text}\n`);
  await change('001-later.md', 'extenders', 'new', 'For extenders: `later`.');
  await change('002-do.md', 'integrators', 'do', 'Ask again.');
  await change('003-new.md', 'integrators', 'new', 'A list,\nin two lines.');
  expectSuccess(await run(`node scripts/release.js prepare ${NEXT} --date 2030-01-02`));
  const changelog = await readFile(checkout.path('CHANGELOG.md'), 'utf8');
  const section = /## 9\.1\.0[^]*?(?=\n## )/.exec(changelog)![0];
  expect(section).toBe(
    [
      '## 9.1.0 (2030-01-02)\n\n### For integrators\n\n**New**\n\n- A list,\n  in two lines.\n\n**What to do**\n\n- Ask again.\n',
      '### For operators\n\nNothing changes.\n\n### For extenders\n\n**New**\n\n- For extenders: `later`.\n',
    ].join('\n'),
  );
  expect(await readdir(checkout.path('changes'))).toEqual(['README.md']);
  await git('commit --quiet --all --message prepared');
  // Only `npm run contracts` is left.
  const { output } = await release();
  const reasons = output.trim().split('\n');
  expect(reasons.slice(0, -1)).toEqual(
    ['docs/openapi.json', 'docs/asyncapi.json', 'docs/extension-api.md'].map(
      (file) => `${file} says ${VERSION}, and package.json ${NEXT}. Run npm run contracts.`,
    ),
  );
});

it('the example extension is compiled against the archive of the extension API, which finds a mistake in it', async () => {
  const folder = join(again, 'extension');
  await mkdir(folder);
  expectSuccess(await run(`tar -xzf ${join(made, `claims-api-extension-api-${VERSION}.tgz`)} -C ${folder}`));
  const extension = join(folder, 'package/src/extensions/purchasing');
  await cp('examples/extension-suppliers', extension, { recursive: true });
  await rm(join(extension, 'test'), { recursive: true });
  await symlink(checkout.path('node_modules'), join(folder, 'package/node_modules'));
  const compile = () => run(`cd ${join(folder, 'package')} && node_modules/.bin/tsc -p .`);
  expectSuccess(await compile());
  // A declaration that were missing would be `any`, and no use of it a mistake.
  const probe = [
    "import * as api from '../../extension-api.js';",
    'type Unknown = { [Name in keyof typeof api]: 0 extends 1 & (typeof api)[Name] ? Name : never }[keyof typeof api];',
    'export const known: [Unknown] extends [never] ? true : Unknown = true;',
  ];
  const file = join(extension, 'probe.ts');
  await writeFile(file, probe.join('\n'));
  expectSuccess(await compile());
  await writeFile(file, [...probe, 'export const mistaken: number = api.RecordPages;'].join('\n'));
  const { code, output } = await compile();
  expect([code, output]).toEqual([2, expect.stringMatching(/probe\.ts\(4,14\): error TS2322/)]);
});

describe('verifying', () => {
  const changed = async (change: (folder: string) => Promise<unknown>): Promise<Finished> => {
    const folder = await newFolder();
    await cp(made, folder, { recursive: true });
    await change(folder);
    const finished = await verify(folder);
    await rm(folder, { recursive: true });
    return finished;
  };
  /** As somebody would who changes a file and knows what looks at it. */
  const summed = async (folder: string): Promise<void> => {
    const names = (await readdir(folder)).filter((name) => name !== 'SHA256SUMS');
    const lines = await Promise.all(names.map(async (name) => `${sha256(await readFile(join(folder, name)))}  ${name}\n`));
    await writeFile(join(folder, 'SHA256SUMS'), lines.join(''));
  };

  it('finds nothing in a release as it was made, also beside signatures', async () => {
    expectSuccess(await verify(made));
    expectSuccess(await run(`cd ${made} && sha256sum --check --quiet SHA256SUMS`));
    expectSuccess(await changed((folder) => writeFile(join(folder, 'SHA256SUMS.sigstore.json'), '{}')));
  });

  it('a changed byte is found, in whichever file', async () => {
    for (const name of await readdir(made)) {
      const { code, output } = await changed(async (folder) => {
        const content = await readFile(join(folder, name));
        const at = content.length >> 1;
        content[at] = content[at]! ^ 1;
        await writeFile(join(folder, name), content);
      });
      expect([code, output], name).toEqual([1, expect.stringMatching(/is not what SHA256SUMS says|is missing|is not in SHA256SUMS/)]);
    }
  });

  it('finds a file too many, and one too few', async () => {
    const more = await changed((folder) => writeFile(join(folder, 'more.tgz'), ''));
    expect([more.code, more.output]).toEqual([1, 'more.tgz is not in SHA256SUMS.\n']);
    const name = `claims-api-client-${VERSION}.tgz`;
    const fewer = await changed((folder) => rm(join(folder, name)));
    expect([fewer.code, fewer.output]).toEqual([1, `${name} is missing.\n`]);
  });

  it('finds a package that was left out of a list of parts, though the sums were made again', async () => {
    const name = `claims-api-${VERSION}.cdx.json`;
    const { code, output } = await changed(async (folder) => {
      const list = JSON.parse(await read(folder, name)) as { components: Part[] };
      const components = list.components.filter((part) => part.name !== 'ajv');
      await writeFile(join(folder, name), JSON.stringify({ ...list, components }));
      await summed(folder);
    });
    expect(code).toBe(1);
    expect(output).toContain(`${name} is not what claims-api-${VERSION}.provenance.json says.`);
    expect(output).toMatch(new RegExp(`${name} lacks ajv@`));
  });

  it('finds manifests that are not those of the source, and another package under the name of the client', async () => {
    const [manifests, client, api] = ['kubernetes', 'client', 'extension-api'].map(
      (part) => `claims-api-${part}-${VERSION}${part === 'kubernetes' ? '.tar.gz' : '.tgz'}`,
    );
    const { code, output } = await changed(async (folder) => {
      const inner = join(folder, 'inner');
      await mkdir(inner);
      const top = `claims-api-kubernetes-${VERSION}`;
      const add = `echo '# more' >> ${top}/docker/kubernetes/base/api.yaml`;
      const pack = `tar --format ustar -czf ${join(folder, manifests!)} $(find ${top} -type f)`;
      expectSuccess(await run(`cd ${inner} && tar -xzf ${join(folder, manifests!)} && ${add} && ${pack}`));
      await rm(inner, { recursive: true });
      await cp(join(folder, api!), join(folder, client!));
      await summed(folder);
    });
    expect(code).toBe(1);
    expect(output).toContain(`${manifests}: claims-api-kubernetes-${VERSION}/docker/kubernetes/base/api.yaml is not as in the source.`);
    expect(output).toContain(`${client} is @claims-api/extension-api ${VERSION}.`);
  });
});
