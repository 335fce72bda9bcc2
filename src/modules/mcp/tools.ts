import type { ToolDeclaration } from '../../api/operation/operation.js';
import { snakeCase } from './names.js';
import { inputOf, outputOf, resolved } from './schemas.js';
import type { ObjectSchema, Schema, Tool } from './tool.js';

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
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>>;
  readonly 'x-scope'?: string;
  readonly 'x-plan'?: string;
  readonly 'x-tool'?: ToolDeclaration;
}

/** What tools are made of: the OpenAPI document, wherever it was got. */
export interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components?: { readonly schemas?: unknown };
}

/** All tools there are, in the order of the document: made of it and of nothing else, so they cannot differ from the API. */
export function toolsOf({ paths, components }: Contract): Tool[] {
  const schemas = (components?.schemas ?? {}) as Record<string, Schema>;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const documented = operation as DocumentedOperation;
      return documented['x-tool'] ? [toolOf(documented, documented['x-tool'], { method: method.toUpperCase(), path }, schemas)] : [];
    }),
  );
}

type Route = Pick<Tool, 'method' | 'path'>;

function toolOf(operation: DocumentedOperation, declared: ToolDeclaration, route: Route, schemas: Record<string, Schema>): Tool {
  const { name, risk, without = [] } = declared;
  const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in !== 'header' && !without.includes(parameter.name));
  const body = bodyOf(operation, without, schemas);
  const inputs = (place: string): string[] => parameters.filter((parameter) => parameter.in === place).map((parameter) => parameter.name);
  const confirmedBy = risk === 'read_only' ? undefined : risk === 'destructive' ? 'confirm_delete' : 'confirm';
  return {
    name,
    risk,
    summary: operation.summary,
    scope: operation['x-scope'],
    plan: operation['x-plan'],
    capability: operation.operationId.split('.')[0]!,
    description: describe(operation, declared, body),
    inputSchema: inputSchema(parameters, body, confirmedBy),
    outputSchema: answerOf(operation, schemas),
    ...route,
    pathInputs: inputs('path'),
    queryInputs: inputs('query'),
    bodyInputs: Object.fromEntries(Object.keys(body.properties).map((property) => [snakeCase(property), property])),
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

const CONFIRM: Schema = { type: 'boolean', description: 'true: do it; else a dry run.' };
const IDEMPOTENCY_KEY: Schema = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  description: 'New for each new thing, the same to repeat a call.',
};

function inputSchema(parameters: readonly Parameter[], body: Body, confirmedBy: Tool['confirmedBy']): ObjectSchema {
  const properties = {
    ...Object.fromEntries(parameters.map(({ name, description, schema }) => [name, inputOf({ description, ...schema })])),
    ...Object.fromEntries(
      Object.entries(body.properties).map(([property, schema]) => [snakeCase(property), withNames(inputOf(schema), body)]),
    ),
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

const withNames = (schema: Schema, body: Body): Schema => ({ ...schema, description: named(schema.description ?? '', body) });

/** Texts of the API name properties as the API does; a model knows them as inputs. */
function named(text: string, { properties }: Body): string {
  return text.replace(/`(\w+)`/g, (quoted, name: string) => (name in properties ? `\`${snakeCase(name)}\`` : quoted));
}

const DELETED: Tool['outputSchema'] = { type: 'object', properties: { deleted: { const: true } } };

function answerOf({ responses }: DocumentedOperation, schemas: Record<string, Schema>): Tool['outputSchema'] {
  const schema = (responses['200'] ?? responses['201'])?.content?.['application/json']?.schema;
  return schema ? { ...outputOf(schema, schemas), type: 'object' } : DELETED;
}

/** `claim_report.succeeded` */
const EVENT = /`[a-z_]+\.[a-z_]+`/;

/**
 * What it does and when to use it; not what is said of inputs that the tool does not have or of events, which no model is told, and not
 * the scope, since a model is shown only what it may do.
 */
function describe({ summary, description = '' }: DocumentedOperation, { risk, hint, without = [] }: ToolDeclaration, body: Body): string {
  const sentences = description.replace(/\n*(Scope|Plan) `.*$/s, '').split(/(?<=\.) /);
  const about = sentences
    .filter((sentence) => !EVENT.test(sentence) && !without.some((name) => sentence.includes(`\`${name}\``)))
    .join(' ');
  const note = risk === 'read_only' ? '' : 'Unconfirmed, it only shows what it would send.';
  return [`${summary}.`, hint, named(about, body), note].filter(Boolean).join(' ');
}
