import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TEST_ENCRYPTION_KEY } from '../support/app.js';
import { CleanCheckout, expectSuccess } from '../support/clean-checkout.js';
import { Client } from '../support/client.js';
import { createDatabase, rowsOf } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { ExampleExtension, EXTENSION } from '../support/example-extension.js';
import { GuideBlocks } from '../support/guide-blocks.js';
import { runClaims, startProcess } from '../support/process.js';
import { childrenOf } from '../support/processes-of.js';

const guide = new GuideBlocks('extending');
let checkout: CleanCheckout;
let example: ExampleExtension;
let before: ReadonlyMap<string, string>;
let lockFile: string;
let database: Awaited<ReturnType<typeof createDatabase>>;
let env: Record<string, string>;
beforeAll(async () => {
  [checkout, database] = await Promise.all([CleanCheckout.make(), createDatabase()]);
  example = await ExampleExtension.in(checkout);
  before = await checkout.files();
  lockFile = await readFile(checkout.path('package-lock.json'), 'utf8');
  env = { DATABASE_URL: database.url, ENCRYPTION_KEY: TEST_ENCRYPTION_KEY };
});
afterAll(async () => {
  await Promise.all([checkout.remove(), database.drop()]);
});

const claims = async (args: readonly string[]): Promise<string> => {
  const { code, stdout, stderr } = await runClaims(args, env, checkout.root);
  expect([code, stderr], args.join(' ')).toEqual([0, '']);
  return stdout;
};
const claimsJson = async <T>(...args: readonly string[]): Promise<T> => JSON.parse(await claims([...args, '--json'])) as T;

interface Made {
  readonly id: string;
}
const made = async (api: Client, path: string, body: object): Promise<Made> => {
  const answer = await api.post(path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.body as Made;
};

const SUPPLIERS = '/v1/suppliers';
let organizationId: string;
let key: string;
let supplierId: string;

/** What the running program of the checkout does. */
async function serving<T>(work: (api: Client, url: string) => Promise<T>): Promise<T> {
  const service = await startProcess({ ...env, ROLE: 'all' }, { folder: checkout.root });
  try {
    return await work(new Client(service.url, key), service.url);
  } finally {
    await service.stop();
  }
}

it('its version before, with the log in a class, is built, migrates the database and serves', async () => {
  await example.putInVersionBefore();
  const read = "async (_name, given) => given?.replace(/^wrapped:(.*)$/, (_all, text) => Buffer.from(text, 'hex').toString())";
  await example.edit(`${EXTENSION}/extension.ts`, /\}\);\n$/, `  secretSource: () => ({ read: ${read} }),\n});`);
  // The build once asked for `Object` in its place, so that the program ended at its start, while every test passed.
  const service = `${EXTENSION}/suppliers/suppliers.service.ts`;
  await example.edit(service, '  newId,\n', '  Log,\n  newId,\n');
  await example.edit(service, /(?<=private readonly clock: Clock,\n)/, '    private readonly log: Log,\n');
  await example.edit(service, /(?=    this\.events\.append\(ctx, SupplierCreated)/, "    this.log.info('a supplier of the example');\n");
  expectSuccess(await checkout.run('npm run --silent build'));
  expect(await claims(['migrate'])).toContain('purchasing.CreateSuppliers1790000000000');
  organizationId = (await claimsJson<Made>('org', 'create', '--name', 'Example', '--plan', 'enterprise')).id;
  key = (await claimsJson<{ key: string }>('key', 'create', '--org', organizationId, '--environment', 'test', '--name', 'k')).key;
  const supplier = await serving((api) => made(api, SUPPLIERS, { name: 'Paper and Pens Ltd' }));
  expect(supplier).not.toHaveProperty('taxId');
  supplierId = supplier.id;
});

it('its source of secrets gives them to several worker processes, which each ask it', async () => {
  const wrapped = Object.entries(env).map(([name, value]) => [name, `wrapped:${Buffer.from(value).toString('hex')}`]);
  const workers = { ...Object.fromEntries(wrapped), ROLE: 'worker', WORKER_PROCESSES: '2' } as Record<string, string>;
  const started = await startProcess(workers, { folder: checkout.root });
  const pids = [started.pid, ...childrenOf(started.pid)];
  expect(pids).toHaveLength(3);
  for (const each of pids) {
    const environment = await readFile(`/proc/${each}/environ`, 'utf8');
    expect(environment).toContain(workers.ENCRYPTION_KEY);
    expect(environment).not.toContain(TEST_ENCRYPTION_KEY);
  }
  expect((await started.stop()).code).toBe(0);
});

it('its packages are in the lock file, and out of the bundle where its package.json says so', async () => {
  const file = checkout.path(EXTENSION, 'package.json');
  const [own, install] = [guide.take('json'), guide.take('sh', 'npm install').trim()];
  await writeFile(file, own);
  const registry = await registryOf('kafkajs', '2.2.4');
  // What is installed belongs to the repository: only the lock file is written.
  expectSuccess(await checkout.run(install, { npm_config_registry: registry.url, npm_config_package_lock_only: 'true' }));
  await registry.close();
  expect(await checkout.changesSince(before, 'src/extensions')).toEqual(['package-lock.json']);
  expect(await readFile(checkout.path('package-lock.json'), 'utf8')).toContain('"node_modules/kafkajs"');
  expectSuccess(await checkout.run('vite build --logLevel warn'));
  const external = JSON.parse(await readFile(checkout.path('dist/bundle/external-packages.json'), 'utf8')) as string[];
  expect(external).toEqual(expect.arrayContaining(['pino', 'kafkajs']));

  await writeFile(file, own.replace('"module"', '"commonjs"'));
  const { code, output } = await checkout.run('vite build --logLevel warn');
  expect([code, output]).toEqual([1, expect.stringContaining(`${EXTENSION}/package.json needs "type": "module"`)]);
  await rm(file);
  await writeFile(checkout.path('package-lock.json'), lockFile);
});

/** A registry that has one package, without its files. */
async function registryOf(name: string, version: string) {
  const dist = { tarball: `http://127.0.0.1/${name}.tgz`, integrity: 'sha512-0' };
  const known = JSON.stringify({ name, 'dist-tags': { latest: version }, versions: { [version]: { name, version, dist } } });
  const server = createServer(({ url }, response) => {
    response.writeHead(url === `/${name}` ? 200 : 404, { 'content-type': 'application/json' }).end(url === `/${name}` ? known : '{}');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => new Promise((closed) => server.close(closed)) };
}

it('the new version says what it will migrate, migrates it, and keeps the data', async () => {
  await example.putIn();
  expectSuccess(await checkout.run(example.commands[0]!));
  expectSuccess(await checkout.run('npm run --silent build'));
  const check = await checkout.run('npm run --silent upgrade:check', env);
  expectSuccess(check);
  expect(check.output).toContain('purchasing.AddTaxIds1790000003000 is pending: `claims migrate` runs it.');
  expect(await claims(['migrate'])).toContain('purchasing.AddTaxIds1790000003000');
  expect((await checkout.run('npm run --silent upgrade:check', env)).output).toContain('Pending migrations: nothing found');
  await serving(async (api) => {
    const path = `${SUPPLIERS}/${supplierId}`;
    expect((await api.get(path)).body).toMatchObject({ name: 'Paper and Pens Ltd', taxId: null });
    expect((await api.patch(path, { taxId: 'DE1' })).body).toMatchObject({ taxId: 'DE1' });
  });
});

const PROGRAM = `import { Claims } from '@claims-api/client';
const claims = new Claims({ apiKey: process.env.CLAIMS_API_KEY!, baseUrl: process.env.CLAIMS_BASE_URL! });
const { id, taxId }: { id: string; taxId: string | null } = await claims.suppliers.create({ name: 'By a program' });
await claims.suppliers.delete(id);
console.log(taxId);
`;

it('the client library has its operations, with their types', async () => {
  expectSuccess(await checkout.run('npm run --silent pack:client'));
  const folder = checkout.path('dist/program');
  const installed = 'dist/program/node_modules/@claims-api/client';
  expectSuccess(await checkout.run(`mkdir -p ${installed} && tar -xzf claims-api-client-*.tgz --strip-components 1 -C ${installed}`));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(join(folder, 'program.ts'), PROGRAM);
  expectSuccess(
    await checkout.run('tsc --ignoreConfig --strict --skipLibCheck --target es2022 --module nodenext --types node dist/program/program.ts'),
  );
  const printed = await serving((_api, url) => checkout.run('node dist/program/program.js', { CLAIMS_API_KEY: key, CLAIMS_BASE_URL: url }));
  expect(printed).toEqual({ code: 0, output: 'null\n' });
});

const CARD = 'PURCHASING CARD;4929000000000012\n2026-01-05;89.90;EUR;Paper and Pens Ltd;Ten notebooks;PO-17\n';
const JANUARY = { periodStart: '2026-01-01', periodEnd: '2026-01-31' };

it('the built program reads its statements and makes its files, in threads', async () => {
  const [statement, out] = [checkout.path('card.tgz'), checkout.path('purchases.tgz')];
  await writeFile(statement, CARD);
  const of = ['--org', organizationId, '--environment', 'test'];
  await serving(async (api) => {
    await made(api, '/v1/expense-categories', { code: 'A', name: 'A', sourceMapping: { rules: [RULE] } });
    const imported = await claimsJson<object>('statement', 'import', ...of, '--file', statement, '--wait');
    expect(imported).toMatchObject({ format: 'purchasing_card', redactionStatus: 'succeeded' });
    const outputOptions = { formats: ['purchase_list'], purchase_list: { separator: 'comma' } };
    const { id: reportConfigurationId } = await made(api, '/v1/report-configurations', { name: 'A', ...JANUARY, outputOptions });
    const { id } = await made(api, '/v1/claim-reports', { reportConfigurationId });
    await eventually(async () => expect((await api.get(`/v1/claim-reports/${id}`)).body).toMatchObject({ status: 'succeeded' }), 60_000);
    await claims(['report', 'download', id, '--format', 'purchase_list', '--out', out]);
  });
  expect(await readFile(out, 'utf8')).toMatch(/^"date","supplier","order","amount","category"\r\n"2026-01-05",.*,"-89\.90","A"\r\n$/);
});
const RULE = { all: [{ field: 'description', op: 'contains', value: 'notebooks' }] };

it('names what a next version of the product would break of it', async () => {
  const api = await readFile(checkout.path('src/extension-api.ts'), 'utf8');
  await writeFile(checkout.path('src/extension-api.ts'), api.replace('export { Policy,', 'export { Policy as Rule,'));
  const { code, output } = await checkout.run('npm run --silent upgrade:check');
  await writeFile(checkout.path('src/extension-api.ts'), api);
  expect(code, output).toBe(1);
  expect(output).toMatch(/purchasing\/purchase-orders\/trial-orders\.policy\.ts:2: .*has no exported member .*'Policy'/);
});

it('taken out, it leaves the repository as it was, and its tables to the operator', async () => {
  await example.takeOut();
  await checkout.run('rm -f card.tgz purchases.tgz');
  expect(await checkout.changesSince(before)).toEqual([]);
  expect(await rowsOf(database.url, 'SELECT tax_id FROM suppliers')).toEqual([{ tax_id: 'DE1' }]);
  for (const statement of guide.take('sql').trim().split('\n')) await rowsOf(database.url, statement);
  expect(await rowsOf(database.url, "SELECT FROM extension_migrations WHERE name LIKE 'purchasing.%'")).toEqual([]);
});
