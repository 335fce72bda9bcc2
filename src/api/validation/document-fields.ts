import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { declaredFields, type FieldDeclaration } from './field.js';

const documented = new WeakSet<object>();

export function documentFields(): void {
  for (const [prototype, fields] of declaredFields) {
    if (documented.has(prototype)) continue;
    documented.add(prototype);
    for (const [name, declaration] of fields) ApiProperty(documentationOf(declaration))(prototype, name);
  }
}

function documentationOf({ about, schema, recordOf }: FieldDeclaration): ApiPropertyOptions {
  const { about: said, example, default: fallback, optional = false, nullable = false } = about;
  const description = recordOf ? `${said} Id of one of the ${recordOf.table.replaceAll('_', ' ')}.` : said;
  return { description, example, required: !optional, ...(nullable && { nullable }), default: fallback, ...schema } as ApiPropertyOptions;
}
