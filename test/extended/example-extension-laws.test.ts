import { readFile, rm, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CleanCheckout, expectSuccess } from '../support/clean-checkout.js';
import { ExampleExtension, EXTENSION } from '../support/example-extension.js';

let checkout: CleanCheckout;
let example: ExampleExtension;
let before: ReadonlyMap<string, string>;
beforeAll(async () => {
  checkout = await CleanCheckout.make();
  example = await ExampleExtension.in(checkout);
  before = await checkout.files();
});
afterAll(() => checkout.remove());

// That all of it keeps the laws is asked beside drafts of others.
it('this version passes the checks, as its README says', async () => {
  expectSuccess(await example.putIn());
  const [contracts, check, laws, all] = example.commands;
  expect([contracts, check, laws, all]).toEqual([
    'npm run contracts',
    'npm run check -- --extension purchasing',
    'npm run laws -- --extension purchasing',
    'npm test',
  ]);
  for (const finished of await Promise.all([contracts!, check!].map((command) => checkout.run(command)))) expectSuccess(finished);
});

it('this version passes its own tests and the laws of what it adds, as its README says', async () => {
  const tested = await checkout.run(example.commands[2]!);
  expectSuccess(tested);
  for (const file of ['files', 'purchase-orders', 'suppliers']) expect(tested.output).toContain(`${EXTENSION}/test/${file}.test.ts`);
  for (const law of ['isolation', 'documents', 'bound-credentials']) expect(tested.output).toContain(`test/laws/${law}.test.ts`);
});

it('tests of the product run without it, in a database without its tables; laws run with both', async () => {
  expectSuccess(await example.putIn());
  const test = (from: string, found: string) => `import { expect, inject, it } from 'vitest';
import { rowsOf } from '${from}';
it('tables', async () => {
  expect(await rowsOf(inject('databaseUrl'), "SELECT to_regclass('suppliers') AS found")).toEqual([{ found: ${found} }]);
});
`;
  await writeFile(checkout.path('test/e2e/tables.test.ts'), test('../support/database.js', 'null'));
  await writeFile(checkout.path(EXTENSION, 'test/tables.test.ts'), test('../../../../test/extension-api.js', "'suppliers'"));
  // They list every field of a project, and every key that a record has.
  const exact = 'test/e2e/tables.test.ts test/e2e/audit/audit.test.ts test/e2e/projects/projects.test.ts test/client/calls.test.ts';
  const tested = await checkout.run(`vitest run --project product --project api ${exact} ${EXTENSION}/test/tables.test.ts`);
  await rm(checkout.path('test/e2e/tables.test.ts'));
  expectSuccess(tested);
  expect(tested.output).toMatch(/^tests of the product, without extensions: \d{2,} passed, 0 failed$/m);
  expect(tested.output).toMatch(/^laws and tests of extensions: 1 passed, 0 failed$/m);
});

it('a class that is injected, and was imported as a type only, is named by the check and by the law of the start', async () => {
  expectSuccess(await example.putIn());
  await example.edit(`${EXTENSION}/suppliers/suppliers.service.ts`, '  Clock,\n', '  type Clock,\n');
  const checked = await checkout.run('npm run --silent check -- --extension purchasing');
  expect([checked.code, checked.output]).toEqual([1, expect.stringMatching(/suppliers\/suppliers\.service\.ts:24:/)]);
  expect(checked.output).toMatch(
    /The constructor of SuppliersService takes Clock, [^]* Import Clock as a value, or name it with @Inject\(\)/,
  );
  expectSuccess(await checkout.run('npm run --silent build'));
  const started = await checkout.run('vitest run --project api test/laws/extensions-start.test.ts');
  expect([started.code, started.output]).toEqual([
    1,
    expect.stringContaining('parameter 3 of the constructor SuppliersService(SuppliersRepository, Events, ?)'),
  ]);
  expectSuccess(await example.putIn());
});

it('the short check and the laws of an extension refuse a name that is none', async () => {
  for (const command of ['check', 'laws'])
    expect(await checkout.run(`npm run --silent ${command} -- --extension acme`)).toEqual({
      code: 1,
      output: 'There is no extension acme. There are: purchasing.\n',
    });
});

it('nothing outside src/extensions has changed', async () => {
  expect(await checkout.changesSince(before, 'src/extensions')).toEqual([]);
  const document = JSON.parse(await readFile(checkout.path('src/extensions/documents/docs/openapi.json'), 'utf8')) as { paths: object };
  expect(Object.keys(document.paths)).toEqual(expect.arrayContaining(['/v1/suppliers', '/v1/purchase-orders']));
});

const WATCHING = `import { Body, Controller, Get, Injectable, Module, Param } from '@nestjs/common';
import { Before, ChangeHook, Ctx, Database, Implements, Operation, Protocol, Text, type WriteContext } from '../../extension-api.js';
import { acrossTenants, prepared } from '../../extension-api.js';
import { SuppliersModule, SuppliersService } from './suppliers/index.js';
import { SupplierDto } from './suppliers/suppliers.dto.js';
import { SupplierUpdated } from './suppliers/suppliers.events.js';

@Injectable()
@Implements(ChangeHook)
class Watching extends ChangeHook {
  constructor(private readonly database: Database) {
    super();
  }

  @Before('claim_projects.create')
  async watch(ctx: WriteContext): Promise<void> {
    await this.database.rows(prepared({ name: 'claim_projects.any', text: 'SELECT id FROM claim_projects LIMIT 1' }), [], ctx.unit);
  }
}

@Controller('purchasing/alive')
class AliveController {
  @Protocol('A probe.', 'probes')
  @Get()
  alive(): object {
    return {};
  }
}

class ArchiveSupplierDto {
  @Text({ about: 'Why.', max: 100, optional: true, example: 'Out of business.' }) reason?: string;
}

@Controller('v1/suppliers')
class ArchivingController {
  constructor(private readonly suppliers: SuppliersService) {}

  @Operation({
    id: 'suppliers.archive',
    route: 'POST /:supplier_id/archive',
    status: 200,
    scope: 'suppliers:write',
    tool: { name: 'archive_supplier', risk: 'write', says: 'Ask first.' },
    summary: 'Archive a supplier',
    description: 'It is kept.',
    returns: SupplierDto,
    emits: [SupplierUpdated],
  })
  async archive(@Ctx() ctx: WriteContext, @Param('supplier_id') id: string, @Body() _input: ArchiveSupplierDto): Promise<SupplierDto> {
    return SupplierDto.from(await this.suppliers.update(ctx, id, { status: 'archived' }));
  }
}

@Module({ imports: [SuppliersModule], controllers: [AliveController, ArchivingController], providers: [Watching] })
export class WatchingModule {}
`;

it('laws about pages of ours leave its files and routes out, and its statements say why they read rows of all', async () => {
  expectSuccess(await example.putIn());
  await writeFile(checkout.path(EXTENSION, 'watching.ts'), WATCHING);
  await example.edit(
    `${EXTENSION}/extension.ts`,
    "import './purchase-list",
    "import { WatchingModule } from './watching.js';\nimport './purchase-list",
  );
  await example.edit(`${EXTENSION}/extension.ts`, 'modules: [', 'modules: [WatchingModule, ');
  const own = `${EXTENSION}/test/purchase-orders.test.ts`;
  const laws = ['files-of-a-post', 'open-routes'].map((law) => `test/laws/${law}.test.ts`);
  const unnamed = await checkout.run(`vitest run --project api --project extended ${own} ${laws.join(' ')}`);
  expect([unnamed.code, unnamed.output]).toEqual([1, expect.stringContaining('claim_projects.any: SELECT id FROM claim_projects LIMIT 1')]);
  expect(unnamed.output).not.toMatch(/FAIL {2}\|\w+\| test\/laws/);
  await example.edit(
    `${EXTENSION}/watching.ts`,
    "prepared({ name: 'claim_projects.any', text: 'SELECT id FROM claim_projects LIMIT 1' }), []",
    "...acrossTenants('claim_projects.any', 'It only watches.', 'SELECT id FROM claim_projects LIMIT 1').bind()",
  );
  expectSuccess(await checkout.run(`vitest run --project api ${own}`));
});

it('its operation without a tool breaks a law, unless its facts say why', async () => {
  await example.edit(`${EXTENSION}/watching.ts`, "    tool: { name: 'archive_supplier', risk: 'write', says: 'Ask first.' },\n", '');
  const law = "vitest run --project api test/laws/openapi.test.ts -t 'has a tool for every operation'";
  const unsaid = await checkout.run(law);
  expect([unsaid.code, unsaid.output]).toEqual([1, expect.stringContaining('suppliers.archive')]);
  await example.edit(`${EXTENSION}/test/facts.ts`, /(?=\n\};)/, "\n  withoutTool: { 'suppliers.archive': 'People decide it.' },");
  expectSuccess(await checkout.run(law));
  expectSuccess(await example.putIn());
});
