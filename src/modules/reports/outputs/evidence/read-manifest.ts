import { Ajv, type ErrorObject } from 'ajv';
import { JobFailure } from '../../../../kernel/failure.js';
import { isUuid } from '../../../../kernel/ids.js';
import { MANIFEST_PATH, MANIFEST_SCHEMA, type Manifest } from './manifest.js';
import { MOST_PACKED_FILES } from './pack-limits.js';

const TEXT = { type: 'string' };
const KNOWN_OR_NULL = { type: ['string', 'null'] };
const COUNT = { type: 'integer', minimum: 0 };
const SHA256 = { type: 'string', pattern: '^[0-9a-f]{64}$' };
const MONEY = { type: 'string', pattern: '^-?\\d{1,40}(\\.\\d{1,24})?$' };
const list = (items: object) => ({ type: 'array', maxItems: MOST_PACKED_FILES, items });
const object = (properties: Record<string, object>) => ({ type: 'object', properties, required: Object.keys(properties) });

const SCHEMA = object({
  schema: { const: MANIFEST_SCHEMA },
  run: { type: 'string', format: 'uuid' },
  madeAt: TEXT,
  organization: KNOWN_OR_NULL,
  project: KNOWN_OR_NULL,
  clientReference: KNOWN_OR_NULL,
  configuration: KNOWN_OR_NULL,
  engineVersion: TEXT,
  inputsHash: SHA256,
  period: { ...object({ start: TEXT, end: TEXT }), type: ['object', 'null'] },
  currency: KNOWN_OR_NULL,
  claimable: MONEY,
  files: list(object({ path: TEXT, bytes: COUNT, sha256: SHA256 })),
  statements: list(
    object({
      ...{ reference: TEXT, id: TEXT, fileName: KNOWN_OR_NULL, sha256: SHA256, periodStart: KNOWN_OR_NULL, periodEnd: KNOWN_OR_NULL },
      ...{ linesRead: COUNT, claimedItems: COUNT, claim: MONEY, files: list(TEXT) },
    }),
  ),
});

/** The manifest that a text has. Fails with the place that is wrong. */
export function readManifest(text: string): Manifest {
  const manifest = parsed(text);
  const validate = new Ajv({ strict: false, logger: false, formats: { uuid: isUuid } }).compile<Manifest>(SCHEMA);
  if (validate(manifest)) return manifest;
  throw malformed(sentenceOf(validate.errors![0]!));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed('it is no JSON');
  }
}

/** `files[3].sha256 must match pattern …` */
function sentenceOf({ instancePath, keyword, params, message = 'is wrong' }: ErrorObject): string {
  const place = instancePath
    .slice(1)
    .replace(/\/(\d+)(?=\/|$)/g, '[$1]')
    .replaceAll('/', '.');
  return `${place || 'it'} ${keyword === 'const' ? `must be ${String(params.allowedValue)}` : message}`;
}

const malformed = (what: string): JobFailure => new JobFailure('invalid_manifest', `${MANIFEST_PATH} is not well-formed: ${what}.`);
