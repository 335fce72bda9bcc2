import type { Type } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pageOf } from '../../src/api/console/page.js';
import type { SensitiveRead } from '../../src/api/operation/operation.js';
import { Registry } from '../../src/api/operation/registry.js';
import { controllerPath, routesOf } from '../../src/api/operation/nest-metadata.js';
import { fieldsOf } from '../../src/api/validation/field.js';
import { methodsOf } from '../../src/store/discovery/methods-of.js';
import { shownByLinks } from '../support/console-crawl.js';
import { ConsoleBrowser } from '../support/console.js';
import { freshInstall, type FreshInstall } from '../support/fresh-install.js';
import { entriesOf } from '../support/users.js';

let install: FreshInstall;
beforeAll(async () => {
  install = await freshInstall();
});
afterAll(() => install?.close());

const operations = () => install.app.app.get(Registry).operations;

/** The handlers of the console, with what they declare and the paths below that of their section. */
const handlers = () =>
  install.app.app
    .get(DiscoveryService)
    .getControllers()
    .flatMap(({ metatype }) =>
      [...methodsOf(metatype!.prototype as object)].map(([name, handler]) => {
        const base = controllerPath(metatype as Type<unknown>);
        return { name: `${metatype!.name}.${name}`, base, handler, page: pageOf(handler) };
      }),
    )
    .flatMap(({ page, ...handler }) => (page ? [{ ...handler, page }] : []));

/** The classes of a record and of all that is in it. */
function classesIn(type: { prototype: object }, known = new Set<{ prototype: object }>()): Set<{ prototype: object }> {
  if (known.has(type)) return known;
  known.add(type);
  for (const { of } of fieldsOf(type.prototype).values()) if (of) classesIn(of, known);
  return known;
}

/** What a bank says of a payment: a text and an amount. */
const isLine = ({ prototype }: { prototype: object }): boolean => ['description', 'amount'].every((name) => fieldsOf(prototype).has(name));

/** The record that the entry names is one of the path, or the organization. */
const isNamed = ({ action, of }: SensitiveRead, params: readonly string[]): boolean =>
  of === undefined ? action.startsWith('organization.') : params.includes(of);

it('each operation that returns a file or lines of statements says what is noted when a person reads it', () => {
  const sensitive = operations().filter(
    ({ isWrite, returns, returnsFile }) => !isWrite && (returnsFile || (returns && [...classesIn(returns)].some(isLine))),
  );
  expect(sensitive.length).toBeGreaterThan(2);
  expect(sensitive.filter(({ reads }) => !reads).map(({ id }) => id)).toEqual([]);
  for (const { id, reads, isWrite, pathIds } of operations())
    // A write has an entry of its own.
    if (reads) expect([id, isWrite, isNamed(reads, pathIds)]).toEqual([id, false, true]);
});

it('each page and form of the console that sends a file says what is noted, and every time or once an hour', () => {
  // However the call was compiled.
  const sending = handlers().filter(({ handler }) => /\bdownload\b\)?\(/.test(String(handler)));
  expect(sending.length).toBeGreaterThan(4);
  const silent = sending.filter(({ page }) => !page.reads && page.records.length === 0).map(({ name }) => name);
  // The event that its page shows, for the script of that page.
  expect(silent).toEqual(['AuditEventConsole.prove']);
  for (const { name, base, handler, page } of handlers()) {
    const params = [base, ...routesOf(handler).paths].flatMap((path) => [...path.matchAll(/:(\w+)/g)].map((match) => match[1]!));
    if (page.reads) expect([name, isNamed(page.reads, params)]).toEqual([name, true]);
  }
});

/** What is noted of the page at an address. Those with fixed names come first. */
function readsAt(address: string): SensitiveRead | undefined {
  const pattern = (path: string) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`);
  const [found] = handlers()
    .filter(({ page }) => !page.isAction)
    .flatMap(({ base, handler, page }) => routesOf(handler).paths.map((path) => ({ path: `/${base}${path}`.replace(/\/$/, ''), page })))
    .filter(({ path }) => pattern(path).test(address))
    .sort((one, other) => one.path.split(':').length - other.path.split(':').length);
  const { reads, operation } = found!.page;
  return reads ?? (operation === undefined ? undefined : install.app.app.get(Registry).operationCalled(operation).reads);
}

it('each page of the console that shows the text of a line is in the audit log', async () => {
  const { report_id: reportId } = install.made.records!;
  const { data } = (await install.api.get(`/v1/claim-reports/${reportId}/lines?page_size=200`)).body as {
    data: { description: string }[];
  };
  const texts = data.map(({ description }) => description);
  expect(texts.length).toBeGreaterThan(3);
  const shown = await shownByLinks(new ConsoleBrowser(install.app.url), install);
  const pages = shown.filter(({ text }) => texts.some((line) => text.includes(line))).map(({ url }) => url.pathname);
  expect(pages.length).toBeGreaterThan(3);
  expect(pages.filter((path) => !readsAt(path))).toEqual([]);
  const read = (await entriesOf(install.app, install.made.organization.id, '%'))
    .filter(({ action, actor }) => action.endsWith('read') && actor.startsWith('user '))
    .map(({ resource }) => resource.split(' ')[1]!);
  expect(pages.filter((path) => !read.some((id) => path.includes(id)))).toEqual([]);
});
