import { Complete, Integer, NULL_BY_DEFAULT, OneOf, Text, Uuid } from '../../api/validation/fields.js';
import { subscribableKinds } from '../../kernel/declare-event.js';
import { PROBLEMS, type ProblemCode } from '../../kernel/problems.js';
import { TEST_OUTCOMES, type TestOutcome } from '../configurations/index.js';
import { RUN_FAILURES } from '../reports/index.js';

export class CreateTestEventDto {
  @OneOf(subscribableKinds, { about: 'The kind of the event.', example: 'claim_project.created' }) kind: string;
}

export class TestEventDto {
  @Uuid({ about: 'Id of the event: `id` in the feed and in its deliveries.' }) eventId: string;
}

export class CreateTestOutcomeDto {
  @Uuid({ about: 'The report configuration.' }) reportConfigurationId: string;

  @OneOf(TEST_OUTCOMES, {
    about: 'What becomes of its next run: it fails, is cancelled, or succeeds if it would otherwise.',
    example: 'failed',
  })
  outcome: TestOutcome['outcome'];

  @OneOf(RUN_FAILURES, {
    about: '`failure.code` of a run that fails; `null` for another outcome. Without it, a run fails with `internal_error`.',
    optional: true,
    nullable: true,
    grows: true,
    example: 'took_too_long',
  })
  failureCode?: string | null;

  @Integer({ about: 'For how many seconds the run is `running` before that.', min: 0, max: 30, optional: true, default: 0, example: 0 })
  takesSeconds: number = 0;
}

export class TestOutcomeDto extends Complete(CreateTestOutcomeDto) {}

export class CreateTestAnswersDto {
  @OneOf(() => Object.keys(PROBLEMS), {
    about: 'The problem that the next calls get. `null`: none, they are only delayed.',
    ...NULL_BY_DEFAULT,
    grows: true,
    example: null,
  })
  problem: ProblemCode | null = null;

  @Integer({ about: 'After how many seconds they get it.', min: 0, max: 30, optional: true, default: 0, example: 1 }) delaySeconds: number =
    0;

  @Integer({ about: 'How many calls. 0 takes back what is left.', min: 0, max: 100, optional: true, default: 1, example: 1 })
  calls: number = 1;
}

export class TestAnswersDto extends Complete(CreateTestAnswersDto) {}

export class CreateTestResetDto {
  @Text({ about: 'Why, for readers of the audit log.', max: 200, ...NULL_BY_DEFAULT, example: 'Nightly tests' })
  reason: string | null = null;
}

export class TestResetDto {
  @Integer({ about: 'How much was deleted: records, and what belongs to them, such as lines, files and events.', min: 0, example: 1240 })
  deleted: number;
}
