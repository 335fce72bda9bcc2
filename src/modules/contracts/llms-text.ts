import type { RegisteredOperation } from '../../api/operation/operation.js';
import type { Registry } from '../../api/operation/registry.js';
import { API_NAME, API_VERSION } from '../../kernel/product.js';
import type { Place } from './places.js';

/** The service in one text for language models, in the form that llmstxt.org proposes. */
export function llmsText(places: readonly Pick<Place, 'path' | 'title' | 'about'>[], registry: Registry, baseUrl: string): string {
  const capabilities = registry.descriptions.map(([capability, { about }]) => {
    const operations = registry.operations.filter((operation) => operation.capability === capability).map(lineOf);
    return [`## ${capability}`, '', about, '', ...operations, ''].join('\n');
  });
  return [
    `# ${API_NAME} ${API_VERSION}`,
    '',
    "> Claim preparation for accountants' software: claim projects, bank statements, and the reports made from them.",
    '',
    'Send an API key as `X-API-Key`, or an OAuth access token as `Authorization: Bearer`. Keys that begin with `pk_test_` access',
    'test data only. An operator creates keys; there is no way to get one here.',
    'Every POST and PATCH needs an `Idempotency-Key`: new for each new request, and the same when a request is repeated.',
    'Every answer that is not 2xx is a problem document: `code` says what happened, `retry` whether to repeat the request.',
    '',
    '## Places',
    '',
    ...places.map(({ path, title, about }) => `- [${title}](${baseUrl}${path}): ${about}`),
    '',
    ...capabilities,
  ].join('\n');
}

function lineOf({ method, path, summary, scope, plan, tool }: RegisteredOperation): string {
  const needs = [scope && `scope \`${scope}\``, plan && `plan \`${plan}\``, tool && `tool \`${tool.name}\``].filter(Boolean).join(', ');
  return `- \`${method} ${path}\`: ${summary}${needs && ` (${needs})`}`;
}
