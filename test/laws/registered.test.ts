import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { ModulesContainer } from '@nestjs/core';
import { afterAll, expect, it } from 'vitest';
import * as extensionApi from '../../src/extension-api.js';
import { extensions } from '../../src/extensions/index.js';
import { migrations } from '../../migrations/index.js';
import type { RegisteredOperation } from '../../src/api/operation/operation.js';
import { startDocumentedApp } from '../support/documented-app.js';

const app = await startDocumentedApp();
afterAll(() => app.close());

/** The names of the classes that the matching files of a folder export. */
async function classesIn(folder: string, of: RegExp): Promise<string[]> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => of.test(file));
  const texts = await Promise.all(files.map((file) => readFile(`${folder}/${file}`, 'utf8')));
  return texts.flatMap((text) => [...text.matchAll(/^export class (\w+)/gm)].map(([, name]) => name!));
}

it('src/app.module.ts, or a module that it imports, has every module of src/modules and src/extensions', async () => {
  const known = [...app.app.get(ModulesContainer).values()].map(({ metatype }) => metatype.name);
  const modules = [...(await classesIn('src/modules', /\.module\.ts$/)), ...(await classesIn('src/extensions', /\.module\.ts$/))];
  expect(modules.length).toBeGreaterThan(10);
  expect(modules.filter((name) => !known.includes(name))).toEqual([]);
});

it('src/extension-api.ts has what every change takes, finds and returns, so a hook or a policy can name it', async () => {
  const exported = new Set<unknown>(Object.values(extensionApi));
  const ofExtensions = await classesIn('src/extensions', /\.ts$/);
  const changes = app.operations.filter(({ isWrite }) => isWrite);
  expect(changes.length).toBeGreaterThan(5);
  const found = ({ path }: RegisteredOperation) => app.registry.operationAt('GET', path.slice(0, path.lastIndexOf('}') + 1))?.returns;
  const types = changes.flatMap((change) =>
    [change.body, change.takesFile?.fields, change.returns, found(change)].flatMap((type) => (type ? [{ id: change.id, type }] : [])),
  );
  const missing = types.filter(({ type }) => !exported.has(type) && !ofExtensions.includes(type.name));
  expect(missing.map(({ id, type }) => `${id}: ${type.name}`)).toEqual([]);
});

it('src/extensions/index.ts lists every extension, and each extension its migrations in the order of their timestamps', async () => {
  const folders = (await readdir('src/extensions')).filter((name) => existsSync(`src/extensions/${name}/extension.ts`));
  expect(extensions.map(({ name }) => name).sort()).toEqual(folders.sort());
  for (const { name, migrations: own = [] } of extensions) {
    const names = own.map((migration) => migration.name);
    const folder = `src/extensions/${name}/migrations`;
    expect([...names].sort()).toEqual(existsSync(folder) ? (await classesIn(folder, /^\d+-.+\.ts$/)).sort() : []);
    expect(names).toEqual([...names].sort((a, b) => Number(a.slice(-13)) - Number(b.slice(-13))));
  }
});

it('migrations/index.ts lists every migration in the order of their timestamps', async () => {
  const times = migrations.map(({ name }) => Number(name.slice(-13)));
  expect(migrations.map(({ name }) => name).sort()).toEqual((await classesIn('migrations', /^\d+-.+\.ts$/)).sort());
  expect(times).toEqual([...times].sort((a, b) => a - b));
});
