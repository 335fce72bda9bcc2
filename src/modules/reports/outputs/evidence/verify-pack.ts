import { createHash } from 'node:crypto';
import { JobFailure } from '../../../../kernel/failure.js';
import { allEntriesOf, type ZipEntry } from '../../../../kernel/zip-archive.js';
import { MANIFEST_PATH, MOST_MANIFEST_BYTES, MOST_PACKED_FILES, MOST_UNPACKED_BYTES, readManifest } from './manifest.js';
import type { Manifest, PackedFile } from './manifest.js';
import { MOST_SIGNATURE_BYTES, type PackSignature, readSignature, SIGNATURE_PATH } from './pack-signature.js';

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
  const entries = allEntriesOf(pack, { files: MOST_PACKED_FILES + 2, unpackedBytes: MOST_UNPACKED_BYTES + 2 * MOST_MANIFEST_BYTES });
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
    return { sha256, manifest, signature: fitting, findings: [...differences(manifest, entries), ...wrong] };
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
