import type { Type } from '@nestjs/common';
import {
  ApiExcludeController,
  ApiExtension,
  ApiHeader,
  ApiOperation,
  ApiParam,
  ApiResponse,
  ApiSecurity,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { PROBLEM_MEDIA_TYPE, PROBLEMS, type ProblemCode } from '../../kernel/problems.js';
import { setting } from '../../kernel/settings/setting-text.js';
import { methodsOf } from '../../store/discovery/methods-of.js';
import { ProblemDto } from '../dto/problem.dto.js';
import {
  declarationOf,
  IDEMPOTENCY_KEY_EXAMPLE,
  isIdParameter,
  isTagged,
  needsKey,
  parametersOf,
  splitRoute,
  successStatus,
  takesIfMatch,
  type OperationDeclaration,
} from './operation.js';
import { KEY_MAX_LENGTH } from '../../kernel/product.js';

/** The two ways to send a credential, as the OpenAPI document names them. */
export const SECURITY_SCHEMES = { apiKey: 'apiKey', bearer: 'bearer' } as const;

const documented = new WeakSet<object>();

/** Tells @nestjs/swagger the operations of a controller, once. A controller without operations is not in the document. */
export function documentController(controller: Type<unknown>): void {
  if (documented.has(controller)) return;
  documented.add(controller);
  const prototype = controller.prototype as object;
  const operations = [...methodsOf(prototype)].flatMap(([name, handler]) => {
    const declaration = declarationOf(handler);
    return declaration ? [{ name, handler, declaration }] : [];
  });
  if (operations.length === 0) ApiExcludeController()(controller);
  for (const { name, handler, declaration } of operations)
    for (const decorate of documentation(declaration)) decorate(prototype, name, { value: handler });
}

/** The OpenAPI documentation of an operation, made from its declaration. */
function documentation(declaration: OperationDeclaration): MethodDecorator[] {
  const { id, summary, description, scope, plan, tool, returns, returnsFile } = declaration;
  const { method, path } = splitRoute(declaration.route);
  const access = [scope && `Scope \`${scope}\`.`, plan && `Plan \`${plan}\`.`].filter(Boolean).join(' ');
  const isConditional = method === 'GET' && isTagged(declaration);
  return [
    ApiOperation({ operationId: id, summary, description: [description, access].filter(Boolean).join('\n\n') }),
    ApiTags(id.split('.')[0]!),
    ApiSecurity(SECURITY_SCHEMES.apiKey),
    ApiSecurity(SECURITY_SCHEMES.bearer),
    ...(scope ? [ApiExtension('x-scope', scope)] : []),
    ...(plan ? [ApiExtension('x-plan', plan)] : []),
    ...(tool ? [ApiExtension('x-tool', tool)] : []),
    ...parametersOf(path).map((name) => ApiParam({ name, ...(isIdParameter(name) ? RECORD_ID : kindOfFile(returnsFile!)) })),
    ...(needsKey(method) ? [ApiHeader(IDEMPOTENCY_KEY)] : []),
    ...(takesIfMatch(declaration) ? [ApiHeader(IF_MATCH)] : []),
    ...(isConditional ? [ApiHeader(IF_NONE_MATCH), ApiResponse(NOT_MODIFIED)] : []),
    ApiResponse({
      status: successStatus(declaration),
      description: returns || returnsFile ? 'Success.' : 'Success, without a body.',
      ...(returns && { type: returns }),
      ...(returnsFile && { content: Object.fromEntries(Object.values(returnsFile).map((type) => [type, BINARY])) }),
      headers: answerHeaders(declaration),
    }),
    ...problemResponses(problemCodes(declaration)),
  ];
}

const RECORD_ID = { schema: { type: 'string', format: 'uuid' }, description: 'Id of the record.' } as const;
const BINARY = { schema: { type: 'string', format: 'binary' } } as const;
const kindOfFile = (types: object) => ({ schema: { type: 'string', enum: Object.keys(types) }, description: 'Kind of the file.' }) as const;

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  required: true,
  description:
    'A key of your choice: new for each new request, and the same when you repeat a request. A repeated request is not carried ' +
    `out again, but gets the first answer. Keys are remembered for ${setting('idempotencyRetentionMs')}.`,
  schema: { type: 'string', minLength: 1, maxLength: KEY_MAX_LENGTH, example: IDEMPOTENCY_KEY_EXAMPLE },
} as const;

/** Every addition to the given description says that it is one. */
const ADDED = 'An addition to the description of version 1.0.0.';

const text = (description: string) => ({ description, schema: { type: 'string' as const } });

const ETAG = text(`The version of the record, for \`If-Match\` and \`If-None-Match\`. ${ADDED}`);

const IF_MATCH = {
  name: 'If-Match',
  required: false,
  description: `Only if the record still has this ETag; otherwise nothing is changed (\`changed_meanwhile\`). ${ADDED}`,
  schema: { type: 'string', example: '"mi2x8k0f"' },
} as const;

const IF_NONE_MATCH = {
  name: 'If-None-Match',
  required: false,
  description: `Only if the record no longer has this ETag; otherwise the answer is 304 without a body. ${ADDED}`,
  schema: { type: 'string', example: '"mi2x8k0f"' },
} as const;

const NOT_MODIFIED = { status: 304, description: 'The record still has the ETag that `If-None-Match` states.', headers: { ETag: ETAG } };

function answerHeaders(declaration: OperationDeclaration) {
  const { method } = splitRoute(declaration.route);
  return {
    'X-Request-Id': text('Identifies this request in our logs. The value that you sent, or a new one.'),
    'RateLimit-Policy': text('The rate limit: requests (q) per window of seconds (w).'),
    RateLimit: text('Requests remaining (r); seconds until the limit is fully replenished (t).'),
    ...(isTagged(declaration) && { ETag: ETAG }),
    ...(successStatus(declaration) === 201 && { Location: text(`The address of the new record. ${ADDED}`) }),
    ...(method !== 'GET' && {
      'Idempotent-Replayed': text('`true` if this is the answer of an earlier request with the same key.'),
    }),
  };
}

/** All problems that an operation can answer with. */
export function problemCodes(declaration: OperationDeclaration): ProblemCode[] {
  const { route, scope, plan, problems = [] } = declaration;
  const { method, path } = splitRoute(route);
  return [
    'validation_failed',
    'ambiguous_credentials',
    'credential_missing',
    'credential_invalid',
    'ip_not_allowed',
    'organization_suspended',
    ...(scope ? ['scope_missing' as const] : []),
    ...(plan ? ['plan_required' as const] : []),
    ...(path.includes(':') ? ['not_found' as const] : []),
    ...(takesIfMatch(declaration) ? ['changed_meanwhile' as const] : []),
    'not_acceptable',
    ...(needsKey(method)
      ? ([
          'malformed_json',
          'idempotency_key_missing',
          'idempotency_key_invalid',
          'idempotency_conflict',
          'body_too_large',
          'unsupported_media_type',
        ] as const)
      : []),
    ...problems,
    'rate_limited',
    'headers_too_large',
    'request_timeout',
    'internal_error',
    'unavailable',
  ];
}

function problemResponses(codes: readonly ProblemCode[]): MethodDecorator[] {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of codes) byStatus.set(PROBLEMS[code].status, [...(byStatus.get(PROBLEMS[code].status) ?? []), code]);
  return [...byStatus].map(([status, codesOfStatus]) =>
    ApiResponse({
      status,
      description: codesOfStatus.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join('  \n'),
      headers: status === 429 || status === 503 ? { 'Retry-After': text('Seconds to wait before the next request.') } : {},
      content: { [PROBLEM_MEDIA_TYPE]: { schema: { $ref: getSchemaPath(ProblemDto) } } },
    }),
  );
}
