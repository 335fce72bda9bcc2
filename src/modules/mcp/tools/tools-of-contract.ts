import type { ToolDeclaration } from '../../../api/operation/operation.js';
import { snakeCase } from '../../../kernel/text.js';
import { DETAIL, detailInput } from './lean-lists.js';
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

/** To a parameter that several operations take. */
interface Reference {
  readonly $ref: string;
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>>;
  readonly 'x-scope'?: string;
  readonly 'x-plan'?: string;
  readonly 'x-tool'?: ToolDeclaration;
}

/** The parts of the OpenAPI document that tools are made from. */
export interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components?: { readonly schemas?: unknown; readonly parameters?: unknown };
}

type Components = { readonly schemas: Record<string, Schema>; readonly parameters: Record<string, Parameter> };

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

function toolOf(
  operation: DocumentedOperation,
  declared: ToolDeclaration,
  route: Route,
  { schemas, parameters: shared }: Components,
): Tool {
  const { name, risk, without = [], leavesOut = [] } = declared;
  const parameters = (operation.parameters ?? [])
    .map((parameter) => ('$ref' in parameter ? shared[parameter.$ref.split('/').at(-1)!]! : parameter))
    .filter((parameter) => parameter.in !== 'header' && !without.includes(parameter.name));
  const body = bodyOf(operation, without, schemas);
  const inputsIn = (part: 'path' | 'query'): string[] =>
    parameters.filter((parameter) => parameter.in === part).map(({ name: input }) => input);
  const confirmedBy = risk === 'read_only' ? undefined : risk === 'destructive' ? 'confirm_delete' : 'confirm';
  const inputs = inputSchema(parameters, body, { confirmedBy, ...declared }, schemas);
  return {
    name,
    risk,
    summary: operation.summary,
    scope: operation['x-scope'],
    plan: operation['x-plan'],
    capability: operation.operationId.split('.')[0]!,
    description: describe(operation, declared, body),
    inputSchema: inputs,
    listedInputs: listedInputs(inputs),
    outputSchema: outputSchemaOf(operation, schemas),
    ...route,
    pathInputs: inputsIn('path'),
    queryInputs: inputsIn('query'),
    bodyInputs: Object.fromEntries(Object.keys(body.properties).map((property) => [snakeCase(property), property])),
    leftOut: leavesOut,
    confirmedBy,
  };
}

interface Body {
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required: readonly string[];
}

function bodyOf({ requestBody }: DocumentedOperation, without: readonly string[], schemas: Record<string, Schema>): Body {
  const schema = requestBody?.content['application/json']?.schema;
  const { properties = {}, required = [] } = schema ? resolved(schema, schemas) : {};
  return { properties: Object.fromEntries(Object.entries(properties).filter(([property]) => !without.includes(property))), required };
}

const CONFIRM: Schema = { type: 'boolean', description: 'true, or it only shows what it would do.' };
const IDEMPOTENCY_KEY: Schema = {
  type: 'string',
  minLength: 1,
  maxLength: KEY_MAX_LENGTH,
  description: 'New for each call; the same to repeat it.',
};

function inputSchema(
  parameters: readonly Parameter[],
  body: Body,
  { confirmedBy, shows = [], leavesOut = [] }: Pick<Tool, 'confirmedBy'> & ToolDeclaration,
  schemas: Record<string, Schema>,
): ObjectSchema {
  const ofBody = ([property, schema]: [string, Schema]): [string, Schema] => {
    const input = withInputNames(inputOf(schema, schemas), body);
    return [snakeCase(property), shows.includes(property) ? { ...input, examples: [schema.example] } : input];
  };
  const properties = {
    ...Object.fromEntries(parameters.map(({ name, description, schema }) => [name, inputOf({ description, ...schema }, schemas)])),
    ...Object.fromEntries(Object.entries(body.properties).map(ofBody)),
    ...(leavesOut.length > 0 && { [DETAIL]: detailInput(leavesOut) }),
    ...(confirmedBy && { [confirmedBy]: CONFIRM }),
    ...(confirmedBy === 'confirm' && { idempotency_key: IDEMPOTENCY_KEY }),
  };
  const required = [
    ...parameters.filter((parameter) => parameter.required).map(({ name }) => name),
    ...body.required.map(snakeCase),
    ...(confirmedBy ? [confirmedBy] : []),
    ...(confirmedBy === 'confirm' ? ['idempotency_key'] : []),
  ];
  return { type: 'object', properties, required, additionalProperties: false };
}

const withInputNames = (schema: Schema, body: Body): Schema => ({ ...schema, description: inInputNames(schema.description ?? '', body) });

/** Texts of the API name the properties of its body; the model knows them by the names of the inputs. */
function inInputNames(text: string, { properties }: Body): string {
  return text.replace(/`(\w+)`/g, (quoted, name: string) => (name in properties ? `\`${snakeCase(name)}\`` : quoted));
}

const DELETED: Tool['outputSchema'] = { type: 'object', properties: { deleted: { const: true } } };

/** The record that a call has written has the fields of its body, too: they are not described twice. */
function outputSchemaOf(operation: DocumentedOperation, schemas: Record<string, Schema>): Tool['outputSchema'] {
  const { responses } = operation;
  const sent = bodyOf(operation, [], schemas).properties;
  const schema = (responses['200'] ?? responses['201'])?.content?.['application/json']?.schema;
  if (!schema) return DELETED;
  const { properties = {}, ...described } = outputOf(schema, schemas);
  const further = Object.entries(properties).filter(([property]) => !(property in sent));
  return { ...described, type: 'object', properties: Object.fromEntries(further) };
}

/** `claim_report.succeeded` */
const EVENT = /`[a-z_]+\.[a-z_]+`/;

/**
 * What the tool does and when to use it. Sentences about inputs that the tool lacks, about events, and about scope and plan are
 * left out: a model gets no events, and is listed only the tools it may use.
 */
function describe({ summary, description = '' }: DocumentedOperation, { hint, without = [] }: ToolDeclaration, body: Body): string {
  const sentences = description.replace(/\n*(Scope|Plan) `.*$/s, '').split(/(?<=\.) /);
  const about = sentences
    .filter((sentence) => !EVENT.test(sentence) && !without.some((name) => sentence.includes(`\`${name}\``)))
    .join(' ');
  return [`${summary}.`, hint, inInputNames(about, body)].filter(Boolean).join(' ');
}
