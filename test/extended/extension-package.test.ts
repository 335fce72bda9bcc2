import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { API_VERSION } from '../../src/kernel/product.js';
import { TEST_ENCRYPTION_KEY } from '../support/app.js';
import { CleanCheckout, expectSuccess } from '../support/clean-checkout.js';
import { Client } from '../support/client.js';
import { ConsoleBrowser } from '../support/console.js';
import { createDatabase, rowsOf } from '../support/database.js';
import { EXTENSION, ExampleExtension } from '../support/example-extension.js';
import { GuideBlocks } from '../support/guide-blocks.js';
import { InstalledProgram } from '../support/installed-program.js';
import { type Ended, runClaims, startProcess } from '../support/process.js';

const PACKAGE = 'claims-extension-purchasing';
/** The example has no version of its own. */
const ARCHIVE = `${PACKAGE}-${API_VERSION}.tgz`;

const guide = new GuideBlocks('extending');
let checkout: CleanCheckout;
let installed: InstalledProgram;
let database: Awaited<ReturnType<typeof createDatabase>>;
let env: Record<string, string>;
beforeAll(async () => {
  [checkout, installed, database] = await Promise.all([CleanCheckout.make(), InstalledProgram.make(), createDatabase()]);
  await (await ExampleExtension.in(checkout)).putIn();
  env = { DATABASE_URL: database.url, ENCRYPTION_KEY: TEST_ENCRYPTION_KEY };
});
afterAll(async () => {
  await Promise.all([checkout.remove(), installed.remove(), database.drop()]);
});

const run = (...args: readonly string[]): Promise<Ended> => runClaims(args, env, installed.root);
const claims = async (...args: readonly string[]): Promise<string> => {
  const { code, stdout, stderr } = await run(...args);
  expect([code, stderr], args.join(' ')).toEqual([0, '']);
  return stdout;
};
const claimsJson = async <T>(...args: readonly string[]): Promise<T> => JSON.parse(await claims(...args, '--json')) as T;
/** The one line with which every door to the program ends. */
async function refusal(): Promise<string> {
  const doors = [run('migrate'), run('org', 'list'), run('doctor')];
  const started = ['api', 'worker'].map((ROLE) =>
    startProcess({ ...env, ROLE }, { folder: installed.root }).then(
      () => 'started',
      (error: Error) => error.message.replace(/^The process ended with 1 before it was ready: /, ''),
    ),
  );
  const lines = [...(await Promise.all(doors)).map(({ stderr, stdout }) => stderr || stdout), ...(await Promise.all(started))];
  const said = lines.map((line) => line.replace(/^claims: |^FAILED +settings +/gm, '').trim());
  for (const line of said) expect(line).toContain(said[0]);
  return said[0]!;
}

it('npm run pack:extension makes an archive with code, types, sources, tests and documents, and a package.json for npm', async () => {
  expectSuccess(await checkout.run(guide.take('sh', 'pack:extension')));
  expectSuccess(await checkout.run(`mkdir dist/unpacked && tar -xzf ${ARCHIVE} -C dist/unpacked`));
  const manifest = JSON.parse(await readFile(checkout.path('dist/unpacked/package/package.json'), 'utf8')) as object;
  expect(manifest).toMatchObject({
    name: PACKAGE,
    type: 'module',
    ...(JSON.parse(guide.take('json', 'madeFor')) as object),
    peerDependencies: { '@claims-api/extension-api': '^1.0.0' },
    peerDependenciesMeta: { '@claims-api/extension-api': { optional: true } },
  });
  const { output } = await checkout.run(`tar -tzf ${ARCHIVE}`);
  for (const file of ['dist/extension.js', 'dist/extension.d.ts', 'src/suppliers/suppliers.service.ts', 'src/test/suppliers.test.ts'])
    expect(output).toContain(`package/${file}\n`);
  expect(output).toContain('package/docs/data-protection.md\n');
});

it('an extension that a package cannot be made of is refused with the files and lines', async () => {
  const [folder, file] = ['src/extensions/tiny', checkout.path('src/extensions/tiny/extension.ts')];
  const pack = async (text: string) => {
    await mkdir(checkout.path(folder), { recursive: true });
    await writeFile(file, `// madeFor: '^1.0.0'\n${text}`);
    const { code, output } = await checkout.run('npm run --silent pack:extension -- tiny dist');
    expect(code, output).toBe(1);
    return output.trim().split('\n');
  };
  expect(await pack("import '../../kernel/ids.js';\nimport 'nodemailer';\n")).toEqual([
    `${folder}/extension.ts:2: imports src/kernel/ids.js: import the API instead.`,
    `${folder}/extension.ts:3: imports nodemailer: name it as a dependency in ${folder}/package.json.`,
  ]);
  expect(await pack('export const wrong: string = 1;\n')).toEqual([
    `${folder}/extension.ts:2: Type 'number' is not assignable to type 'string'.`,
  ]);
  await rm(checkout.path(folder), { recursive: true });
  expect((await checkout.run('npm run --silent pack:extension -- tiny')).output).toBe('There is no extension tiny in src/extensions.\n');
});

it('a package that is installed and not listed is not used, and claims extension check says so', async () => {
  await installed.install(checkout.path(ARCHIVE));
  expect(await claims('migrate', '--plan')).toBe('Nothing to do: the database is up to date.\n');
  expect(await claims('extension', 'list')).toBe('None yet.\n');
  expect(await claims('extension', 'check')).toMatch(
    /^WARN {4}packages +claims-extension-purchasing is installed, but .* does not list it$/m,
  );
});

it('a listed package is migrated, without a build and without a checkout', async () => {
  const { claims: listed } = JSON.parse(guide.take('json', '"extensions"')) as { claims: { extensions: string[] } };
  expect(listed.extensions).toEqual([PACKAGE]);
  await installed.list(...listed.extensions);
  // The guide copies the folder to where the program of the image looks for it.
  expect(guide.take('dockerfile')).toMatch(
    /^WORKDIR \/app\/extensions\n[^]*\nFROM claims-api:.*\nCOPY --from=extensions \/app\/extensions \.\/extensions\n$/m,
  );
  expect(await readFile('docker/Dockerfile', 'utf8')).toMatch(/^WORKDIR \/app\n(?:.*\n)*COPY --from=build \/app\/bin \.\/bin$/m);
  expect(await run('extension', 'check')).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^FAILED {2}migrations +purchasing\.CreateSuppliers1790000000000, .*: run `claims migrate`$/m) as string,
  });
  expect(await claims('migrate')).toContain('purchasing.CreateSuppliers1790000000000');
  expect(await rowsOf(database.url, 'SELECT name FROM extension_migrations ORDER BY id LIMIT 1')).toEqual([
    { name: 'purchasing.CreateSuppliers1790000000000' },
  ]);
  expect((await claims('extension', 'list')).split('\n')[1]).toMatch(/^purchasing +claims-extension-purchasing +[\d.]+ +\^1\.0\.0$/);
  expect(await claims('extension', 'check')).toMatch(/^ok {6}extensions +purchasing: .*\nok {6}migrations +all have run\n$/);
});

const CARD = 'PURCHASING CARD;4929000000000012\n2026-01-05;89.90;EUR;Paper and Pens Ltd;Ten notebooks;PO-17\n';

it('it answers, shows its page of the console, and reads its statements in threads, with the very services of the product', async () => {
  const { id: organization } = await claimsJson<{ id: string }>('org', 'create', '--name', 'Example', '--plan', 'enterprise');
  const of = ['--org', organization];
  const { key } = await claimsJson<{ key: string }>('key', 'create', ...of, '--environment', 'test', '--name', 'k');
  await claims('user', 'create', ...of, '--email', 'jane@example.com', '--role', 'owner');
  const service = await startProcess({ ...env, ROLE: 'all' }, { folder: installed.root });
  try {
    const api = new Client(service.url, key);
    expect(await api.post('/v1/suppliers', { name: 'Paper and Pens Ltd' })).toMatchObject({ status: 201 });
    expect(await rowsOf(database.url, "SELECT data->>'name' AS name FROM events WHERE kind = 'supplier.created'")).toEqual([
      { name: 'Paper and Pens Ltd' },
    ]);

    const { link } = await claimsJson<{ link: string }>('user', 'link', 'jane@example.com');
    const browser = new ConsoleBrowser(service.url);
    await browser.visit(new URL(link).pathname, {});
    const page = await browser.visit('/console/test/suppliers');
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('Paper and Pens Ltd')]);

    const statement = installed.path('card.txt');
    await writeFile(statement, CARD);
    const imported = await claimsJson('statement', 'import', ...of, '--environment', 'test', '--file', statement, '--wait');
    expect(imported).toMatchObject({ format: 'purchasing_card', redactionStatus: 'succeeded' });
  } finally {
    await service.stop();
  }
});

/** Writes the declarations of the API, as the archive of a release has them. */
const WRITE_API = `import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
const { extensionApiFiles } = await import(process.cwd() + '/scripts/release/extension-api-archive.js');
for (const { name, content } of extensionApiFiles(process.cwd())) {
  const file = process.env.FOLDER + '/node_modules/@claims-api/extension-api/' + name;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}`;

it('the template of a repository is compiled against the archive of the API, packed, installed and tested', async () => {
  const FOLDER = await mkdtemp(join(tmpdir(), 'claims-template-'));
  await cp('scripts/templates/extension', FOLDER, { recursive: true });
  await writeFile(checkout.path('dist/write-api.mjs'), WRITE_API);
  expectSuccess(await checkout.run('node dist/write-api.mjs', { FOLDER }));
  // In place of `npm install`, which would ask a registry.
  expectSuccess(
    await checkout.run('for each in node_modules/[a-z]* node_modules/@[!c]*; do ln -s "$(realpath $each)" $FOLDER/$each; done', { FOLDER }),
  );
  expectSuccess(await checkout.run('cd $FOLDER && npm pack --silent', { FOLDER }));
  await installed.install(join(FOLDER, 'acme-references-1.0.0.tgz'));
  await installed.list('acme-references');
  const { id } = await claimsJson<{ id: string }>('org', 'create', '--name', 'Template', '--plan', 'enterprise');
  const { key } = await claimsJson<{ key: string }>('key', 'create', '--org', id, '--environment', 'test', '--name', 'k');
  const service = await startProcess(env, { folder: installed.root });
  const tested = await checkout.run('cd $FOLDER && npm test', { FOLDER, CLAIMS_BASE_URL: service.url, CLAIMS_API_KEY: key });
  await service.stop();
  await rm(FOLDER, { recursive: true });
  expectSuccess(tested);
  expect(tested.output).toMatch(/pass 2$/m);
});

const declaring = (
  name: string,
  rest = 'modules: []',
  before = '',
): string => `import { declareExtension } from '@claims-api/extension-api';
${before}
export const extension = declareExtension({ name: '${name}', madeFor: '^1.0.0', ${rest} });
`;
const acme = (text: string, manifest = {}) => installed.write({ name: '@acme/notes', manifest, files: { 'extension.js': text } });

const MIGRATION = `class CreateNotes1800000000000 {
  up(runner) { return runner.query('CREATE TABLE acme_notes (id int)'); }
  down(runner) { return runner.query('DROP TABLE acme_notes'); }
}`;

it('extensions of two vendors run in one installation, and the order of the list does not matter', async () => {
  await acme(declaring('acme', 'modules: [], migrations: [CreateNotes1800000000000]', MIGRATION));
  const plans: unknown[] = [];
  for (const names of [
    ['@acme/notes', PACKAGE],
    [PACKAGE, '@acme/notes'],
  ]) {
    await installed.list(...names);
    plans.push((await claimsJson<{ migrations: { name: string }[] }>('migrate', '--plan')).migrations.map(({ name }) => name));
  }
  expect(plans).toEqual([['acme.CreateNotes1800000000000'], ['acme.CreateNotes1800000000000']]);
});

const TWICE = `import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Entity } from 'typeorm';
class Vendor {}
Entity('suppliers')(Vendor);
class VendorsModule {}
Module({ imports: [TypeOrmModule.forFeature([Vendor])] })(VendorsModule);
`;

it('a name that both have is refused at every door, with both owners', async () => {
  await acme(declaring('acme', 'modules: [VendorsModule]', TWICE));
  expect(await refusal()).toBe(
    'The table suppliers is declared by the extension acme (@acme/notes 1.2.3) ' +
      `and by the extension purchasing (${PACKAGE} ${API_VERSION}): choose another.`,
  );
  expect(await run('extension', 'check')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('FAILED  extensions  The table') as string,
  });
  await acme(declaring('purchasing'));
  expect(await refusal()).toContain('The name purchasing is declared by the extension purchasing (@acme/notes 1.2.3) and by the ext');
});

it('an event that both declare is refused with both owners', async () => {
  const event = "import { declareEvent } from '@claims-api/extension-api';\ndeclareEvent({ kind: 'supplier.created', status: 'planned' });";
  await acme(declaring('zeta', 'modules: []', event));
  // By their names, the other one comes first if this is the last.
  await installed.write({ name: 'zeta', files: { 'extension.js': declaring('zeta', 'modules: []', event) } });
  await installed.list(PACKAGE, 'zeta');
  expect(await refusal()).toBe(
    'The extension package zeta 1.2.3 cannot be loaded: ' +
      `its event supplier.created is one of the extension purchasing (${PACKAGE} ${API_VERSION}) already.`,
  );
});

it('a package that was made for other versions is refused before its code is loaded, with its range and the version', async () => {
  await installed.list('@acme/notes');
  await acme("import { ofTheNextVersion } from '@claims-api/extension-api';", {
    claims: { extension: './extension.js', madeFor: '^99.0.0' },
  });
  expect(await refusal()).toBe(
    `The extension package @acme/notes 1.2.3 was made for ^99.0.0 of the product, and this is ${API_VERSION}: ` +
      'take a version of it for this one.',
  );
});

it.each([
  ["import { none } from '@claims-api/extension-api';", {}, /notes 1\.2\.3 cannot be loaded: .*does not provide an export named 'none'/],
  ['export const extension = {};', {}, /must export one extension, which declareExtension returns, from .*extension\.js\.$/],
  ['', { claims: { extension: './none.js', madeFor: '^1.0.0' } }, /has no file .*none\.js, which its package\.json names/],
  ['', { claims: undefined }, /^@acme\/notes is no extension: its package\.json needs claims\.extension/],
  ['', { claims: { extension: './extension.js', madeFor: 'newest' } }, /and claims\.madeFor, such as \^1\.0\.0\./],
  [declaring('acme').replace('^1.0.0', '1.x'), {}, /says that it was made for \^1\.0\.0 in its package\.json, and for 1\.x in its code\./],
])('a package that is wrong is named: %j, %j', async (text, manifest, said) => {
  await installed.list('@acme/notes');
  await acme(text, manifest);
  const { code, stderr } = await run('migrate', '--plan');
  expect([code, stderr.replace('claims: ', '').trim()]).toEqual([1, expect.stringMatching(said)]);
});

it('a Node that cannot load packages is refused, with the version that can', async () => {
  await installed.list('@acme/notes');
  await acme(declaring('acme'));
  const none = "import module from 'node:module'; delete module.registerHooks; module.syncBuiltinESMExports();";
  const { code, stderr } = await runClaims(
    ['migrate', '--plan'],
    { ...env, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(none)}` },
    installed.root,
  );
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining(`Extensions as packages need Node 22.15 or later, and this is ${process.version}.`),
  ]);
});

it('a listed package that is not installed is named, with the command that installs it', async () => {
  await installed.list('@acme/none');
  const { code, stderr } = await run('migrate', '--plan');
  expect([code, stderr]).toEqual([1, expect.stringContaining('run `npm install @acme/none` in extensions.')]);
});

it('the documents and the client library of a checkout have what its packages add, and those of the product do not', async () => {
  await rm(checkout.path(EXTENSION), { recursive: true });
  await writeFile(checkout.path('src/extensions/index.ts'), await readFile('src/extensions/index.ts'));
  const list = { private: true, claims: { extensions: [PACKAGE] } };
  await mkdir(checkout.path('extensions'));
  await writeFile(checkout.path('extensions/package.json'), JSON.stringify(list));
  expectSuccess(await checkout.run(`npm install --offline --no-audit --no-fund --prefix extensions ./${ARCHIVE}`));
  const before = await readFile(checkout.path('docs/openapi.json'), 'utf8');
  expectSuccess(await checkout.run('npm run --silent contracts'));
  expect(await readFile(checkout.path('docs/openapi.json'), 'utf8')).toBe(before);
  expect(await readFile(checkout.path('extensions/documents/docs/openapi.json'), 'utf8')).toContain('"/v1/suppliers"');
  expectSuccess(await checkout.run('npm run --silent pack:client dist'));
  const client = `dist/claims-api-client-${API_VERSION}.tgz`;
  expect((await checkout.run(`tar -xzOf ${client} --wildcards 'package/*.d.ts' | grep -c suppliers`)).output.trim()).not.toBe('0');
});
