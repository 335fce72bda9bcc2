import { Body, Controller } from '@nestjs/common';
import { EventReaders } from '../../api/access/event-readers.js';
import { Ahead, Ctx } from '../../api/call/ctx.decorator.js';
import { Capability, Operation } from '../../api/operation/operation.decorator.js';
import type { RequestContext } from '../../api/operation/operation.js';
import { type PlannedAnswer, PlannedAnswers } from '../../api/limits/planned-answers.js';
import { changesBetween } from '../../kernel/changes.js';
import { Problem } from '../../kernel/problems.js';
import { AuditRecorder } from '../../store/audit/audit-recorder.js';
import type { InTransaction, WriteContext } from '../../store/database/unit-of-work.js';
import { ConfigurationsService } from '../configurations/index.js';
import { ResetService } from '../organization-data/index.js';
import { CreateTestAnswersDto, CreateTestEventDto, CreateTestOutcomeDto, CreateTestResetDto } from './test-environment.dto.js';
import { TestAnswersDto, TestEventDto, TestOutcomeDto, TestResetDto } from './test-environment.dto.js';
import { TestEvents } from './test-events.service.js';

const IN_TEST = { environment: 'test', scope: 'test:write', role: 'admin', status: 200 } as const;

@Capability({
  about: 'What happens rarely is provoked in the test environment, so that a client can be tested with it.',
  guide: 'docs/environments.md',
})
@Controller('v1/test')
export class TestEnvironmentController {
  constructor(
    private readonly events: TestEvents,
    private readonly configurations: ConfigurationsService,
    private readonly readers: EventReaders,
    private readonly planned: PlannedAnswers,
    private readonly audit: AuditRecorder,
    private readonly resets: ResetService,
  ) {}

  @Operation({
    ...IN_TEST,
    id: 'test.send_event',
    route: 'POST /events',
    concerns: 'organization',
    summary: 'Send a test event',
    description:
      'Makes an event of any kind that has an example, about a record that does not exist. It is in the feed, and goes to the endpoints ' +
      'that subscribe to its kind in all claim projects: signed, repeated and logged like one that happened. An addition.',
    returns: TestEventDto,
    problems: ['event_not_allowed'],
  })
  async send(@Ctx() ctx: InTransaction<RequestContext>, @Body() { kind }: CreateTestEventDto): Promise<TestEventDto> {
    this.readers.require(ctx.principal, [kind], { location: 'body', field: 'kind' });
    return { eventId: await this.events.send(ctx, kind) };
  }

  @Operation({
    ...IN_TEST,
    id: 'test.set_outcome',
    route: 'POST /claim-reports/outcomes',
    summary: 'Set what becomes of the next run',
    description:
      'The next run that is queued with this report configuration ends so, with the events and audit entries of any run. It applies ' +
      'once; another call before that replaces it. An addition.',
    returns: TestOutcomeDto,
    problems: ['related_record_missing'],
  })
  async setOutcome(@Ctx() ctx: WriteContext, @Body() input: CreateTestOutcomeDto): Promise<TestOutcomeDto> {
    const { reportConfigurationId, outcome, takesSeconds } = input;
    if (input.failureCode && outcome !== 'failed')
      throw Problem.invalidField('failureCode', 'not_allowed', 'must be null, unless the outcome is failed');
    const failureCode = outcome === 'failed' ? (input.failureCode ?? 'internal_error') : null;
    await this.configurations.setTestOutcome(ctx, reportConfigurationId, { outcome, failureCode, takesSeconds });
    return { reportConfigurationId, outcome, failureCode, takesSeconds };
  }

  @Operation({
    ...IN_TEST,
    id: 'test.set_answers',
    route: 'POST /answers',
    summary: 'Set what the next calls are answered',
    description:
      'The next calls of this key, application or person in the test environment get this problem, or wait, in place of what they ' +
      'ask for, within ten minutes. Calls below `/v1/test` are not among them. Replaces what is left of an earlier one. An addition.',
    returns: TestAnswersDto,
    ahead: 'plan',
    effects: 'afterClaim',
  })
  setAnswers(@Ctx() ctx: InTransaction<RequestContext>, @Body() input: CreateTestAnswersDto): Promise<TestAnswersDto> {
    const { problem, delaySeconds, calls } = input;
    const set = { problem, delaySeconds, calls };
    this.audit.record(ctx, { action: 'test_answers.set', resourceId: ctx.principal.id, changes: changesBetween(null, set) });
    return Promise.resolve(set);
  }

  async plan({ principal }: RequestContext, { problem, delaySeconds, calls }: CreateTestAnswersDto): Promise<void> {
    await this.planned.plan(principal, Array<PlannedAnswer>(calls).fill({ problem, delayMs: delaySeconds * 1000 }));
  }

  @Operation({
    ...IN_TEST,
    id: 'test.reset',
    route: 'POST /reset',
    concerns: 'organization',
    summary: 'Empty the test environment',
    description:
      'Deletes for good all records of the organization in the test environment, also those of others: projects, categories, ' +
      'configurations, items, receipts, statements, reports, claims, layouts, upload links, events, deliveries and remembered answers of ' +
      'Idempotency-Keys, and what this credential has planned with `POST /v1/test/answers`. Keys, applications, webhook endpoints, ' +
      'people, settings, usage and the audit log stay. Calls that write meanwhile wait. If there is more than can be deleted in twenty ' +
      'seconds it is answered with 503 `unavailable`, and goes on when it is repeated. An addition.',
    returns: TestResetDto,
    ahead: 'empty',
    effects: 'afterClaim',
  })
  reset(@Body() _input: CreateTestResetDto, @Ahead() deleted: number): Promise<TestResetDto> {
    return Promise.resolve({ deleted });
  }

  async empty(ctx: RequestContext, { reason }: CreateTestResetDto): Promise<number> {
    await this.planned.plan(ctx.principal, []);
    return this.resets.reset(ctx, reason);
  }
}
