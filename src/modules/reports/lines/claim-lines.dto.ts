import { PageQuery, RecordDto } from '../../../api/dto/page.js';
import {
  CalendarDate,
  Complete,
  Flag,
  Integer,
  ListOf,
  Money,
  Nested,
  NULL_BY_DEFAULT,
  OneOf,
  OR_NULL,
  Percent,
  Text,
  Timestamp,
  Uuid,
  UuidList,
} from '../../../api/validation/fields.js';
import { ACTOR_TYPES, type ActorType } from '../../../kernel/context.js';
import { type DecidableLine, LINE_OUTCOMES } from '../engine/line-accumulator.js';
import { DECISION_OUTCOMES } from './claim-line.entity.js';

/** How much may be decided at once. */
export const MAX_LINES = 500;
const MAX_PARTS = 20;
export const MAX_HISTORY = 100;

export class ListClaimLinesQuery extends PageQuery {
  @OneOf(LINE_OUTCOMES, { about: 'Only lines of which the run made this.', optional: true, example: 'uncategorised' })
  outcome?: DecidableLine['outcome'];
  @Uuid({ about: 'Only lines that this category claims.', optional: true }) category_id?: string;
  @Uuid({ about: 'Only lines of this bank statement.', optional: true }) statement_id?: string;
  @Flag({ about: 'Only lines that somebody has decided, or only the others.', optional: true, example: false }) decided?: boolean;
  @Money({ about: 'Only lines of this very amount.', optional: true, example: '-12.50' }) amount?: string;
  @Text({ about: 'Only lines with this very counterparty, as lines name it.', max: 1000, optional: true, example: 'Rail' })
  counterparty?: string;
}

export class ClaimLineDecisionsPartDto {
  @Uuid({ about: 'The expense category that it is claimed for; `null` if it is not claimed.', nullable: true }) categoryId: string | null;
  @Money({
    about: 'With the sign of the line. Parts make up the whole line. Left out for a single part.',
    ...NULL_BY_DEFAULT,
    example: '-12.50',
  })
  amount?: string | null;
  @Percent({ about: 'How much of it is claimed.', optional: true, default: '100', example: '100' }) claimablePercent?: string;
  @Percent({ about: 'The tax that it contains, as its invoice states it.', ...NULL_BY_DEFAULT, example: '19' })
  taxPercent?: string | null;
}

export class CreateClaimLineDecisionsDto {
  @UuidList({ about: 'The claim lines that it is decided for: all of them, or none.', min: 1, max: MAX_LINES }) lineIds: string[];
  @OneOf(DECISION_OUTCOMES, {
    about: '`claimed` with `parts`; `not_claimed`; or `by_rules`, which takes an earlier decision back.',
    example: 'claimed',
  })
  outcome: (typeof DECISION_OUTCOMES)[number];
  @ListOf(ClaimLineDecisionsPartDto, {
    about: 'What is claimed: one part, or several that make up a line.',
    max: MAX_PARTS,
    optional: true,
    example: [{ categoryId: '0199e9a4-7c1e-7b6a-9f0e-3d1c5a7b9d21', claimablePercent: '50' }],
  })
  parts?: ClaimLineDecisionsPartDto[];
  @Text({ about: 'Why, in a few words. Files of reports may show it.', max: 200, ...OR_NULL, example: 'Half private' })
  reason?: string | null;
  @Text({ about: 'A note for colleagues. No file shows it.', max: 2000, ...OR_NULL, example: 'Ask again in March' })
  note?: string | null;
}

class ClaimLineDecisionPartDto extends Complete(ClaimLineDecisionsPartDto) {}

class ClaimLineDecidedByDto {
  @OneOf(ACTOR_TYPES, { about: 'A person (`user`), the service or its operators (`system`), or a program (`api`).', example: 'user' })
  type: ActorType;
  @Text({ about: 'Id of the person or credential.', nullable: true, example: '0199e9a4-7c1e-7b6a-9f0e-3d1c5a7b9d21' }) id: string | null;
  @Text({ about: 'Its name at that time.', example: 'Jane Example' }) name: string;
}

export class ClaimLineDecisionDto {
  @Uuid({ about: 'Id of the decision.' }) id: string;
  @OneOf(DECISION_OUTCOMES, { about: 'What was decided.', example: 'claimed' }) outcome: (typeof DECISION_OUTCOMES)[number];
  @ListOf(ClaimLineDecisionPartDto, { about: 'What is claimed of the line; none if it is not claimed or left to rules.' })
  parts: ClaimLineDecisionPartDto[];
  @Text({ about: 'Why.', nullable: true, example: 'Private use' }) reason: string | null;
  @Text({ about: 'A note for colleagues.', nullable: true, example: 'Ask again in March' }) note: string | null;
  @Nested(ClaimLineDecidedByDto, { about: 'Who has decided it.' }) by: ClaimLineDecidedByDto;
  @Timestamp({ about: 'When.' }) decidedAt: string;
}

export class ClaimLineDto extends RecordDto {
  @Uuid({ about: 'The claim report run.' }) reportId: string;
  @Uuid({ about: 'The bank statement that has it.' }) statementId: string;
  @Integer({ about: 'Its number in the statement, from 1.', min: 1, example: 17 }) lineNumber: number;
  @CalendarDate({ about: 'The day of the booking.', example: '2026-01-15' }) bookedOn: string;
  @Text({ about: 'What the bank says of it, redacted; `null` once its retention has ended.', nullable: true, example: 'Train to Berlin' })
  description: string | null;
  @Text({ about: 'The other party, redacted.', nullable: true, example: 'Rail' }) counterparty: string | null;
  @Text({ about: 'The reference, redacted.', nullable: true, example: 'INV-2041' }) reference: string | null;
  @Money({ about: 'Negative for money out.', example: '-12.50' }) amount: string;
  @Text({ about: 'ISO 4217 code.', nullable: true, example: 'EUR' }) currency: string | null;
  @OneOf(LINE_OUTCOMES, {
    about: 'What the run made of it. `not_claimed` and `split` are decisions; `uncategorised`: no rule claims it, and it is not decided.',
    example: 'claimed',
  })
  outcome: DecidableLine['outcome'];
  @Uuid({ about: 'The category that claims it; `null` for none, or for one of each part.', nullable: true }) categoryId: string | null;
  @Text({ about: 'The rule that claims it; `null` if none does.', nullable: true, example: 'rail' }) rule: string | null;
  @Money({ about: 'What is claimed, not rounded; positive for money out.', nullable: true, example: '12.50' }) claimable: string | null;
  @Uuid({ about: 'The category that rules would claim a decided line for.', nullable: true }) ruleCategoryId: string | null;
  @Nested(ClaimLineDecisionDto, { about: 'The decision that holds now; `null` if rules decide.', nullable: true })
  decision: ClaimLineDecisionDto | null;
  @Flag({ about: 'Whether the run has the decision that holds now. If not, another run will have it.', example: true })
  isApplied: boolean;
}

export class ClaimLineDetailsDto extends ClaimLineDto {
  @ListOf(ClaimLineDecisionDto, { about: `What was decided about it, the newest first: at most ${MAX_HISTORY}.` })
  decisions: ClaimLineDecisionDto[];
}

export class ClaimLineDecisionsDto {
  @ListOf(ClaimLineDto, { about: 'The lines, in the order in which they were named.' }) data: ClaimLineDto[];
}
