import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Controller, Module, type Type } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Entity } from 'typeorm';
import { afterEach, expect, it } from 'vitest';
import { MODULES } from '../../src/app.module.js';
import { Clock, declareExtension, type Extension, IdColumn, Operation, type OperationDeclaration } from '../../src/extension-api.js';
import { extensions } from '../../src/extensions/index.js';
import { API_VERSION } from '../../src/kernel/product.js';
import { ClaimProjectDto } from '../../src/modules/projects/index.js';
import { clashesOf } from '../../src/program/extensions/clashes.js';
import { listedPackages } from '../../src/program/extensions/listed-packages.js';
import { loadExtensions } from '../../src/program/extensions/load-extensions.js';
import { loadPackages } from '../../src/program/extensions/load-packages.js';
import { readSettings } from '../../src/program/read-settings.js';
import { startApp } from '../support/app.js';

/** The list of src/extensions/index.ts, as somebody with these has it. */
const list = extensions as Extension[];
const extension = (name: string, given: Partial<Extension> = {}): Extension =>
  declareExtension({ name, madeFor: '1.x', modules: [], ...given });
afterEach(() => void list.splice(0));

it('an extension of src/extensions that was made for other versions is refused before anything starts', async () => {
  list.push(extension('acme', { madeFor: '~0.9.0 || >=9.1' }));
  const said = `The extension acme was made for ~0.9.0 || >=9.1 of the product, and this is ${API_VERSION}: `;
  await expect(readSettings({ DATABASE_URL: 'postgres://127.0.0.1/none' })).rejects.toThrow(said);
  await expect(loadExtensions()).rejects.toThrow(said);
});

it('a version that is no range, and two migrations with one name, are refused where they are declared', () => {
  expect(() => extension('acme', { madeFor: 'newest' })).toThrow(
    'acme: madeFor is "newest", but a range of versions like ^1.0.0 is expected.',
  );
  const migration = class AddNotes1800000000000 {} as never;
  expect(() => extension('acme', { migrations: [migration, migration] })).toThrow('two migrations are called AddNotes1800000000000');
});

/** A module with an operation and a table. */
function moduleOf(path: string, declared: Partial<OperationDeclaration>, table: string): Type<unknown> {
  @Entity(table)
  class Row {
    @IdColumn() id: string;
  }
  @Controller(path)
  class Made {
    @Operation({ id: 'a.get', route: 'GET /:a_id', summary: 'A', description: 'A.', returns: ClaimProjectDto, ...declared } as never)
    get(): void {}
  }
  @Module({ imports: [TypeOrmModule.forFeature([Row])], controllers: [Made] })
  class MadeModule {}
  return MadeModule;
}

const tool = (name: string) => ({ name, risk: 'read_only', says: 'A.' }) as const;
const notes = moduleOf('v1/notes', { id: 'notes.get', scope: 'notes:read', tool: tool('get_note') }, 'notes');
const from = (name: string, needs: readonly string[] = []) => ({ name, version: '1.0.0', madeFor: '*', folder: '', file: '', needs });

it.each([
  ['operation notes.get', { id: 'notes.get' }, 'v1/others', 'others'],
  ['tool get_note', { tool: tool('get_note') }, 'v1/others', 'others'],
  ['scope notes:read', { scope: 'notes:read' }, 'v1/others', 'others'],
  ['route GET /v1/notes/:id', {}, 'v1/notes', 'others'],
  ['table notes', {}, 'v1/others', 'notes'],
])('%s of two packages is a clash, with both owners', (name, declared, path, table) => {
  const other = extension('b', { modules: [moduleOf(path, { id: 'others.get', ...declared }, table)] });
  const loaded = [
    { extension: extension('a', { modules: [notes] }), from: from('pa') },
    { extension: other, from: from('pb') },
  ];
  const said = `The ${name} is declared by the extension a (pa 1.0.0) and by the extension b (pb 1.0.0): choose another.`;
  expect(clashesOf(MODULES, loaded)).toEqual([said]);
});

it('names of the product are clashes, too, but for its scopes', () => {
  const module = moduleOf('v1/claim-projects', { id: 'claim_projects.get', scope: 'claim_projects:read' }, 'claim_projects');
  const said = clashesOf(MODULES, [{ extension: extension('a', { modules: [module] }) }]);
  expect(said.map((line) => /^The (.+) is declared by the product and by the extension a: choose another\.$/.exec(line)?.[1])).toEqual([
    'route GET /v1/claim-projects/:id',
    'operation claim_projects.get',
    'table claim_projects',
  ]);
});

it('a package may import the module of another one that it needs, and add operations with its scope', () => {
  @Module({ imports: [notes, moduleOf('v1/notes', { id: 'notes.list', route: 'GET /', scope: 'notes:read' }, 'more')] })
  class MoreModule {}
  const loaded = (needs: readonly string[]) => [
    { extension: extension('a', { modules: [notes] }), from: from('pa') },
    { extension: extension('b', { modules: [MoreModule] }), from: from('pb', needs) },
  ];
  expect(clashesOf(MODULES, loaded(['pa']))).toEqual([]);
  expect(clashesOf(MODULES, loaded([]))).toEqual([expect.stringMatching(/^The scope notes:read /)]);
});

const PACKAGE = `import { Module } from '@nestjs/common';
import { Clock, declareExtension } from '@claims-api/extension-api';
class ClockModule {}
Module({ providers: [{ provide: 'the clock', useFactory: (clock) => clock, inject: [Clock] }] })(ClockModule);
export const extension = declareExtension({ name: 'NAME', madeFor: '^1.0.0', modules: [ClockModule] });
`;

it('packages come after those that they need, and else by their names; from the sources they get the services of these', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'claims-packages-'));
  try {
    const write = async (name: string, peerDependencies = {}) => {
      const home = join(folder, 'node_modules', name);
      const claims = { extension: './extension.js', madeFor: '^1.0.0' };
      await mkdir(home, { recursive: true });
      await writeFile(join(home, 'package.json'), JSON.stringify({ name, version: '1.0.0', type: 'module', claims, peerDependencies }));
      await writeFile(join(home, 'extension.js'), PACKAGE.replace('NAME', name));
    };
    const listed = (...names: readonly string[]) => {
      const written = writeFile(join(folder, 'package.json'), JSON.stringify({ claims: { extensions: names } }));
      return written.then(() => listedPackages(folder).map(({ name }) => name));
    };
    await write('aa', { cc: '*' });
    await write('bb');
    await write('cc');
    expect(await listed('aa', 'bb', 'cc')).toEqual(['cc', 'aa', 'bb']);
    expect(await listed('cc', 'bb', 'aa')).toEqual(['cc', 'aa', 'bb']);
    const loaded = await loadPackages(listedPackages(folder), []);
    const ofPackages = loaded.map((one) => one.extension);
    const started = await startApp({}, undefined, ofPackages);
    expect(started.app.get('the clock', { strict: false })).toBe(started.app.get(Clock));
    await started.close();

    await write('cc', { aa: '*' });
    await expect(listed('aa', 'cc')).rejects.toThrow('The extension packages aa and cc need each other.');
    await writeFile(join(folder, 'package.json'), '{');
    expect(() => listedPackages(folder)).toThrow(/^\/.*package\.json cannot be read: Expected property name/);
    await writeFile(join(folder, 'package.json'), '{}');
    expect(() => listedPackages(folder)).toThrow('extensions/package.json must list the extensions as claims.extensions');
  } finally {
    await rm(folder, { recursive: true });
  }
});
