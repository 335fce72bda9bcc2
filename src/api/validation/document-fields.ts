import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { declaredFields, type DeclaredField } from './fields.js';

const documented = new WeakSet<object>();

/** Tells @nestjs/swagger the fields of every class that was declared since the last call. */
export function documentFields(): void {
  for (const [type, fields] of declaredFields) {
    if (documented.has(type)) continue;
    documented.add(type);
    const { prototype } = type as { prototype: object };
    for (const [key, field] of fields) ApiProperty(documentationOf(field))(prototype, key);
  }
}

function documentationOf({ about, schema }: DeclaredField): ApiPropertyOptions {
  const { about: description, example, default: fallback, optional = false, nullable = false } = about;
  return { description, example, required: !optional, ...(nullable && { nullable }), default: fallback, ...schema } as ApiPropertyOptions;
}
