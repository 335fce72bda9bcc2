import { buffer } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import { newId } from '../../../kernel/ids.js';
import { Clock } from '../../../kernel/time.js';
import type { ReadContext, WriteContext } from '../../../store/database/unit-of-work.js';
import { type FileToKeep, ReportFilesRepository } from '../files/report-files.repository.js';
import type { SignedClaim } from '../outputs/evidence/pack-signature.js';
import { sha256Of } from '../outputs/evidence/verify-pack.js';
import { ReportsRepository } from '../reports.repository.js';
import { sizeOf } from '../result-size.js';
import type { ClaimClosing } from './closing.entity.js';
import type { ClaimClosingPackDto } from './closing-parts.dto.js';
import { signPack } from './signed-pack.js';
import { SigningKeysRepository } from './signing-keys.repository.js';

/** What a final claim says of itself in its signature. */
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
    const { file, pack } = await signPack(content, claim, await this.keys.findOrMake(ctx));
    const toKeep: FileToKeep = { format: 'evidence', gzip: file.gzip };
    // What no transaction claims is removed from the store.
    const [placed] = await this.files.placing(ctx, facts.run, [toKeep], (files) => Promise.resolve(files));
    return { closing, at, facts, pack, bytes: file.bytes, file: placed! };
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
