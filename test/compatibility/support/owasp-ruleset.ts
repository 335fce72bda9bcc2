import type { RulesetDefinition } from '@stoplight/spectral-core';
import { schema } from '@stoplight/spectral-functions';
import owasp from '@stoplight/spectral-owasp-ruleset';

/** It is a default export twice, where CommonJS is imported. */
const OWASP = ('default' in owasp ? owasp.default : owasp) as unknown as { readonly rules: Record<string, object> };

/** The schemas of what a client sends: parameters, and properties of a body. */
const sent = (type: string): string[] =>
  ['$.paths[*][*].parameters[*].schema', '$.paths[*][*].requestBody.content[*].schema.properties[*]'].flatMap((path) => [
    `${path}[?(@property === "type" && @ === "${type}")]^`,
    `${path}.type[?(@ === "${type}")]^^`,
  ]);

const needs = (...schemas: object[]) => ({ function: schema, functionOptions: { schema: { type: 'object', anyOf: schemas } } });

/** OWASP's rules for OpenAPI documents, without what does not apply here. */
export const OWASP_RULESET = {
  extends: [[OWASP, 'recommended']],
  rules: {
    // Tokens are opaque: there is no JWT.
    'owasp:api2:2023-jwt-best-practices': 'off',
    // It asks for refresh tokens, which client credentials have none of (RFC 6749, 4.4.3). Access tokens last an hour.
    'owasp:api2:2023-short-lived-access-tokens': 'off',
    // Names, codes and texts to search for are free text in any language: a pattern would refuse what people are called.
    'owasp:api4:2023-string-restricted': 'off',

    // Bounds protect the service, so they are for what is sent. Answers are ours, and clients that knew their bounds could not read
    // longer ones later. What is inside a free-form object is bounded as a whole: 32 KiB and 20 levels.
    'owasp:api4:2023-array-limit': {
      ...OWASP.rules['owasp:api4:2023-array-limit'],
      given: sent('array'),
      // A set of listed values has as many items at most.
      then: needs({ required: ['maxItems'] }, { properties: { uniqueItems: { const: true }, items: { required: ['enum'] } } }),
    },
    'owasp:api4:2023-integer-limit': { ...OWASP.rules['owasp:api4:2023-integer-limit'], given: sent('integer') },
    'owasp:api4:2023-string-limit': {
      ...OWASP.rules['owasp:api4:2023-string-limit'],
      given: sent('string'),
      // Ids, dates and times have their lengths by their format.
      then: needs(
        { required: ['maxLength'] },
        { required: ['enum'] },
        { required: ['const'] },
        { properties: { format: { enum: ['uuid', 'date', 'date-time'] } }, required: ['format'] },
      ),
    },

    // Not known before the caller is: a missing credential, and what the HTTP server refuses before it has read the request.
    'owasp:api4:2023-rate-limit': {
      ...OWASP.rules['owasp:api4:2023-rate-limit'],
      given: '$.paths[*]..responses[?(@property.match(/^(2|4)/) && !@property.match(/^(401|408|431)$/))]',
    },
    // Endpoints answer deliveries, and no page calls them.
    'owasp:api8:2023-define-cors-origin': {
      ...OWASP.rules['owasp:api8:2023-define-cors-origin'],
      given: '$.paths[*][*].responses[*].headers',
    },
  },
} as unknown as RulesetDefinition;
