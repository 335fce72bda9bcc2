import { createHash, type KeyObject } from 'node:crypto';
import { nameIn, type PdfSigner, signPdf } from '../../../../tools/pdf-signatures/index.js';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { crc32, gzip as gzipWithCallback } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { newId } from '../../../kernel/ids.js';
import { Clock } from '../../../kernel/time.js';
import { allEntriesOf } from '../../../kernel/zip-archive.js';
import type { ReadContext, WriteContext } from '../../../store/database/unit-of-work.js';
import { type FileToKeep, ReportFilesRepository } from '../files/report-files.repository.js';
import { MANIFEST_PATH, MOST_MANIFEST_BYTES, MOST_PACKED_FILES, MOST_UNPACKED_BYTES, sha256Of } from '../outputs/evidence/verify-pack.js';
import { SIGNATURE_PATH, SIGNED_REPORT_PATH, signClaim } from '../outputs/evidence/verify-pack.js';
import type { SignedClaim } from '../outputs/evidence/verify-pack.js';
import { FILE_KINDS } from '../outputs/report-output.js';
import type { PackedFile } from '../outputs/report.js';
import { ReportsRepository } from '../reports.repository.js';
import { sizeOf } from '../report.entity.js';
import type { ClaimClosingPackDto } from './closing-parts.dto.js';
import type { ClaimClosing } from './closing.entity.js';
import { SigningKeysRepository } from './closings.repository.js';
import { SigningCertificates } from './signing-certificates.service.js';

const gzip = promisify(gzipWithCallback);

const END_BYTES = 22;
const LOCAL_HEADER = 0x04034b50;
const DIRECTORY_ENTRY = 0x02014b50;
const PART_BYTES = 1024 * 1024;

/** Adds the signature to a pack, and the signed report if there is a certificate. All other files of it stay as they are, byte for byte. */
async function signPack(
  pack: Buffer,
  claim: Omit<SignedClaim, 'manifest' | 'signedReport'>,
  { privateKey, signer }: { readonly privateKey: KeyObject; readonly signer: PdfSigner | undefined },
): Promise<{ readonly file: PackedFile; readonly pack: ClaimClosingPackDto }> {
  const limits = { files: MOST_PACKED_FILES + 1, unpackedBytes: MOST_UNPACKED_BYTES + MOST_MANIFEST_BYTES };
  const entries = allEntriesOf(pack, limits);
  const contentOf = (wanted: string): Buffer => entries.find(({ path }) => path === wanted)!.content();
  const manifest = contentOf(MANIFEST_PATH);
  const by = { at: new Date(claim.finalAt), name: claim.organization.name };
  const report = signer && signPdf(contentOf(FILE_KINDS.pdf.name), signer, by);
  const sha256 = createHash('sha256').update(manifest).digest('hex');
  const { schema, ...rest } = claim;
  const signedReport = report && { path: SIGNED_REPORT_PATH, bytes: report.length, sha256: sha256Of(report) };
  const signed = { schema, manifest: sha256, ...rest, ...(signedReport && { signedReport }) };
  const { file: content, ...signature } = signClaim(signed, privateKey);
  const withReport = report ? withEntry(pack, SIGNED_REPORT_PATH, report) : pack;
  const file = await packed(withEntry(withReport, SIGNATURE_PATH, content));
  const { keyId, publicKey, signature: inBase64 } = signature;
  const [own] = signer?.certificates ?? [];
  const certificate = own && { subject: nameIn(own.subject), sha256: sha256Of(own.raw) };
  const made = { sha256: file.sha256, signature: inBase64, keyId, publicKey, ...(certificate && { certificate }) };
  return { file, pack: made };
}

/** The ZIP archive with one more file, not compressed. It has the time of the first one: the same pack always makes the same bytes. */
function withEntry(archive: Buffer, path: string, content: Buffer): Buffer {
  const end = Buffer.from(archive.subarray(archive.length - END_BYTES));
  const [count, size, start] = [end.readUInt16LE(10) + 1, end.readUInt32LE(12), end.readUInt32LE(16)];
  const name = Buffer.from(path);
  // From the version that is needed up to the length of what follows the name, both headers have the same fields.
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  archive.copy(fields, 6, start + 12, start + 16);
  fields.writeUInt32LE(crc32(content), 10);
  fields.writeUInt32LE(content.length, 14);
  fields.writeUInt32LE(content.length, 18);
  fields.writeUInt16LE(name.length, 22);
  const directory = Buffer.concat([fields, Buffer.alloc(14)]);
  directory.writeUInt32LE(start, 36);
  const header = Buffer.concat([uint32(LOCAL_HEADER), fields, name, content]);
  const entry = Buffer.concat([uint32(DIRECTORY_ENTRY), Buffer.from([20, 0]), directory, name]);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(size + entry.length, 12);
  end.writeUInt32LE(start + header.length, 16);
  return Buffer.concat([archive.subarray(0, start), header, archive.subarray(start, start + size), entry, end]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** Compressed part by part by the threads of zlib, so that other calls go on. */
async function packed(content: Buffer): Promise<PackedFile> {
  const hash = createHash('sha256');
  const parts: Uint8Array[] = [];
  for (let at = 0; at < content.length; at += PART_BYTES) {
    const part = content.subarray(at, at + PART_BYTES);
    hash.update(part);
    parts.push(Uint8Array.from(await gzip(part, { level: 1 })));
  }
  return { bytes: content.length, sha256: hash.digest('hex'), gzip: parts };
}

export type FinalClaimFacts = Omit<SignedClaim, 'manifest' | 'schema' | 'finalAt' | 'closing'>;

/** A pack that was signed before the transaction that makes its claim final. */
export interface PreparedPack {
  readonly closing: string;
  readonly at: string;
  readonly facts: FinalClaimFacts;
  readonly pack: ClaimClosingPackDto;
  readonly bytes: number;
  readonly file: FileToKeep;
}

/** Signs the packs of final claims, and keeps them in the place of those that their runs have made. */
@Injectable()
export class FinalClaims {
  constructor(
    private readonly reports: ReportsRepository,
    private readonly files: ReportFilesRepository,
    private readonly keys: SigningKeysRepository,
    private readonly certificates: SigningCertificates,
    private readonly clock: Clock,
  ) {}

  /** Before the transaction, because the pack may be large or in a foreign store. undefined if the run has none. */
  async prepare(ctx: ReadContext, facts: FinalClaimFacts): Promise<PreparedPack | undefined> {
    const made = (await this.reports.get(ctx, facts.run))?.result?.outputs.find(({ format }) => format === 'evidence');
    const stored = made && (await this.files.open(ctx, facts.run, 'evidence'));
    if (!stored) return undefined;
    const content = await buffer(stored);
    if (sha256Of(content) !== made.sha256) throw new Error(`The evidence pack of run ${facts.run} is not the one that the run has made.`);
    const [closing, at] = [newId(), this.clock.timestamp()];
    const claim = { schema: 'claim-final/1', ...facts, closing, finalAt: at } as const;
    const keys = { privateKey: await this.keys.findOrMake(ctx), signer: await this.certificates.findSigner(ctx) };
    const { file, pack } = await signPack(content, claim, keys);
    const toKeep: FileToKeep = { format: 'evidence', gzip: file.gzip };
    // What no transaction claims is removed from the store.
    const [placed] = await this.files.placing(ctx, facts.run, [toKeep], (files) => Promise.resolve(files));
    return { closing, at, facts, pack, bytes: file.bytes, file: placed! };
  }

  /** Refuses a claim whose report would be signed by a certificate that has ended. */
  async requireCertificate(ctx: ReadContext): Promise<void> {
    await this.certificates.findSigner(ctx);
  }

  /** In the transaction, before the step is written: from then on the run never changes. */
  async keepPack(ctx: WriteContext, { reportId }: Pick<ClaimClosing, 'reportId'>, { file, bytes, pack }: PreparedPack): Promise<void> {
    await this.files.replace(ctx, reportId, file);
    const report = (await this.reports.lock({ ...ctx, expectation: undefined }, reportId))!;
    const outputs = report.result!.outputs.map((output) =>
      output.format === 'evidence' ? { ...output, bytes, sha256: pack.sha256 } : output,
    );
    const result = { ...report.result!, outputs };
    const after = { ...report, result, resultBytes: sizeOf(result), updatedAt: this.clock.after(report.updatedAt) };
    await this.reports.update(ctx, after, ['result', 'resultBytes', 'updatedAt']);
  }
}
