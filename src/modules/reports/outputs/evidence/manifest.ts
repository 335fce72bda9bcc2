import { Ajv, type ErrorObject } from 'ajv';
import { pick } from '../../../../kernel/changes.js';
import { JobFailure } from '../../../../kernel/failure.js';
import { isUuid } from '../../../../kernel/ids.js';
import { formatMoney, minorDigitsOf } from '../../../../kernel/money.js';
import type { Computed } from '../../result.dto.js';
import type { Report, ReportAbout, ReportStatement } from '../report.js';
import type { StatementCounts } from './statement-lines.js';

export const MANIFEST_PATH = 'manifest.json';
export const MANIFEST_SCHEMA = 'claim-evidence/1';

export interface PackedFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** A statement, and the documents that show its lines. */
export interface ManifestStatement extends Pick<ReportStatement, 'reference' | 'id' | 'fileName' | 'periodStart' | 'periodEnd'> {
  /** Of the file that was imported. */
  readonly sha256: string;
  readonly linesRead: number;
  readonly claimedItems: number;
  /** Not rounded. */
  readonly claim: string;
  readonly files: readonly string[];
}

const NAMES = ['organization', 'project', 'clientReference', 'configuration'] as const;
const OF_RESULT = ['engineVersion', 'inputsHash', 'period', 'currency'] as const;

/** What an evidence pack contains: `manifest.json`. Its keys have the order of `manifestOf`. */
export interface Manifest extends Pick<ReportAbout, (typeof NAMES)[number]>, Pick<Computed, (typeof OF_RESULT)[number]> {
  readonly schema: typeof MANIFEST_SCHEMA;
  readonly run: string;
  readonly madeAt: string;
  readonly claimable: string;
  /** Every file of the pack but the manifest. */
  readonly files: readonly PackedFile[];
  readonly statements: readonly ManifestStatement[];
}

export function manifestOf({ about, result }: Report, files: readonly PackedFile[], statements: readonly ManifestStatement[]): Manifest {
  return {
    schema: MANIFEST_SCHEMA,
    run: about.runId,
    madeAt: about.startedAt,
    ...pick(about, NAMES),
    ...pick(result, OF_RESULT),
    claimable: result.totals.claimable,
    files,
    statements,
  };
}

export function manifestStatement(
  { result }: Report,
  statement: ReportStatement,
  { counts, claim }: StatementCounts,
  files: readonly string[],
): ManifestStatement {
  const { reference, id, fileName, sha256, periodStart, periodEnd, linesRead } = statement;
  const exact = formatMoney(claim, minorDigitsOf(result.currency));
  return { reference, id, fileName, sha256, periodStart, periodEnd, linesRead, claimedItems: counts.claimed, claim: exact, files };
}

/** What is written can be verified: both sides have these limits. */
export const MOST_PACKED_FILES = 20_000;
/** Without the manifest. */
export const MOST_UNPACKED_BYTES = 2 ** 31;
export const MOST_MANIFEST_BYTES = 16 * 1024 * 1024;

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
