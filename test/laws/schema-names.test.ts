import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startDocumentedApp, type DocumentedApp } from '../support/documented-app.js';
import type { Schema } from '../support/law-document.js';

// Client generators make a type of each schema, all in one namespace, so a name must tell what it is the name of.

let app: DocumentedApp;
let schemas: Readonly<Record<string, Schema>>;
beforeAll(async () => {
  app = await startDocumentedApp();
  ({ schemas } = app.document.components);
});
afterAll(() => app.close());

const referredBy = (node: unknown): string[] =>
  [...JSON.stringify(node ?? null).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name!);

/** `CreateClaimProject` and `ClaimProjectPage` are about a `ClaimProject`. */
const recordOf = (name: string): string => name.replace(/^(Create|Update)/, '').replace(/(Page|List|WithSecret|Details)$/, '');

const inCapitals = (property: string): string => property.charAt(0).toUpperCase() + property.slice(1);

/** The schemas of whole records, bodies and events, and those of the fields of bodies that have a schema of their own. */
function wholes(): string[] {
  const { paths, webhooks, components } = app.document;
  const sent = Object.values(webhooks).flatMap(({ post }) => referredBy(post));
  const bodies = Object.values(paths).flatMap((methods) => Object.values(methods).flatMap(({ requestBody }) => referredBy(requestBody)));
  const fields = bodies.flatMap((name) =>
    Object.entries(schemas[name]!.properties ?? {}).flatMap(([property, schema]) =>
      referredBy(schema).filter((referred) => referred === inCapitals(property)),
    ),
  );
  const events = sent.flatMap((name) => [name, ...referredBy(schemas[name])]);
  return [...new Set([...referredBy(paths), ...referredBy(components.responses), ...fields, ...events])];
}

it('a part of one record is named after it: ClaimReportMonth, not Month', () => {
  const known = wholes();
  const owners = new Map<string, Set<string>>();
  const follow = (name: string, owner: string): void => {
    for (const part of referredBy(schemas[name]).filter((referred) => !known.includes(referred))) {
      const found = owners.get(part) ?? new Set();
      if (found.has(owner)) continue;
      owners.set(part, found.add(owner));
      follow(part, owner);
    }
  };
  for (const name of known) follow(name, recordOf(name));
  const parts = [...owners].flatMap(([part, [owner, ...others]]) => (others.length === 0 ? [{ part, owner: owner! }] : []));
  expect(parts.length).toBeGreaterThan(25);
  expect(parts.filter(({ part, owner }) => !part.startsWith(owner))).toEqual([]);
});

it('no schema has a name that TypeScript or browsers use already, such as Event', async () => {
  const folder = 'node_modules/typescript/lib';
  const files = (await readdir(folder)).filter((file) => /^lib\..*\.d\.ts$/.test(file));
  const texts = await Promise.all(files.map((file) => readFile(`${folder}/${file}`, 'utf8')));
  const taken = new Set(
    texts.flatMap((text) => [...text.matchAll(/^(?:interface|type|declare var|declare class) (\w+)/gm)].map(([, name]) => name!)),
  );
  expect(taken.has('Event') && taken.has('Credential') && taken.has('Map')).toBe(true);
  expect(Object.keys(schemas).filter((name) => taken.has(name))).toEqual([]);
});
