import { Injectable } from '@nestjs/common';
import { inWords } from '../../../kernel/durations.js';
import type { Failure } from '../../../kernel/failure.js';
import { API_NAME } from '../../../kernel/product.js';
import type { WriteContext } from '../../../store/database/unit-of-work.js';
import { Implements } from '../../../store/discovery/ports.js';
import { Notice, Notices } from '../../organization/index.js';

/** Tells the owners of an organization that a run failed: of many that fail on one day, the first. */
@Implements(Notice)
@Injectable()
export class FailedRunNotice implements Notice {
  readonly kind = 'claim_report_failed';
  readonly when = 'A claim report run failed: at most one mail a day.';
  readonly pauseMs = 86_400_000;

  constructor(private readonly notices: Notices) {}

  /** With the code of the failure alone: its message may name files. */
  tell(ctx: WriteContext, id: string, { code }: Failure): Promise<void> {
    return this.notices.send(ctx, this, {
      subject: 'A claim report run failed',
      parts: [
        `A claim report run of your organization in ${API_NAME} failed. Its page says why, and what to do.`,
        {
          facts: [
            ['Run', id],
            ['Environment', ctx.environment],
            ['Reason', code],
          ],
        },
        `There may be more: for ${inWords(this.pauseMs)} you get no other mail about failed runs. The list of runs has them all.`,
      ],
      page: { label: 'See the failed runs', path: ['reports?status=failed'] },
    });
  }
}
