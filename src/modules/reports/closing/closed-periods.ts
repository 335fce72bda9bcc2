import { Injectable } from '@nestjs/common';
import { Problem } from '../../../kernel/problems.js';
import type { WriteContext } from '../../../store/database/unit-of-work.js';
import { Implements } from '../../../store/discovery/ports.js';
import { PeriodGuard } from '../../projects/index.js';
import type { DateRange } from '../engine/inputs.js';
import type { ClaimClosing } from './closing.entity.js';
import { ClosingsRepository } from './closings.repository.js';

/** Final claims lock their days of their project. */
@Implements(PeriodGuard)
@Injectable()
export class ClosedPeriods implements PeriodGuard {
  constructor(private readonly closings: ClosingsRepository) {}

  /** Refuses what would be about days of a final claim. To be called in the transaction of the change: no claim becomes final meanwhile. */
  requireOpen(ctx: WriteContext, projectId: string, period: DateRange): Promise<void> {
    return this.refuse(ctx, projectId, period, () => true);
  }

  requireOpenDays(ctx: WriteContext, projectId: string, days: readonly string[]): Promise<void> {
    const [start, end] = [days.toSorted()[0]!, days.toSorted().at(-1)!];
    return this.refuse(ctx, projectId, { start, end }, ({ periodStart, periodEnd }) =>
      days.some((day) => day >= periodStart && day <= periodEnd),
    );
  }

  private async refuse(ctx: WriteContext, projectId: string, period: DateRange, isHit: (final: ClaimClosing) => boolean): Promise<void> {
    await this.closings.shareProject(ctx, projectId);
    const finals = await this.closings.findFinals(ctx, projectId, period);
    const found = finals.find((final) => !final.isReopened && isHit(final));
    if (found) throw finalClaim(found, 'Reopen it, or correct it by another run.');
  }
}

export const finalClaim = ({ id, version, periodStart, periodEnd }: ClaimClosing, advice: string): Problem =>
  new Problem('claim_final', {
    detail: `The claim from ${periodStart} to ${periodEnd} of the project is final (claim closing ${id}, version ${version}). ${advice}`,
    conflictingId: id,
  });
