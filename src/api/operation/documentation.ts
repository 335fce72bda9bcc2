import type { Type } from '@nestjs/common';
import { ApiExcludeController, ApiExtension, ApiHeader, ApiOperation, ApiParam, ApiResponse, ApiSecurity, ApiTags } from '@nestjs/swagger';
import { getSchemaPath } from '@nestjs/swagger';
import { PROBLEM_MEDIA_TYPE, PROBLEMS, type ProblemCode } from '../../kernel/problems.js';
import { methodsOf } from '../../store/discovery/methods-of.js';
import { ProblemDto } from '../dto/problem.dto.js';
import { deprecationText } from './deprecation.js';
import { isConditional, problemHeaders, requestHeaders, successHeaders } from './documented-headers.js';
import { declarationOf, isIdParameter, needsKey, parametersOf, splitRoute, successStatus, takesIfMatch } from './operation.js';
import type { OperationDeclaration } from './operation.js';

export const SECURITY_SCHEMES = { apiKey: 'apiKey', bearer: 'bearer' } as const;
const documented = new WeakSet<object>();

/** A controller without operations is not in the document. `declared` says what a handler declares, with what extensions add. */
export function documentController(
  controller: Type<unknown>,
  declared: (handler: object) => OperationDeclaration | undefined = declarationOf,
): void {
  if (documented.has(controller)) return;
  documented.add(controller);
  const prototype = controller.prototype as object;
  const operations = [...methodsOf(prototype)].flatMap(([name, handler]) => {
    const declaration = declared(handler);
    return declaration ? [{ name, handler, declaration }] : [];
  });
  if (operations.length === 0) ApiExcludeController()(controller);
  for (const { name, handler, declaration } of operations)
    for (const decorate of documentation(declaration)) decorate(prototype, name, { value: handler });
}

function documentation(declaration: OperationDeclaration): MethodDecorator[] {
  const { id, summary, description, scope, role, plan, environment, concerns, tool, returns, returnsFile, deprecated } = declaration;
  const { path } = splitRoute(declaration.route);
  const access = [scope && `Scope \`${scope}\`.`, role && `Role \`${role}\`, for people.`, plan && `Plan \`${plan}\`.`]
    .filter(Boolean)
    .join(' ');
  const ending = deprecated && deprecationText(deprecated);
  const texts = [ending, description, environment && ONLY_IN_TEST, concerns && OF_ALL, access].filter(Boolean);
  return [
    ApiOperation({ operationId: id, summary, description: texts.join('\n\n'), ...(deprecated && { deprecated: true }) }),
    ApiTags(id.split('.')[0]!),
    ApiSecurity(SECURITY_SCHEMES.apiKey),
    ApiSecurity(SECURITY_SCHEMES.bearer),
    ...Object.entries({ scope, role, plan, environment, concerns }).flatMap(([name, value]) =>
      value ? [ApiExtension(`x-${name}`, value)] : [],
    ),
    ...(tool ? [ApiExtension('x-tool', ending ? { ...tool, says: `${ending} ${tool.says}` } : tool)] : []),
    ...(returnsFile ? [ApiExtension('x-media-types', returnsFile)] : []),
    ...parametersOf(path).map((name) => ApiParam({ name, ...(isIdParameter(name) ? RECORD_ID : kindOfFile(returnsFile!)) })),
    ...requestHeaders(declaration).map((header) => ApiHeader(header)),
    ...(isConditional(declaration) ? [ApiResponse(notModified(declaration))] : []),
    ApiResponse({
      status: successStatus(declaration),
      description: returns || returnsFile ? 'Success.' : 'Success, without a body.',
      ...(returns && { type: returns }),
      ...(returnsFile && { content: Object.fromEntries(Object.values(returnsFile).map((type) => [type, BINARY])) }),
      headers: successHeaders(declaration),
    }),
    ...problemResponses(declaration),
  ];
}

const OF_ALL = 'Not for credentials that are bound to some projects.';
const ONLY_IN_TEST = 'Only in the test environment: for a live credential this path does not exist.';
const RECORD_ID = { schema: { type: 'string', format: 'uuid' }, description: 'Id of the record.' } as const;
const BINARY = { schema: { type: 'string', format: 'binary' } } as const;
const notModified = (declaration: OperationDeclaration) => ({
  status: 304,
  description: 'The record still has the ETag that `If-None-Match` states.',
  headers: successHeaders(declaration),
});
const kindOfFile = (types: object) => ({ schema: { type: 'string', enum: Object.keys(types) }, description: 'Kind of the file.' }) as const;

/** Those of every POST and PATCH. */
export const PROBLEMS_OF_WRITES = [
  'malformed_json',
  'idempotency_key_missing',
  'idempotency_key_invalid',
  'idempotency_conflict',
  'body_too_large',
  'unsupported_media_type',
] as const satisfies readonly ProblemCode[];

function problemCodes(declaration: OperationDeclaration): ProblemCode[] {
  const { route, scope, role, plan, environment, takesFile, problems = [] } = declaration;
  const { method, path } = splitRoute(route);
  return [
    'validation_failed',
    'ambiguous_credentials',
    'credential_missing',
    'credential_invalid',
    ...(environment ? ['route_not_found' as const] : []),
    'ip_not_allowed',
    'organization_suspended',
    'organization_moved',
    ...(scope ? ['scope_missing' as const, 'bound_to_projects' as const] : []),
    ...(role ? ['role_required' as const] : []),
    ...(plan ? ['plan_required' as const] : []),
    ...(path.includes(':') ? ['not_found' as const] : []),
    ...(takesIfMatch(declaration) ? ['changed_meanwhile' as const] : []),
    'not_acceptable',
    ...(takesFile ? ['bad_request' as const] : []),
    ...(needsKey(method) ? PROBLEMS_OF_WRITES : []),
    ...problems,
    'rate_limited',
    'headers_too_large',
    'request_timeout',
    'internal_error',
    'unavailable',
    'organization_moving',
  ];
}

function problemResponses(declaration: OperationDeclaration): MethodDecorator[] {
  const codes = problemCodes(declaration);
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of codes) byStatus.set(PROBLEMS[code].status, [...(byStatus.get(PROBLEMS[code].status) ?? []), code]);
  return [...byStatus].map(([status, codesOfStatus]) =>
    ApiResponse({
      status,
      description: codesOfStatus.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join('  \n'),
      headers: problemHeaders(status, declaration),
      content: { [PROBLEM_MEDIA_TYPE]: { schema: { $ref: getSchemaPath(ProblemDto) } } },
    }),
  );
}
