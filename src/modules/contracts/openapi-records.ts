import type { OpenAPIObject } from '@nestjs/swagger';

/** Ids of records that exist, by the parameter of the path that takes them: `project_id`. */
export type RecordIds = Readonly<Record<string, string>>;

interface Parameter {
  name: string;
  in: string;
  example?: unknown;
}
interface OperationObject {
  parameters?: Parameter[];
  requestBody?: { content?: Record<string, { example?: unknown }> };
}

/** Puts ids of records that exist into the examples of what is sent, so that the calls can be tried as they are. */
export function withRecordIds(document: OpenAPIObject, ids: RecordIds): OpenAPIObject {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path as Record<string, OperationObject>));
  const shared = Object.values(document.components?.parameters ?? {}) as Parameter[];
  for (const parameter of [...shared, ...operations.flatMap(({ parameters = [] }) => parameters)])
    if (parameter.in === 'path' && Object.hasOwn(ids, parameter.name)) parameter.example = ids[parameter.name];
  for (const media of operations.flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {})))
    media.example = withIds(media.example, ids);
  return document;
}

function withIds(example: unknown, ids: RecordIds): unknown {
  if (typeof example !== 'object' || example === null || Array.isArray(example)) return example;
  return Object.fromEntries(Object.entries(example).map(([name, value]) => [name, idFor(name, ids) ?? (value as unknown)]));
}

/** `reportConfigurationId` takes the same records as `configuration_id`. */
function idFor(property: string, ids: RecordIds): string | undefined {
  const name = property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.entries(ids).find(([parameter]) => name === parameter || name.endsWith(`_${parameter}`))?.[1];
}
