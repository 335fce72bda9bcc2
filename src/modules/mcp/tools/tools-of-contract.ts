import type { ToolDeclaration } from '../../../api/operation/operation.js';
import type { UserRole } from '../../../kernel/roles.js';
import { snakeCase } from '../../../kernel/text.js';
import { inputOf, listedInputs, outputOf, resolved } from './tool-schemas.js';
import type { ObjectSchema, Schema, Tool } from './tool.js';
import { KEY_MAX_LENGTH } from '../../../kernel/product.js';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly summary: string;
  /** Those that several operations take are referred to. */
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>>;
  readonly 'x-scope'?: string;
  readonly 'x-role'?: UserRole;
  readonly 'x-plan'?: string;
  readonly 'x-tool'?: ToolDeclaration;
}

/** The parts of the OpenAPI document that tools are made from. */
export interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components?: { readonly schemas?: unknown; readonly parameters?: unknown };
}

type Schemas = Readonly<Record<string, Schema>>;
type Components = { readonly schemas: Schemas; readonly parameters: Readonly<Record<string, Parameter>> };

/** All tools, in the order of the document. Made from it alone, so they always match the API. */
export function toolsOf({ paths, components }: Contract): Tool[] {
  const known = { schemas: {}, parameters: {}, ...components } as Components;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const documented = operation as DocumentedOperation;
      return documented['x-tool'] ? [toolOf(documented, documented['x-tool'], { method: method.toUpperCase(), path }, known)] : [];
    }),
  );
}

type Route = Pick<Tool, 'method' | 'path'>;

/** Parameters of lists that models do without: pages by their numbers are enough for them. */
const FOR_PROGRAMS = ['before'];

function toolOf(
  operation: DocumentedOperation,
  declared: ToolDeclaration,
  route: Route,
  { schemas, parameters: shared }: Components,
): Tool {
  const { name, risk, says, without = [], leavesOut = [] } = declared;
  const { operationId, summary, requestBody, parameters = [] } = operation;
  const taken = parameters
    .map((parameter) => ('$ref' in parameter ? shared[parameter.$ref.split('/').at(-1)!]! : parameter))
    .filter((parameter) => parameter.in !== 'header' && ![...without, ...FOR_PROGRAMS].includes(parameter.name));
  const takenIn = (part: 'path' | 'query'): string[] => taken.filter((one) => one.in === part).map((one) => one.name);
  const body = bodyOf(requestBody, schemas);
  const sent = Object.keys(body.properties).filter((property) => !without.includes(property));
  const confirmedBy = CONFIRMED_BY[risk];
  const inputSchema = objectOf([
    ...taken.map((one) => [one.name, inputOf({ description: one.description, ...one.schema }, schemas), one.required ?? false] as const),
    ...sent.map((property) => bodyInput(property, body, declared, schemas)),
    ...(leavesOut.length > 0 ? [[DETAIL, detailInput(leavesOut), false] as const] : []),
    ...(confirmedBy ? [[confirmedBy, CONFIRM, true] as const] : []),
    ...(confirmedBy === 'confirm' ? [['idempotency_key', IDEMPOTENCY_KEY, true] as const] : []),
  ]);
  return {
    name,
    risk,
    summary,
    scope: operation['x-scope'],
    role: operation['x-role'],
    plan: operation['x-plan'],
    capability: operationId.split('.')[0]!,
    description: `${summary}. ${says}`,
    inputSchema,
    listedInputs: listedInputs(inputSchema),
    outputSchema: outputSchemaOf(operation, body, schemas),
    operation: operationId,
    ...route,
    pathInputs: takenIn('path'),
    queryInputs: takenIn('query'),
    bodyInputs: Object.fromEntries(sent.map((property) => [snakeCase(property), property])),
    leftOut: leavesOut,
    confirmedBy,
  };
}

const CONFIRMED_BY = { read_only: undefined, write: 'confirm', destructive: 'confirm_delete' } as const;
const CONFIRM: Schema = { type: 'boolean', description: 'true, or it only shows what it would do.' };
const IDEMPOTENCY_KEY: Schema = {
  type: 'string',
  minLength: 1,
  maxLength: KEY_MAX_LENGTH,
  description: 'New for each call; the same to repeat it.',
};

/** The input that asks for what a lean list leaves out. It is for the tool: the API always answers with every field. */
export const DETAIL = 'detail';

function detailInput(leftOut: readonly string[]): Schema {
  return { type: 'string', enum: ['lean', 'full'], default: 'lean', description: `full: also ${leftOut.join(', ')}.` };
}

type Input = readonly [name: string, schema: Schema, isRequired: boolean];

const objectOf = (inputs: readonly Input[]): ObjectSchema => ({
  type: 'object',
  properties: Object.fromEntries(inputs.map(([name, schema]) => [name, schema])),
  required: inputs.filter(([, , isRequired]) => isRequired).map(([name]) => name),
  additionalProperties: false,
});

interface Body {
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required: readonly string[];
}

function bodyOf(requestBody: DocumentedOperation['requestBody'], schemas: Schemas): Body {
  const schema = requestBody?.content['application/json']?.schema;
  const { properties = {}, required = [] } = schema ? resolved(schema, schemas) : {};
  return { properties, required };
}

function bodyInput(property: string, { properties, required }: Body, { shows = [] }: ToolDeclaration, schemas: Schemas): Input {
  const schema = properties[property]!;
  const input = inputOf(schema, schemas);
  return [snakeCase(property), shows.includes(property) ? { ...input, examples: [schema.example] } : input, required.includes(property)];
}

const DELETED: Tool['outputSchema'] = { type: 'object', properties: { deleted: { const: true } } };

/** The record that a call has written has the fields of its body, too: they are not described twice. */
function outputSchemaOf({ responses }: DocumentedOperation, sent: Body, schemas: Schemas): Tool['outputSchema'] {
  const success = Object.keys(responses).find((status) => status.startsWith('2'));
  const schema = responses[success!]?.content?.['application/json']?.schema;
  if (!schema) return DELETED;
  const { properties = {}, ...described } = outputOf(schema, schemas);
  const further = Object.entries(properties).filter(([property]) => !(property in sent.properties));
  return { ...described, type: 'object', properties: Object.fromEntries(further) };
}
