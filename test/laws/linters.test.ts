import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Spectral, type ISpectralDiagnostic, type RulesetDefinition } from '@stoplight/spectral-core';
import { asyncapi, oas } from '@stoplight/spectral-rulesets';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startDocumentedApp, type DocumentedApp } from '../support/documented-app.js';
import { Client } from '../support/client.js';

let app: DocumentedApp;
const texts: Record<string, string> = {};
beforeAll(async () => {
  app = await startDocumentedApp();
  for (const path of ['/openapi.json', '/asyncapi.json']) texts[path] = (await new Client(app.url).get(path)).text;
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

/** Their types do not fit those of the core. */
const [OAS, ASYNCAPI] = [oas, asyncapi] as unknown as RulesetDefinition[];

async function findingsOf(ruleset: RulesetDefinition, path: string): Promise<string[]> {
  const spectral = new Spectral();
  spectral.setRuleset(ruleset);
  const found = await spectral.run(JSON.parse(texts[path]!) as Record<string, unknown>);
  const place = (finding: ISpectralDiagnostic) => finding.path.join('/');
  // 0 is an error and 1 a warning. The rest are hints, such as that there is a newer edition of AsyncAPI.
  const told = found.filter(({ severity }) => severity <= 1);
  return summed(told.map((finding) => ({ rule: String(finding.code), message: finding.message, place: place(finding) })));
}

it('Redocly finds nothing in the OpenAPI document by its strictest rules', async () => {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const found = await lintFromString({ source: texts['/openapi.json']!, absoluteRef: 'openapi.json', config });
  expect(summed(found.map(({ ruleId, message, location: [at] }) => ({ rule: ruleId, message, place: at?.pointer ?? '' })))).toEqual([]);
});

it('Spectral finds nothing in the OpenAPI document', async () => {
  expect(await findingsOf({ extends: [[OAS!, 'recommended']] }, '/openapi.json')).toEqual([]);
});

it('Spectral finds nothing in the AsyncAPI document', async () => {
  // A contact must have an e-mail address for this rule, and the software knows none of whoever operates it.
  const rules = { 'asyncapi-info-contact-properties': 'off' } as const;
  expect(await findingsOf({ extends: [[ASYNCAPI!, 'recommended']], rules }, '/asyncapi.json')).toEqual([]);
});
