import { ENVIRONMENTS, type Actor, changeContext, type Environment } from '../../kernel/context.js';
import { declareEvent, type EventDeclaration } from '../../kernel/declare-event.js';
import { API_NAME } from '../../kernel/product.js';
import { Clock } from '../../kernel/time.js';
import { CalendarDate, Integer, OneOf, Text, Uuid } from '../../api/validation/fields.js';
import { OWN_LIMITS } from '../../api/limits/own-limits.js';
import { DAY_MS } from '../../api/limits/rate-limiter.js';
import { Database } from '../../store/database/database.js';
import { UnitOfWork } from '../../store/database/unit-of-work.js';
import { Implements } from '../../store/discovery/ports.js';
import { Events } from '../../store/events/events.js';
import { Job } from '../../store/jobs/job.decorator.js';
import { acrossTenants, isStayingSql, TENANT, tenantSql } from '../../store/tenant/tenant-sql.js';
import { Notice, Notices, type NoticeText } from '../organization/index.js';
import type { UsageCredential } from './usage-credential.entity.js';

export class UsageBudgetDto {
  @Uuid({ about: 'The API key or the application.' }) id: string;
  @Text({ about: 'Its name.', example: 'Month-end sync' }) name: string;
  @OneOf(ENVIRONMENTS, { about: 'The environment whose requests were counted.' }) environment: Environment;
  @Integer({ about: 'How many calls it can make on a day.', ...OWN_LIMITS.dailyCalls, example: 50_000 }) budget: number;
  @Integer({ about: 'How many it has made, without those that were refused by a limit.', min: 1, example: 40_012 }) calls: number;
  @CalendarDate({ about: 'The day (UTC).', example: '2026-01-31' }) day: string;
}

/** From how much of a budget on it is told, in percent. */
const TOLD_FROM = 80;

export const UsageBudgetUsed: EventDeclaration = declareEvent({
  kind: 'usage.budget_used',
  status: 'emitted',
  summary: `An API key or an application has made ${TOLD_FROM} percent of the calls that it can make on a day. Sent once a day for each.`,
  data: UsageBudgetDto,
  read: { scope: 'usage:read' },
});

const CHECK_INTERVAL_MS = 60_000;
const AT_ONCE = 100;
/** The name is part of the audit log. */
const NOTICE: Actor = { type: 'system', id: null, name: 'usage notice' };

type Unnoticed = Pick<UsageCredential, 'organizationId' | 'environment' | 'day' | 'credentialId'>;
type Used = Pick<UsageBudgetDto, 'name' | 'budget' | 'calls'>;

const IS_UNNOTICED = `daily_calls IS NOT NULL AND noticed_at IS NULL AND calls - refused >= daily_calls * ${TOLD_FROM / 100}`;
const UNNOTICED = acrossTenants(
  'usage_credentials.unnoticed',
  'A worker finds the keys and applications of all tenants that have used most of their calls of a day.',
  `SELECT organization_id AS "organizationId", environment, day, credential_id AS "credentialId" FROM usage_credentials
    WHERE day >= :since AND ${IS_UNNOTICED} AND ${isStayingSql('usage_credentials')} ORDER BY day LIMIT ${AT_ONCE}`,
);
/** Another worker may have come first. */
const NOTE = tenantSql(
  'usage_credentials.note',
  `UPDATE usage_credentials SET noticed_at = :now
    WHERE ${TENANT} AND day = :day AND credential_id = :credentialId AND ${IS_UNNOTICED}
    RETURNING name, daily_calls AS budget, calls - refused AS calls`,
);

@Implements(Notice)
export class BudgetNotice implements Notice {
  readonly kind = 'usage_budget_used';
  readonly when = `An API key or an application has made ${TOLD_FROM} percent of the calls that it can make on a day.`;

  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly events: Events,
    private readonly notices: Notices,
    private readonly clock: Clock,
  ) {}

  @Job({
    id: 'usage.notify_owners',
    summary: `Tells the owners of an organization when a key or an application has made ${TOLD_FROM} percent of its calls of a day.`,
    everyMs: CHECK_INTERVAL_MS,
  })
  async notify(): Promise<void> {
    // Also of the day before: the last calls of a day are counted after its end.
    const since = new Date(this.clock.now().getTime() - DAY_MS).toISOString().slice(0, 10);
    for (;;) {
      const unnoticed = await this.database.rows<Unnoticed>(...UNNOTICED.bind({ since }));
      for (const one of unnoticed) await this.tellOwners(one);
      if (unnoticed.length < AT_ONCE) return;
    }
  }

  private async tellOwners({ organizationId, environment, day, credentialId }: Unnoticed): Promise<void> {
    const context = { ...changeContext(organizationId, NOTICE, environment), environment, emits: [UsageBudgetUsed] };
    await this.unitOfWork.run(context, async (ctx) => {
      const bound = NOTE.bind(ctx, { day, credentialId, now: this.clock.timestamp() });
      const [used] = await this.database.rows<Used>(...bound, ctx.unit);
      if (!used) return;
      const after: UsageBudgetDto = { id: credentialId, environment, day, ...used };
      this.events.append(ctx, UsageBudgetUsed, { before: null, after });
      await this.notices.send(ctx, this, textOf(after));
    });
  }
}

const textOf = ({ id, name, environment, budget, calls, day }: UsageBudgetDto): NoticeText => ({
  subject: `Most calls of the day are used: ${name}`,
  parts: [
    `"${name}" of your organization in ${API_NAME} has made ${calls} of the ${budget} calls that it can make on ${day} (UTC). ` +
      'Calls beyond that are refused until midnight UTC.',
    {
      facts: [
        ['Key or application', id],
        ['Environment', environment],
      ],
    },
    'If it needs more, owners and admins can change how many calls it can make. You get this mail once a day for each.',
  ],
  page: { label: 'See the usage', path: ['usage'] },
});
