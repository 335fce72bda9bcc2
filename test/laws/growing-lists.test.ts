import { afterAll, expect, it } from 'vitest';
import { subscribableKinds } from '../../src/kernel/declare-event.js';
import { PLANS } from '../../src/kernel/plans.js';
import { Settings } from '../../src/kernel/settings/settings.js';
import { SOURCE_PROVIDERS } from '../../src/modules/categories/categories.dto.js';
import { ACCOUNTING_PROVIDERS } from '../../src/modules/configurations/configurations.dto.js';
import { OUTPUT_FORMATS } from '../../src/modules/rules/index.js';
import { statementFormats } from '../../src/modules/statements/formats/statement-reader.js';
import { startDocumentedApp } from '../support/documented-app.js';
import { placeOf } from '../support/law-document.js';

const app = await startDocumentedApp();
const { document } = app;
afterAll(() => app.close());

it('the OpenAPI document lists what grows in requests only: an answer names the values of today, and allows for others', () => {
  const growing = {
    plans: app.app.get(Settings).plans.names,
    'plans of the product': PLANS,
    'formats of files': OUTPUT_FORMATS,
    'formats of statements': statementFormats(),
    'kinds of events': subscribableKinds(),
    'origins of categories': SOURCE_PROVIDERS,
    'sources of accounting data': ACCOUNTING_PROVIDERS,
  };
  const key = (values: readonly unknown[]) => JSON.stringify(values.filter((value) => value !== null));
  const names = new Map(Object.entries(growing).map(([name, values]) => [key(values), name]));
  const listed = (keyword: string, part: unknown): string[] =>
    reachedFrom(part).flatMap((node) => names.get(key((node[keyword] as unknown[] | undefined) ?? [])) ?? []);
  const closed = (part: unknown) => listed('enum', part);
  const open = (part: unknown) => listed('x-extensible-enum', part);
  const { webhooks } = document as { webhooks?: unknown };
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const answers = [operations.map(({ responses }) => responses), webhooks];
  expect(closed(answers)).toEqual([]);
  expect(new Set(open(answers))).toEqual(new Set(names.values()));
  const requests = operations.flatMap(({ parameters, requestBody }) => [parameters, requestBody]);
  expect(open(requests)).toEqual([]);
  expect(new Set(closed(requests))).toContain('kinds of events');
});

/** Every object in a part of the document, and in what it refers to. */
function reachedFrom(part: unknown): Record<string, unknown>[] {
  const reached = new Set<string>();
  const follow = (node: unknown): Record<string, unknown>[] =>
    nodesOf(node).flatMap((one) => {
      if (typeof one.$ref !== 'string' || reached.has(one.$ref)) return [one];
      reached.add(one.$ref);
      return [one, ...follow(placeOf(document, one.$ref.slice('#/'.length).split('/')).node)];
    });
  return follow(part);
}

/** Every object in the document. */
function nodesOf(node: unknown): Record<string, unknown>[] {
  if (Array.isArray(node)) return node.flatMap(nodesOf);
  if (typeof node !== 'object' || node === null) return [];
  return [node as Record<string, unknown>, ...Object.values(node).flatMap(nodesOf)];
}
