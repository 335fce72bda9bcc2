import { createHash } from 'node:crypto';
import { JobFailure } from '../../../../kernel/failure.js';
import { endingOf } from '../../receipts/receipt-types.js';
import type { ClaimReportReceiptDto } from '../../result.dto.js';
import type { FileSink, ReceiptParts, Report, ReportStatement } from '../report.js';
import { ZipFile, type ZipEntry } from '../zip-file.js';
import { MANIFEST_PATH, manifestOf, manifestStatement, MOST_MANIFEST_BYTES, MOST_PACKED_FILES } from './verify-pack.js';
import { MOST_UNPACKED_BYTES } from './verify-pack.js';
import type { ManifestStatement, PackedFile } from './verify-pack.js';
import { countsOf, OUTCOMES, type StatementCounts, StatementLines, writeStatementPdf } from './statement-pdf.js';

/** More lines would make a document that takes more memory than a worker has. */
export const MOST_LINES = 5_000;

/** The evidence of a run: its files, each statement as a document, and a manifest with the hashes of all. Written file by file. */
export class EvidencePack {
  private readonly zip: ZipFile;
  private readonly files: PackedFile[] = [];
  private unpacked = 0;

  constructor(
    private readonly report: Report,
    to: FileSink,
  ) {
    this.zip = new ZipFile(to, { modified: noonOf(report.about.startedAt), level: 6 });
  }

  /** A file of the pack, which ends before the next one begins. */
  entry(path: string): ZipEntry {
    if (this.files.length >= MOST_PACKED_FILES) throw tooLarge();
    const entry = this.zip.entry(path);
    const hash = createHash('sha256');
    let bytes = 0;
    return {
      add: (chunk) => {
        bytes += chunk.length;
        this.unpacked += chunk.length;
        if (this.unpacked > MOST_UNPACKED_BYTES) throw tooLarge();
        hash.update(chunk);
        entry.add(chunk);
      },
      end: () => {
        entry.end();
        this.files.push({ path, bytes, sha256: hash.digest('hex') });
      },
    };
  }

  async finish(receiptFiles: ReceiptParts): Promise<void> {
    await this.addReceipts(receiptFiles);
    const counts = countsOf(this.report);
    const lines = new StatementLines(this.report);
    const statements: ManifestStatement[] = [];
    for (const [index, statement] of this.report.statements.entries()) {
      requireEveryLine(statement, counts[index]!);
      const paths = await this.addStatement(statement, counts[index]!, lines);
      statements.push(manifestStatement(this.report, statement, counts[index]!, paths));
    }
    const manifest = Buffer.from(`${JSON.stringify(manifestOf(this.report, this.files, statements), null, 2)}\n`);
    if (manifest.length > MOST_MANIFEST_BYTES) throw tooLarge();
    const entry = this.zip.entry(MANIFEST_PATH);
    entry.add(manifest);
    entry.end();
    this.zip.end();
  }

  /** Each under the name that items have it by. Its hash in the manifest is that of the record. */
  private async addReceipts(receiptFiles: ReceiptParts): Promise<void> {
    let open: { readonly receipt: ClaimReportReceiptDto; readonly entry: ZipEntry } | undefined;
    const close = (): void => {
      open?.entry.end();
      if (open && this.files.at(-1)!.sha256 !== open.receipt.sha256) throw lost(open.receipt);
    };
    for await (const { index, bytes } of receiptFiles) {
      const receipt = this.report.result.receipts![index]!;
      if (open?.receipt !== receipt) {
        close();
        open = { receipt, entry: this.entry(`receipts/${receipt.reference}.${endingOf(receipt.mediaType)}`) };
      }
      open.entry.add(bytes);
    }
    close();
  }

  private async addStatement(statement: ReportStatement, counts: StatementCounts, lines: StatementLines): Promise<string[]> {
    const parts = Math.max(1, Math.ceil(counts.shown / MOST_LINES));
    const paths: string[] = [];
    for (let part = 1; part <= parts; part += 1) {
      const path = `statements/${statement.reference}${parts > 1 ? `-${part}` : ''}.pdf`;
      const own = lines.take(statement.id, MOST_LINES);
      const entry = this.entry(path);
      await writeStatementPdf(this.report, { statement, counts, lines: own, part, parts }, entry);
      entry.end();
      paths.push(path);
    }
    return paths;
  }
}

const tooLarge = (): JobFailure =>
  new JobFailure(
    'file_too_large',
    `An evidence pack has at most ${MOST_PACKED_FILES} files, and ${MOST_UNPACKED_BYTES} bytes when unpacked. Report a shorter period.`,
  );

/** Somebody has withdrawn it meanwhile. */
const lost = ({ reference }: ClaimReportReceiptDto): JobFailure =>
  new JobFailure('receipt_removed', `The file of receipt ${reference} was removed while the pack was made. Make the report again.`);

/** ZIP has local times. Noon exists on every day everywhere, so the bytes do not depend on the time zone. */
function noonOf(instant: string): Date {
  const [year, month, day] = instant.slice(0, 10).split('-').map(Number) as [number, number, number];
  return new Date(year, month - 1, day, 12);
}

function requireEveryLine({ reference, linesRead }: ReportStatement, { counts }: StatementCounts): void {
  const found = OUTCOMES.reduce((sum, outcome) => sum + counts[outcome], 0);
  if (found !== linesRead) throw new Error(`The evidence pack has ${found} lines of ${reference}, but the run has read ${linesRead}.`);
}
