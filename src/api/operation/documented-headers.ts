import { HEADERS_MAX_BYTES, KEY_MAX_LENGTH } from '../../kernel/product.js';
import { setting } from '../../kernel/settings/setting-text.js';
import { IDEMPOTENCY_KEY_EXAMPLE, isTagged, needsKey, splitRoute, successStatus, takesIfMatch } from './operation.js';
import type { OperationDeclaration } from './operation.js';

const text = (description: string) => ({ description, schema: { type: 'string' as const } });

/** Every addition to the given description says that it is one. */
const ADDED = 'An addition.';

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  required: true,
  description:
    'A key of your choice: new for each new request, and the same when you repeat a request. A repeated request is not carried ' +
    `out again, but gets the first answer. Keys are remembered for ${setting('idempotencyRetentionMs')}.`,
  schema: { type: 'string', minLength: 1, maxLength: KEY_MAX_LENGTH, example: IDEMPOTENCY_KEY_EXAMPLE },
} as const;

const conditionOn = (name: string, description: string) => ({
  name,
  description: `Only if the record ${description} ${ADDED}`,
  ...({ required: false, schema: { type: 'string', maxLength: HEADERS_MAX_BYTES, example: '"mi2x8k0f"' } } as const),
});
const IF_MATCH = conditionOn('If-Match', 'still has this ETag; otherwise nothing is changed (`changed_meanwhile`).');
const IF_NONE_MATCH = conditionOn('If-None-Match', 'no longer has this ETag; otherwise the answer is 304 without a body.');

export const isConditional = (declaration: OperationDeclaration): boolean =>
  splitRoute(declaration.route).method === 'GET' && isTagged(declaration);

export const requestHeaders = (declaration: OperationDeclaration) => [
  ...(needsKey(splitRoute(declaration.route).method) ? [IDEMPOTENCY_KEY] : []),
  ...(takesIfMatch(declaration) ? [IF_MATCH] : []),
  ...(isConditional(declaration) ? [IF_NONE_MATCH] : []),
];

const OF_ANY_ANSWER = {
  'X-Request-Id': text('Identifies this request in our logs. The value that you sent, or a new one.'),
  'Access-Control-Allow-Origin': text('`*`: pages of any origin may read the answer. Only if the request has an `Origin`.'),
};
const RATE_LIMIT = {
  'RateLimit-Policy': text('The rate limit: requests (q) per window of seconds (w).'),
  RateLimit: text('Requests remaining (r); seconds until the limit is fully replenished (t).'),
};
const DEPRECATED = {
  Deprecation: text('Since when the operation is deprecated (RFC 9745).'),
  Sunset: text('The time from which the operation may be gone (RFC 8594).'),
};
const ETAG = { ETag: text(`The version of the record, for \`If-Match\` and \`If-None-Match\`. ${ADDED}`) };

/** Also those of an answer without a body, since the record is not modified. */
export const successHeaders = (declaration: OperationDeclaration) => ({
  ...OF_ANY_ANSWER,
  ...RATE_LIMIT,
  ...(declaration.deprecated && DEPRECATED),
  ...(isTagged(declaration) && ETAG),
  ...(successStatus(declaration) === 201 && { Location: text(`The address of the new record. ${ADDED}`) }),
  ...(needsKey(splitRoute(declaration.route).method) && {
    'Idempotent-Replayed': text('`true` if this is the answer of an earlier request with the same key.'),
  }),
});

/** Answered by the HTTP server itself, which has not read the request yet. */
const BEFORE_ANY_CHECK = [408, 431];

export function problemHeaders(status: number, { deprecated }: OperationDeclaration) {
  if (BEFORE_ANY_CHECK.includes(status)) return undefined;
  return {
    ...OF_ANY_ANSWER,
    // Whose limit it would be is not known without a credential.
    ...(status !== 401 && RATE_LIMIT),
    ...(deprecated && DEPRECATED),
    ...((status === 401 || status === 403) && {
      'WWW-Authenticate': text('How to send a credential, and which scope is missing (RFC 6750).'),
    }),
    ...((status === 429 || status === 503) && { 'Retry-After': text('Seconds to wait before the next request.') }),
  };
}
