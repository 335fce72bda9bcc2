import { STATUS_CODES } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import type { OpenAPIObject } from '@nestjs/swagger';
import { PROBLEMS_OF_WRITES } from '../../api/operation/documentation.js';
import { operationsIn } from './openapi-examples.js';

interface Response {
  readonly description: string;
  headers?: Record<string, object>;
}
interface Parameter {
  readonly name: string;
  readonly in: string;
}
interface OperationObject {
  parameters?: object[];
  responses: Record<string, object>;
}
type Kind = 'responses' | 'headers' | 'parameters';

/**
 * The same document, but with what its operations repeat under `components`, once: every problem, every header of an answer, and the
 * parameters that several operations take. Half of it would be repeated problems.
 */
export function withComponentsOnce(document: OpenAPIObject): OpenAPIObject {
  const components: Record<Kind, Record<string, object>> = { responses: {}, headers: {}, parameters: {}, ...document.components };
  const refer = (kind: Kind, name: string, part: object): object => {
    const known = (components[kind][name] ??= part);
    if (!isDeepStrictEqual(known, part)) throw new Error(`There are two ${kind} with the name ${name}, which differ.`);
    return { $ref: `#/components/${kind}/${name}` };
  };
  const operations = operationsIn<OperationObject>(document.paths);
  const all = [...operations, ...operationsIn<OperationObject>(document.webhooks ?? {})];
  const responses = operations.flatMap((operation) => Object.entries(operation.responses as Record<string, Response>));
  for (const [, response] of responses)
    for (const [name, header] of Object.entries(response.headers ?? {})) response.headers![name] = refer('headers', name, header);
  const nameOf = problemNames(responses);
  for (const operation of operations)
    for (const [status, response] of Object.entries(operation.responses as Record<string, Response>))
      if (Number(status) >= 400) operation.responses[status] = refer('responses', nameOf(status, response), response);
  const isTakenBySeveral = timesIn(all.flatMap(({ parameters = [] }) => parameters));
  for (const operation of all)
    operation.parameters &&= operation.parameters.map((parameter) =>
      isTakenBySeveral(parameter) ? refer('parameters', parameterName(parameter as Parameter), parameter) : parameter,
    );
  return Object.assign(document, { components });
}

function timesIn(parts: readonly object[]): (part: object) => boolean {
  const texts = parts.map((part) => JSON.stringify(part));
  return (part) => texts.filter((text) => text === JSON.stringify(part)).length > 1;
}

const codesOf = ({ description }: Response): string[] => [...description.matchAll(/`(\w+)`: /g)].map(([, code]) => code!);

/** `NotFound`, or with the codes that not every answer with this status has: `ConflictOrAlreadyExists`. */
function problemNames(responses: readonly [string, Response][]): (status: string, response: Response) => string {
  return (status, response) => {
    const withStatus = responses.filter(([other]) => other === status).map(([, other]) => codesOf(other));
    const special = codesOf(response).filter((code) => !withStatus.every((codes) => codes.includes(code)));
    const isOfWrite = (code: string): boolean => (PROBLEMS_OF_WRITES as readonly string[]).includes(code);
    const others = special.filter((code) => !isOfWrite(code)).map((code) => `Or${inWords(code, /_/)}`);
    const isOfDeprecated = response.headers?.Deprecation !== undefined;
    const what = [...(special.some(isOfWrite) ? ['OfWrite'] : []), ...(isOfDeprecated ? ['OfDeprecated'] : [])];
    return [inWords(STATUS_CODES[status]!, / /), ...what, ...others].join('');
  };
}

/** The header `webhook-id` is not the parameter `webhook_id`. */
const parameterName = ({ name, in: place }: Parameter): string => inWords(name, /[-_]/) + (place === 'header' ? 'Header' : '');

/** `already_exists` as `AlreadyExists`. */
const inWords = (name: string, separator: RegExp): string =>
  name
    .split(separator)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
