import { Ajv, type ErrorObject } from 'ajv';
import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { pick } from '../../../../kernel/changes.js';
import { JobFailure } from '../../../../kernel/failure.js';
import { isUuid } from '../../../../kernel/ids.js';
import { formatMoney, minorDigitsOf } from '../../../../kernel/money.js';
import { allEntriesOf, type ZipEntry } from '../../../../kernel/zip-archive.js';
import type { Computed } from '../../result.dto.js';
import type { Report, ReportAbout, ReportStatement } from '../report.js';
import type { StatementCounts } from './statement-pdf.js';

export const MANIFEST_PATH = 'manifest.json';
const MANIFEST_SCHEMA = 'claim-evidence/1';

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

const PACKED_FILE = object({ path: TEXT, bytes: COUNT, sha256: SHA256 });

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
  files: list(PACKED_FILE),
  statements: list(
    object({
      ...{ reference: TEXT, id: TEXT, fileName: KNOWN_OR_NULL, sha256: SHA256, periodStart: KNOWN_OR_NULL, periodEnd: KNOWN_OR_NULL },
      ...{ linesRead: COUNT, claimedItems: COUNT, claim: MONEY, files: list(TEXT) },
    }),
  ),
});

/** The manifest that a text has. Fails with the place that is wrong. */
function readManifest(text: string): Manifest {
  const manifest = parsedJson(text);
  if (manifest === undefined) throw malformed('it is no JSON');
  const validate = new Ajv({ strict: false, logger: false, formats: { uuid: isUuid } }).compile<Manifest>(SCHEMA);
  if (validate(manifest)) return manifest;
  throw malformed(sentenceOf(validate.errors![0]!));
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

/** What differs from the manifest. The message names the file. */
export interface PackFinding {
  readonly path: string;
  readonly message: string;
}

export interface VerifiedPack {
  readonly sha256: string;
  /** null if it is damaged or not well-formed, which a finding says. */
  readonly manifest: Manifest | null;
  /** null if it has none, or one that does not fit, which a finding says. */
  readonly signature: PackSignature | null;
  /** None if every file is as the manifest says. */
  readonly findings: readonly PackFinding[];
}

/** Relative, without `..`, and without characters that a terminal or another system would read in its own way. */
const PATH = /^[A-Za-z0-9][\w.-]{0,99}(?:\/[A-Za-z0-9][\w.-]{0,99}){0,3}$/;

export const sha256Of = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

/**
 * Compares each file of an evidence pack with the manifest. Fails if the file is no evidence pack, or one that nobody should unpack.
 * Who changes a file can change the manifest, too: only the hash of the whole pack, in the run, proves where it comes from.
 */
export function verifyPack(pack: Buffer): VerifiedPack {
  const entries = allEntriesOf(pack, { files: MOST_PACKED_FILES + 3, unpackedBytes: MOST_UNPACKED_BYTES + 2 * MOST_MANIFEST_BYTES });
  for (const entry of entries) requireHarmless(entry);
  const sha256 = sha256Of(pack);
  const found = entries.find(({ path }) => path === MANIFEST_PATH);
  if (!found) throw new JobFailure('not_an_evidence_pack', `It is no evidence pack: it has no ${MANIFEST_PATH}.`);
  try {
    const bytes = unpacked(found);
    const manifest = readManifest(bytes.toString());
    const signature = signatureOf(entries, { bytes, run: manifest.run });
    const wrong = typeof signature === 'string' ? [{ path: SIGNATURE_PATH, message: signature }] : [];
    const fitting = typeof signature === 'string' ? null : signature;
    const signedReport = fitting?.claim.signedReport;
    const files = signedReport ? [...manifest.files, signedReport] : manifest.files;
    return { sha256, manifest, signature: fitting, findings: [...differences({ ...manifest, files }, entries), ...wrong] };
  } catch (error) {
    if (!(error instanceof JobFailure)) throw error;
    return { sha256, manifest: null, signature: null, findings: [{ path: MANIFEST_PATH, message: error.message }] };
  }
}

/** The signature of the pack of a final claim; null if it has none, a text if it does not fit. */
function signatureOf(entries: readonly ZipEntry[], manifest: Parameters<typeof readSignature>[1]): PackSignature | string | null {
  const found = entries.find(({ path }) => path === SIGNATURE_PATH);
  if (!found) return null;
  return found.size > MOST_SIGNATURE_BYTES ? `${SIGNATURE_PATH} is too large.` : readSignature(unpacked(found).toString(), manifest);
}

function requireHarmless({ path, size, isEncrypted }: ZipEntry): void {
  if (!PATH.test(path))
    throw new JobFailure(
      'invalid_archive',
      `The archive has a file with a name that is not allowed: ${JSON.stringify(path.slice(0, 100))}.`,
    );
  if (isEncrypted) throw new JobFailure('invalid_archive', `${path} is encrypted.`);
  if (path === MANIFEST_PATH && size > MOST_MANIFEST_BYTES)
    throw new JobFailure('invalid_archive', `${path} is larger than ${MOST_MANIFEST_BYTES} bytes.`);
}

function* differences({ files, statements }: Manifest, entries: readonly ZipEntry[]): Iterable<PackFinding> {
  const listed = new Map(files.map((file) => [file.path, file]));
  const seen = new Set<string>();
  for (const entry of entries) {
    const { path } = entry;
    const file = listed.get(path);
    if (seen.has(path)) yield { path, message: `${path} is in the pack more than once.` };
    else if (file) yield* differenceOf(entry, file);
    else if (path !== MANIFEST_PATH && path !== SIGNATURE_PATH) yield { path, message: `${path} is in the pack, but not in the manifest.` };
    seen.add(path);
  }
  if (listed.size < files.length) yield { path: MANIFEST_PATH, message: `${MANIFEST_PATH} lists a file more than once.` };
  for (const { path } of files) if (!seen.has(path)) yield { path, message: `${shown(path)} is missing.` };
  for (const path of statements.flatMap((statement) => statement.files))
    if (!listed.has(path)) yield { path, message: `${MANIFEST_PATH} names ${shown(path)} for a statement, but does not list it.` };
}

function* differenceOf(entry: ZipEntry, { path, bytes, sha256 }: PackedFile): Iterable<PackFinding> {
  try {
    const content = unpacked(entry);
    const actual = sha256Of(content);
    if (actual !== sha256) yield { path, message: `${path} was changed: its SHA-256 is ${actual} and the manifest says ${sha256}.` };
    else if (content.length !== bytes) yield { path, message: `${path} has ${content.length} bytes and the manifest says ${bytes}.` };
  } catch (error) {
    if (!(error instanceof JobFailure)) throw error;
    yield { path, message: error.message };
  }
}

function unpacked({ path, content }: ZipEntry): Buffer {
  try {
    return content();
  } catch (error) {
    if (!(error instanceof JobFailure)) throw error;
    throw new JobFailure(error.code, `${path} is damaged: it cannot be unpacked as the archive describes it.`);
  }
}

/** A path of the manifest may be any text. */
const shown = (path: string): string => (PATH.test(path) ? path : JSON.stringify(path.slice(0, 100)));

export const SIGNATURE_PATH = 'signature.json';
export const SIGNED_REPORT_PATH = 'report-signed.pdf';
const MOST_SIGNATURE_BYTES = 64 * 1024;

/** What an organization signs: that the claim of a pack is final, and which pack that is. */
export interface SignedClaim {
  readonly schema: 'claim-final/1';
  /** SHA-256 of `manifest.json`, which has that of every other file. */
  readonly manifest: string;
  readonly organization: { readonly id: string; readonly name: string };
  readonly environment: string;
  readonly project: string;
  readonly run: string;
  /** The claim closing by which it became final. */
  readonly closing: string;
  readonly version: number;
  readonly period: { readonly start: string; readonly end: string };
  readonly inputsHash: string;
  readonly reviewedBy: string;
  readonly approvedBy: string;
  readonly finalBy: string;
  readonly finalAt: string;
  /** The report as a PDF that is signed by a certificate of the organization, if it has one. */
  readonly signedReport?: PackedFile;
}

/** `signature.json`. What is signed stands in it as a text, so that nobody has to write JSON in the same way to verify it. */
interface SignatureFile {
  readonly schema: 'claim-signature/1';
  readonly algorithm: 'Ed25519';
  readonly keyId: string;
  /** SPKI in Base64. */
  readonly publicKey: string;
  readonly signed: string;
  readonly signature: string;
}

export interface PackSignature extends Pick<SignatureFile, 'keyId' | 'publicKey'> {
  readonly claim: SignedClaim;
}

const keyIdOf = (spki: Uint8Array): string => sha256Of(spki).slice(0, 16);

export function signClaim(
  claim: SignedClaim,
  privateKey: KeyObject,
): { readonly file: Buffer } & Omit<SignatureFile, 'schema' | 'algorithm'> {
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  const signed = JSON.stringify(claim);
  const signature = sign(null, Buffer.from(signed), privateKey).toString('base64');
  const parts = { keyId: keyIdOf(spki), publicKey: spki.toString('base64'), signed, signature };
  const content: SignatureFile = { schema: 'claim-signature/1', algorithm: 'Ed25519', ...parts };
  return { file: Buffer.from(`${JSON.stringify(content, null, 2)}\n`), ...parts };
}

const FILLED = { type: 'string', minLength: 1 };
const SIGNATURE = object({
  ...{ schema: { const: 'claim-signature/1' }, algorithm: { const: 'Ed25519' }, keyId: FILLED, publicKey: FILLED },
  ...{ signed: FILLED, signature: FILLED },
});
const CLAIM = object({
  ...{
    schema: { const: 'claim-final/1' },
    manifest: FILLED,
    organization: object({ id: FILLED, name: { type: 'string' } }),
    environment: FILLED,
  },
  ...{ project: FILLED, run: FILLED, closing: FILLED, version: { type: 'integer' }, period: object({ start: FILLED, end: FILLED }) },
  ...{ inputsHash: FILLED, reviewedBy: FILLED, approvedBy: FILLED, finalBy: FILLED, finalAt: FILLED },
});
const SIGNED_CLAIM = { ...CLAIM, properties: { ...CLAIM.properties, signedReport: PACKED_FILE } };
const isOf = <Read>(schema: object, value: unknown): value is Read => new Ajv().validate<Read>(schema, value);

/** The signature of a pack with this manifest; a text if it does not fit: what is wrong. */
function readSignature(content: string, manifest: { readonly bytes: Uint8Array; readonly run: string }): PackSignature | string {
  const file = parsedJson(content);
  if (!isOf<SignatureFile>(SIGNATURE, file)) return `${SIGNATURE_PATH} is not well-formed.`;
  const spki = Buffer.from(file.publicKey, 'base64');
  if (keyIdOf(spki) !== file.keyId)
    return `${SIGNATURE_PATH} names the key ${JSON.stringify(file.keyId.slice(0, 16))}, but has another one.`;
  if (!fits(file, spki)) return 'The signature does not fit what is signed: one of the two was changed.';
  const claim = parsedJson(file.signed);
  if (!isOf<SignedClaim>(SIGNED_CLAIM, claim)) return `What ${SIGNATURE_PATH} signs is no final claim.`;
  if (claim.manifest !== sha256Of(manifest.bytes) || claim.run !== manifest.run) return 'The signature is that of another pack.';
  const { keyId, publicKey } = file;
  return { claim, keyId, publicKey };
}

function fits({ signed, signature }: SignatureFile, spki: Buffer): boolean {
  try {
    const key = createPublicKey({ key: spki, format: 'der', type: 'spki' });
    return key.asymmetricKeyType === 'ed25519' && verify(null, Buffer.from(signed), key, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
