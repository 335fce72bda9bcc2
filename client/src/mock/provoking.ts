import { fixtureOf } from '../fixtures.js';
import type {
  ClaimsEvent,
  CreateTestAnswers,
  CreateTestEvent,
  CreateTestOutcome,
  TestOutcome,
  WebhooksListEventsQuery,
} from '../generated-types.js';
import { PROBLEMS } from './document.js';
import { idAfter, type Records } from './records.js';
import { Refusal } from './refusal.js';

type Values = Readonly<Record<string, unknown>>;

/** What is asked of the next calls, runs and events, as in the test environment of the service. */
export class Provoking {
  private events: ClaimsEvent[] = [];
  /** By report configuration, until a run is queued with it; then by run. */
  private readonly outcomes = new Map<string, TestOutcome>();
  private planned: { readonly problem: CreateTestAnswers['problem']; readonly delaySeconds: number }[] = [];

  clear(): void {
    this.events = [];
    this.outcomes.clear();
    this.planned = [];
  }

  /** What was planned for a call, after its delay. */
  async give(path: string): Promise<void> {
    const next = path.startsWith('/v1/test/') ? undefined : this.planned.shift();
    if (!next) return;
    if (next.delaySeconds > 0) await new Promise((resolve) => setTimeout(resolve, next.delaySeconds * 1000));
    if (next.problem)
      throw new Refusal(next.problem, {
        detail: 'This answer was planned by POST /v1/test/answers.',
        retryAfter: PROBLEMS[next.problem]?.retry === 'later' ? 1 : undefined,
      });
  }

  setAnswers({ problem = null, delaySeconds = 0, calls = 1 }: CreateTestAnswers): Values {
    this.planned = Array.from({ length: calls }, () => ({ problem, delaySeconds }));
    return { problem, delaySeconds, calls };
  }

  setOutcome(configurations: Records, input: CreateTestOutcome): Values {
    const { reportConfigurationId, outcome, takesSeconds = 0 } = input;
    if (input.failureCode && outcome !== 'failed') {
      const message = 'must be null, unless the outcome is failed';
      throw Refusal.invalid([{ location: 'body', field: 'failureCode', code: 'not_allowed', message }]);
    }
    configurations.requireRelated('reportConfigurationId', reportConfigurationId);
    const failureCode = outcome === 'failed' ? (input.failureCode ?? 'internal_error') : null;
    const wanted: TestOutcome = { reportConfigurationId, outcome, failureCode, takesSeconds };
    this.outcomes.set(reportConfigurationId, wanted);
    return { ...wanted };
  }

  queued({ id, reportConfigurationId }: Values): void {
    const wanted = this.outcomes.get(String(reportConfigurationId));
    if (!wanted) return;
    this.outcomes.delete(String(reportConfigurationId));
    this.outcomes.set(String(id), wanted);
  }

  /** How a run ends, other than by itself. */
  endOf(reportId: string): Values {
    const { outcome, failureCode: code = null } = this.outcomes.get(reportId) ?? {};
    if (!outcome) return {};
    return { status: outcome, failure: code && { code, message: 'POST /v1/test/claim-reports/outcomes has asked for it.' } };
  }

  sendEvent({ kind }: CreateTestEvent): Values {
    const eventId = idAfter(this.events.at(-1)?.id);
    this.events.push(fixtureOf(kind, { id: eventId, data: { id: crypto.randomUUID() } }));
    return { eventId };
  }

  /** The feed: of what happens in the mock there are no events, only those that were sent. */
  listEvents({ after, kind, limit = 50 }: WebhooksListEventsQuery): Values {
    const last = this.events.at(-1)?.id ?? '00000000-0000-0000-0000-000000000000';
    const follows = after === undefined ? [] : this.events.filter(({ id, type }) => id > after && (kind ?? type) === type);
    const data = follows.slice(0, limit);
    const hasMore = follows.length > data.length;
    return { data, nextCursor: { after: hasMore ? data.at(-1)!.id : last }, hasMore };
  }
}
