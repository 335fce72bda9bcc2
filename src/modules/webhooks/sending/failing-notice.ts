import { changesBetween } from '../../../kernel/changes.js';
import type { Actor } from '../../../kernel/context.js';
import { inWords } from '../../../kernel/durations.js';
import { API_NAME } from '../../../kernel/product.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { Clock } from '../../../kernel/time.js';
import { AuditRecorder } from '../../../store/audit/audit-recorder.js';
import { Database } from '../../../store/database/database.js';
import { UnitOfWork, type WriteContext } from '../../../store/database/unit-of-work.js';
import { Implements } from '../../../store/discovery/ports.js';
import { Job } from '../../../store/jobs/job.decorator.js';
import { acrossTenants, ORGANIZATION, organizationSql } from '../../../store/tenant/tenant-sql.js';
import type { LetterPart } from '../../../api/mail/letter.js';
import { Notice, Notices, type NoticeText } from '../../organization/index.js';
import { DISABLED_AFTER_FAILING_MS, disabledAtOf, isDeliveredToSql } from '../endpoints/endpoint-rules.js';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';

const CHECK_INTERVAL_MS = 600_000;
/** How long before an endpoint would be disabled its owners are told. */
const NOTICE_MS = 86_400_000;
const AT_ONCE = 100;
/** The name is part of the audit log. */
const NOTICE: Actor = { type: 'system', id: null, name: 'webhook notice' };

type Failing = Pick<WebhookEndpoint, 'id' | 'organizationId' | 'environment' | 'name' | 'targetUrl'> & { readonly failingSince: string };

const IS_UNNOTICED = "status = 'active' AND failing_noticed_at IS NULL";
const failingStatement = (plans: Settings['plans']) =>
  acrossTenants(
    'webhook_endpoints.failing',
    'A worker finds failing endpoints of all tenants.',
    `SELECT id, organization_id AS "organizationId", environment, name, target_url AS "targetUrl", failing_since AS "failingSince"
    FROM webhook_endpoints WHERE ${IS_UNNOTICED} AND failing_since <= :since AND ${isDeliveredToSql('organization_id', plans)}
    ORDER BY failing_since LIMIT ${AT_ONCE}`,
  );
/** A success or another worker may have come first. */
const NOTE = organizationSql(
  'webhook_endpoints.note_failing',
  `UPDATE webhook_endpoints SET failing_noticed_at = :now WHERE id = :id AND ${ORGANIZATION} AND ${IS_UNNOTICED}
      AND failing_since = :failingSince
    RETURNING true AS noted`,
);

/** Tells the owners of an organization, once, that an endpoint which keeps failing will be disabled. */
@Implements(Notice)
export class FailingNotice implements Notice {
  readonly kind = 'webhook_failing';
  readonly when = 'A webhook endpoint keeps failing and will be disabled in a day, or was disabled.';
  private readonly failing: ReturnType<typeof failingStatement>;

  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditRecorder,
    private readonly notices: Notices,
    private readonly clock: Clock,
    settings: Settings,
  ) {
    this.failing = failingStatement(settings.plans);
  }

  @Job({
    id: 'webhooks.notify_owners',
    summary: 'Tells the owners of an organization a day before a failing webhook endpoint is disabled.',
    everyMs: CHECK_INTERVAL_MS,
  })
  async notify(): Promise<void> {
    const since = new Date(this.clock.now().getTime() - DISABLED_AFTER_FAILING_MS + NOTICE_MS);
    for (;;) {
      const failing = await this.database.rows<Failing>(...this.failing.bind({ since: since.toISOString() }));
      for (const endpoint of failing) await this.tellOwners(endpoint);
      if (failing.length < AT_ONCE) return;
    }
  }

  private async tellOwners(endpoint: Failing): Promise<void> {
    const { id, organizationId, environment, failingSince } = endpoint;
    await this.unitOfWork.runAs(NOTICE, { organizationId, environment }, async (ctx) => {
      const noted = await this.database.rows(...NOTE.bind(ctx, { id, failingSince, now: this.clock.timestamp() }), ctx.unit);
      if (noted.length === 0) return;
      const changes = changesBetween(null, { failingSince, disabledAt: disabledAtOf(failingSince) });
      this.audit.record(ctx, { action: 'webhook.owners_warned', resourceId: id, changes });
      await this.notices.send(ctx, this, textOf(endpoint));
    });
  }

  /** Part of the transaction that disables it. */
  tellDisabled(ctx: WriteContext, endpoint: WebhookEndpoint): Promise<void> {
    return this.notices.send(ctx, this, disabledText(endpoint));
  }
}

type Named = Pick<WebhookEndpoint, 'id' | 'environment' | 'name' | 'targetUrl'>;

const factsOf = ({ id, environment, targetUrl }: Named): LetterPart => ({
  facts: [
    ['Endpoint', id],
    ['Environment', environment],
    ['Host', new URL(targetUrl).host],
  ],
});

const deliveriesOf = ({ id }: Named) => ({ label: 'See the deliveries', path: ['webhooks', id, 'deliveries'] });

/** Without the rest of the URL, which may contain a secret. */
const textOf = (endpoint: Failing): NoticeText => ({
  subject: `Webhook endpoint will be disabled: ${endpoint.name}`,
  parts: [
    `The webhook endpoint "${endpoint.name}" of your organization in ${API_NAME} has not accepted any delivery since ` +
      `${endpoint.failingSince}. If that does not change, it will be disabled by the first delivery that fails after ` +
      `${disabledAtOf(endpoint.failingSince)}.`,
    factsOf(endpoint),
    `The delivery log has every attempt and why it failed, as has GET /v1/webhooks/${endpoint.id}/deliveries. One delivery that the ` +
      'endpoint answers with 2xx is enough to keep it. After it works again, it is sent what it has missed.',
    `An endpoint is disabled after ${inWords(DISABLED_AFTER_FAILING_MS)} without a success. You get this mail once.`,
  ],
  page: deliveriesOf(endpoint),
});

const disabledText = (endpoint: WebhookEndpoint): NoticeText => ({
  subject: `Webhook endpoint was disabled: ${endpoint.name}`,
  parts: [
    `The webhook endpoint "${endpoint.name}" of your organization in ${API_NAME} was disabled, because ` +
      (endpoint.disabledReason === 'gone'
        ? 'it answered with 410 (Gone), which means that it wants no more deliveries. Nothing is sent to it.'
        : `no delivery has succeeded since ${endpoint.failingSince}. Nothing is sent to it until it is enabled again; then it is sent ` +
          'what it has missed, as long as that is kept.'),
    factsOf(endpoint),
  ],
  page: deliveriesOf(endpoint),
});
