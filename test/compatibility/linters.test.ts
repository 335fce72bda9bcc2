import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Spectral, type ISpectralDiagnostic, type RulesetDefinition } from '@stoplight/spectral-core';
import { asyncapi, oas } from '@stoplight/spectral-rulesets';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OWASP_RULESET } from './support/owasp-ruleset.js';
import { startDocumentedApp, type DocumentedApp } from '../support/documented-app.js';
import { Client } from '../support/client.js';
import type { OpenApi } from '../support/law-document.js';

let app: DocumentedApp;
let [openApi, asyncApi] = ['', ''];
beforeAll(async () => {
  app = await startDocumentedApp();
  const anyone = new Client(app.url);
  // The address of a test is not one that a service should have.
  const textOf = async (path: string): Promise<string> => (await anyone.get(path)).text.replaceAll(app.url, 'https://api.claims.example');
  [openApi, asyncApi] = [await textOf('/openapi.json'), await textOf('/asyncapi.json')];
});
afterAll(() => app.close());

/** Each kind of finding once, with how often it is found and the first place. */
function summed(findings: readonly { rule: string; message: string; place: string }[]): string[] {
  const rules = [...new Set(findings.map(({ rule }) => rule))];
  return rules.map((name) => {
    const [first, ...others] = findings.filter(({ rule }) => rule === name);
    return `${name}: ${first!.message} ${first!.place}${others.length > 0 ? ` and ${others.length} more` : ''}`;
  });
}

const parsed = (text: string): OpenApi => JSON.parse(text) as OpenApi;

/** Their types do not fit those of the core. */
const [OAS, ASYNCAPI] = [oas, asyncapi] as unknown as RulesetDefinition[];

async function findingsOf(ruleset: RulesetDefinition, document: object): Promise<string[]> {
  const spectral = new Spectral();
  spectral.setRuleset(ruleset);
  const found = await spectral.run(document as Record<string, unknown>);
  const place = (finding: ISpectralDiagnostic) => finding.path.join('/');
  // 0 is an error and 1 a warning. The rest are hints, such as that there is a newer edition of AsyncAPI.
  const told = found.filter(({ severity }) => Number(severity) <= 1);
  return summed(told.map((finding) => ({ rule: String(finding.code), message: finding.message, place: place(finding) })));
}

it('Redocly finds nothing in the OpenAPI document by its strictest rules', async () => {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const found = await lintFromString({ source: openApi, absoluteRef: 'openapi.json', config });
  expect(summed(found.map(({ ruleId, message, location: [at] }) => ({ rule: ruleId, message, place: at?.pointer ?? '' })))).toEqual([]);
});

it('Spectral finds nothing in the OpenAPI document', async () => {
  expect(await findingsOf({ extends: [[OAS!, 'recommended']] }, parsed(openApi))).toEqual([]);
});

it('Spectral finds nothing in the AsyncAPI document', async () => {
  // A contact must have an e-mail address for this rule, and the software knows none of whoever operates it.
  const rules = { 'asyncapi-info-contact-properties': 'off' } as const;
  expect(await findingsOf({ extends: [[ASYNCAPI!, 'recommended']], rules }, parsed(asyncApi))).toEqual([]);
});

it('the rules of OWASP find nothing in the OpenAPI document', async () => {
  expect(await findingsOf(OWASP_RULESET, parsed(openApi))).toEqual([]);
});

const UNBOUNDED = [
  ['a number without bounds', 'integer-limit', { type: 'integer', format: 'int32' }],
  ['a text of any length', 'string-limit', { type: ['string', 'null'] }],
  ['a list of any length', 'array-limit', { type: 'array', items: { type: 'integer', format: 'int32' } }],
] as const;

describe('those rules find', () => {
  let found: string[];
  // All of them in one document, because it takes seconds to lint.
  beforeAll(async () => {
    const document = parsed(openApi);
    const { properties } = document.components.schemas.CreateClaimProject!;
    const { get } = document.paths['/v1/claim-projects']!;
    for (const [, rule, schema] of UNBOUNDED) {
      Object.assign(properties!, { [rule]: schema });
      (get!.parameters as object[]).push({ name: rule, in: 'query', description: 'Added.', schema });
    }
    found = await findingsOf(OWASP_RULESET, document);
  });

  it.each(UNBOUNDED)('%s in a body and in a query', (_what, rule) => {
    const name = `owasp:api4:2023-${rule}: `;
    expect(found.filter((finding) => finding.startsWith(name))).toEqual([expect.stringMatching(/ and \d more$/)]);
    expect(found).toHaveLength(UNBOUNDED.length);
  });
});
