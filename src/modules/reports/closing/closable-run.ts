import { Injectable } from '@nestjs/common';
import { Problem } from '../../../kernel/problems.js';
import type { ReadContext } from '../../../store/database/unit-of-work.js';
import type { DateRange } from '../engine/inputs.js';
import { inputsHashOf } from '../engine/compute.js';
import { ReportsRepository } from '../reports.repository.js';
import type { ClaimReportResultDto } from '../result.dto.js';

export interface ClosableRun {
  readonly id: string;
  readonly projectId: string;
  readonly organizationName: string;
  readonly period: DateRange;
  readonly result: ClaimReportResultDto;
}

export const notInState = (detail: string): Problem => new Problem('claim_state', { detail: `${detail} Nothing was changed.` });

@Injectable()
export class ClosableRuns {
  constructor(private readonly reports: ReportsRepository) {}

  async get(ctx: ReadContext, id: string): Promise<ClosableRun> {
    const report = (await this.reports.get(ctx, id)) ?? missingRun();
    const { result, status } = report;
    if (!result) throw notInState(`The run is ${status}: only a run that has succeeded can be closed.`);
    const inputs = await this.reports.inputs(ctx, id);
    const projectId = inputs?.project?.id ?? report.projectId;
    if (!inputs || projectId === null)
      throw notInState('The run has no claim project, or an earlier release has made it. Make a run of a project.');
    if (inputsHashOf(inputs, result.engineVersion) !== result.inputsHash)
      throw notInState('The inputs that were kept are not those of its result.');
    if (!result.period) throw notInState('The claim has no period.');
    if (result.statements.length === 0) throw notInState('The claim has no bank statement.');
    const failed = result.controls.find(({ ok }) => !ok);
    if (failed) throw notInState(`The control ${failed.name} does not hold: ${failed.actual} instead of ${failed.expected}.`);
    return { id, projectId, organizationName: inputs.organization?.name ?? '', period: result.period, result };
  }
}

function missingRun(): never {
  const error = { field: 'reportId', code: 'related_record_missing', message: 'must be the id of a claim report' } as const;
  throw Problem.atField('related_record_missing', error, (field) => `There is no claim report with the id in ${field}.`);
}
