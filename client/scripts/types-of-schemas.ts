/** A schema as the OpenAPI document has it. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  'x-extensible-enum'?: unknown[];
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  description?: string;
  format?: string;
}

const INDENT = '  ';

export const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);
const isPlainName = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name);
const literal = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value));
const union = (types: readonly string[]): string => [...new Set(types)].join(' | ');

export function comment(text: string | undefined, indent = ''): string {
  if (!text) return '';
  const lines = text.replaceAll('*/', '*\\/').split('\n').flatMap(wrapped);
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}

/** Lines of a comment that fit, however deep they stand. */
function wrapped(text: string): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    if (lines.at(-1)!.length + word.length > 110) lines.push(word);
    else lines.push(`${lines.pop()!} ${word}`.trimStart());
  }
  return lines;
}

/** The members of an object as lines, without the braces. */
export function members({ properties = {}, required = [], additionalProperties }: Schema, indent: string): string {
  const lines = Object.entries(properties).map(([name, schema]) => {
    const key = isPlainName(name) ? name : `'${name}'`;
    return `${comment(schema.description, indent)}${indent}${key}${required.includes(name) ? '' : '?'}: ${typeOf(schema, indent)};\n`;
  });
  if (additionalProperties === true) lines.push(`${indent}[key: string]: unknown;\n`);
  return lines.join('');
}

function objectType(schema: Schema, indent: string): string {
  if (schema.properties) return `{\n${members(schema, indent + INDENT)}${indent}}`;
  const { additionalProperties: other } = schema;
  return `Record<string, ${typeof other === 'object' ? typeOf(other, indent) : 'unknown'}>`;
}

function namedType(type: string, schema: Schema, indent: string): string {
  if (type === 'object') return objectType(schema, indent);
  if (type === 'array') return `Array<${schema.items ? typeOf(schema.items, indent) : 'unknown'}>`;
  if (schema.format === 'binary') return 'Blob';
  return type === 'integer' ? 'number' : type;
}

/** The TypeScript type of a schema. */
export function typeOf(schema: Schema, indent = ''): string {
  if (schema.$ref) return nameOf(schema.$ref);
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return union(schema.enum.map(literal));
  // A list that grows: today's values complete in an editor, and any text is allowed.
  if (schema['x-extensible-enum'])
    return union([...schema['x-extensible-enum'].map(literal), '(string & {})', ...(schema.type?.includes('null') ? ['null'] : [])]);
  if (schema.allOf) return schema.allOf.map((one) => typeOf(one, indent)).join(' & ');
  const either = schema.anyOf ?? (schema.properties ? undefined : schema.oneOf);
  if (either) return union(either.map((one) => typeOf(one, indent)));
  if (schema.type === undefined) return schema.properties ? objectType(schema, indent) : 'unknown';
  return union([schema.type].flat().map((type) => namedType(type, schema, indent)));
}
