import { RecordDto, PageQuery } from '../../../api/dto/page.js';
import { CalendarDate, Integer, Nested, NULL_BY_DEFAULT, OneOf, Text, Uuid } from '../../../api/validation/fields.js';
import { pick } from '../../../kernel/changes.js';
import { ACTOR_TYPES, type ActorType } from '../../../kernel/context.js';
import { ClaimClosingChangesDto, ClaimClosingPackDto } from './closing-parts.dto.js';
import { CLOSING_STATES, type ClaimClosing, type ClosingState, type Step, STEPS } from './closing.entity.js';

export const MAX_REASON = 1000;

export class CreateClaimClosingDto {
  @Uuid({ about: 'The claim report run. It has succeeded and belongs to a claim project.' }) reportId: string;
  @OneOf(STEPS, {
    about: 'The step: `reviewed`, then `approved` by another person, then `final`. A final claim is `reopened` if two people ask for it.',
    example: 'reviewed',
  })
  state: Step;
  @Text({
    about: 'Why. A correction and a reopening need a reason.',
    max: MAX_REASON,
    ...NULL_BY_DEFAULT,
    example: 'Compared with the ledger of the client.',
  })
  reason?: string | null;
  @Uuid({
    about: 'Of `final`: the step that made the claim final which this one corrects. It is needed if there is one for days of the period.',
    ...NULL_BY_DEFAULT,
    example: null,
  })
  corrects?: string | null;
}

export class ListClaimClosingsQuery extends PageQuery {
  @Uuid({ about: 'Only steps of this claim report run.', optional: true }) report_id?: string;
  @Uuid({ about: 'Only steps of this claim project.', optional: true }) project_id?: string;
  @OneOf(CLOSING_STATES, { about: 'Only steps to this state.', optional: true, example: 'final' }) state?: ClosingState;
}

export class ClaimClosingActorDto {
  @OneOf(ACTOR_TYPES, { about: 'A user in the console, the system, or a credential.' }) type: ActorType;
  @Uuid({ about: 'The user or credential.', nullable: true }) id: string | null;
  @Text({ about: 'The name of the person or credential at that time.', example: 'Jane Example' }) name: string;
}

export class ClaimClosingDto extends RecordDto {
  @Uuid({ about: 'The claim report run.' }) reportId: string;
  @Uuid({ about: 'Its claim project.' }) projectId: string;
  @CalendarDate({ about: 'First day of the claim.', example: '2026-01-01' }) periodStart: string;
  @CalendarDate({ about: 'Last day of the claim.', example: '2026-03-31' }) periodEnd: string;
  @OneOf(CLOSING_STATES, {
    about: 'The state that the claim has with this step. `reopening`: one person has asked to reopen it, and it is still final.',
    example: 'reviewed',
  })
  state: ClosingState;
  @Integer({
    about: 'Of a final claim: 1, and one more with each correction; otherwise `null`.',
    min: 1,
    nullable: true,
    example: null,
  })
  version: number | null;
  @Text({ about: 'Why.', nullable: true, example: 'Compared with the ledger of the client.' }) reason: string | null;
  @Nested(ClaimClosingActorDto, { about: 'Who took the step, as the audit log names them.' }) by: ClaimClosingActorDto;
  @Uuid({ about: 'The step that made the claim final which this one corrects; otherwise `null`.', nullable: true }) corrects: string | null;
  @Nested(ClaimClosingChangesDto, { about: 'Of a correction: what is different in its result; otherwise `null`.', nullable: true })
  changes: ClaimClosingChangesDto | null;
  @Text({
    about: 'SHA-256 of everything that the claim was computed from, as its result says.',
    example: '60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752',
  })
  inputsHash: string;
  @Nested(ClaimClosingPackDto, {
    about: 'Of a final claim: its evidence pack, signed by the organization; otherwise `null`.',
    nullable: true,
  })
  pack: ClaimClosingPackDto | null;

  static from(row: ClaimClosing): ClaimClosingDto {
    return {
      ...pick(row, ['id', 'environment', 'reportId', 'projectId', 'periodStart', 'periodEnd', 'state', 'version', 'reason']),
      by: { type: row.actorType, id: row.actorId, name: row.actorName },
      ...pick(row, ['corrects', 'changes', 'inputsHash', 'pack', 'createdAt', 'updatedAt']),
    };
  }
}
