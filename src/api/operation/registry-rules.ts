import { type CapabilityDeclaration, isAction, type Method, type RegisteredOperation, type Risk } from './operation.js';
import { fieldsOf, type FieldDeclaration } from '../validation/field.js';
import { deprecationProblem } from './deprecation.js';
import { isDeclared } from '../../kernel/declare-event.js';

const RISK_OF_METHOD: Record<Method, Risk> = { GET: 'read_only', POST: 'write', PATCH: 'write', DELETE: 'destructive' };
/** A scope ends with what it allows: `claim_projects:read`. */
const SCOPE_OF_METHOD: Record<Method, string> = { GET: ':read', POST: ':write', PATCH: ':write', DELETE: ':delete' };
/** Texts of tools and descriptions stand between other sentences. */
const SENTENCE = /^[A-Z].*\.$/;

export function declarationProblems(operations: readonly RegisteredOperation[]): string[] {
  const ids = operations.map(({ id }) => id);
  const tools = operations.flatMap(({ tool }) => tool?.name ?? []);
  const routes = operations.map(({ method, path }) => `${method} ${path}`);
  const twice = [...repeated('operation id', ids), ...repeated('tool', tools), ...repeated('route', routes)];
  return [...operations.flatMap(operationProblems), ...twice];
}

export function descriptionProblems(
  capabilities: readonly string[],
  descriptions: readonly (readonly [capability: string, CapabilityDeclaration])[],
): string[] {
  const described = descriptions.map(([capability]) => capability);
  const missing = capabilities.filter((capability) => !described.includes(capability));
  const bad = descriptions.filter(([, { about }]) => !SENTENCE.test(about));
  return [
    ...missing.map((capability) => `The capability ${capability} has no @Capability at its controller.`),
    ...bad.map(
      ([capability]) => `The capability ${capability} is described by no sentence: it begins with a capital and ends with a full stop.`,
    ),
    ...repeated('capability', described),
  ];
}

function operationProblems(operation: RegisteredOperation): string[] {
  const { id, scope, capability, tool, method, body, query } = operation;
  const problems = eventProblems(id, operation.emits);
  if (!/^[a-z_]+\.[a-z_]+$/.test(id)) problems.push(`${id} is no operation id: capability.action is expected.`);
  if (scope && scope.split(':')[0] !== capability) problems.push(`${id} has the scope ${scope}, which names another resource.`);
  if (scope && !scope.endsWith(SCOPE_OF_METHOD[method]))
    problems.push(`${id} is ${method}, so its scope ${scope} must end with ${SCOPE_OF_METHOD[method]}.`);
  if (operation.summary.trim() === '') problems.push(`${id} has no summary.`);
  if (!SENTENCE.test(operation.description))
    problems.push(`${id} has a description that is no sentence: a capital letter first and a full stop last are expected.`);
  if (tool && tool.risk !== RISK_OF_METHOD[method])
    problems.push(`${id} is ${method}, so the risk of its tool is ${RISK_OF_METHOD[method]}.`);
  if (tool && operation.effects)
    problems.push(`${id} has effects outside of its transaction, so it is no tool: they would come before an agreement.`);
  if (tool && !SENTENCE.test(tool.says))
    problems.push(`${id} has a tool whose text is no sentence: a capital letter first and a full stop last are expected.`);
  problems.push(...fileProblems(operation), ...statusProblems(operation));
  const early = operation.deprecated && deprecationProblem(operation.deprecated);
  if (early) problems.push(`${id} ${early}.`);
  if (operation.needsKey && !body && !isAction(operation)) problems.push(`${id} takes no body class: @Body() input: SomeDto is expected.`);
  if (method === 'GET' && operation.emits.length > 0) problems.push(`${id} is a read and emits events.`);
  problems.push(...boundlessLists(operation));
  for (const type of [body, query])
    if ((type as unknown) === Object) problems.push(`${id} has a parameter without a class: its import must not be a type import.`);
  return problems;
}

/** A list of a request without a bound would only end with the body. Each of a `SetOf` is there once. */
function boundlessLists({ id, body }: RegisteredOperation): string[] {
  const isBoundless = ({ type, maxItems }: FieldDeclaration['schema']): boolean =>
    (Array.isArray(type) || type === 'array') && maxItems === undefined;
  return [...(body ? fieldsOf(body.prototype as object) : [])]
    .filter(([, { schema }]) => isBoundless(schema))
    .map(([name]) => `${id} takes ${name}, a list without a bound: \`max\` is expected.`);
}

/** A record that a POST makes is a 201, so that its caller is told where it is. */
function statusProblems({ id, method, status, returns, returnsFile }: RegisteredOperation): string[] {
  const possible = !returns && !returnsFile ? [204] : method === 'POST' ? [200, 201, 202] : [200];
  return possible.includes(status) ? [] : [`${id} answers ${status}, but ${possible.join(', ')} is expected.`];
}

function fileProblems({ id, method, returns, returnsFile, fileParam }: RegisteredOperation): string[] {
  if (!returnsFile) return fileParam === undefined ? [] : [`${id} has the path parameter ${fileParam}, which is no id.`];
  if (fileParam === undefined) return [`${id} returns a file, but its path has no parameter for its kind.`];
  return returns || method !== 'GET' ? [`${id} returns a file, so it is a GET without a body in \`returns\`.`] : [];
}

function eventProblems(owner: string, emits: RegisteredOperation['emits']): string[] {
  return emits.flatMap((event) => {
    if (!isDeclared(event)) return [`${owner} emits an event that no one declared.`];
    return event.status === 'emitted' ? [] : [`${owner} emits ${event.kind}, which is ${event.status}.`];
  });
}

function repeated(what: string, values: readonly string[]): string[] {
  const twice = values.filter((value, index) => values.indexOf(value) !== index);
  return [...new Set(twice)].map((value) => `The ${what} ${value} is declared twice.`);
}
