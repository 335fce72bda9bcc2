import { hostOf, type ResolvedTarget } from '../../../api/outbound/look-ups.js';
import type { Environment } from '../../../kernel/context.js';
import { isForbidden, isListedHost } from '../../../kernel/addresses.js';
import type { Plans, StandardPlan } from '../../../kernel/plans.js';
import { notFound, Problem } from '../../../kernel/problems.js';
import type { Settings } from '../../../kernel/settings/settings.js';
import type { ReadContext } from '../../../store/database/unit-of-work.js';
import type { DomainEvent } from '../../../store/events/events.js';
import { entitledSql } from '../../organization/index.js';

export const WEBHOOKS_PLAN: StandardPlan = 'enterprise';

/** Whether events are delivered to an organization now: it is active and has the plan. Without, deliveries wait. */
export const isDeliveredToSql = (organizationId: string, plans: Plans): string => entitledSql(organizationId, plans, WEBHOOKS_PLAN);

/** How long deliveries are signed with the previous secret as well after a rotation. */
export const SECRET_OVERLAP_MS = 24 * 3_600_000;
/** An endpoint is disabled when no delivery has succeeded for this long. */
export const DISABLED_AFTER_FAILING_MS = 5 * 86_400_000;
export const disabledAtOf = (failingSince: string): string => new Date(Date.parse(failingSince) + DISABLED_AFTER_FAILING_MS).toISOString();
/** Deliveries per minute. An endpoint that takes more needs no limit. */
export const MAX_RATE_LIMIT = 6000;

type Before = Readonly<Record<'disabledReason' | 'failingSince', string | null>>;

const HEALTHY = { failingSince: null, failingNoticedAt: null, failures: 0 } as const;

/**
 * The fields that change with the status. Enabling an endpoint also forgets since when it has failed. If it was disabled for that, it is
 * sent what it has missed: by a pause, or by an answer of 410, it said that it wants nothing.
 */
export function withStatus<Status extends string>(status: Status, before?: Before) {
  const catchUpSince = before?.disabledReason === 'failing' ? before.failingSince : null;
  return { status, disabledReason: status === 'disabled' ? ('manual' as const) : null, ...HEALTHY, catchUpSince };
}

const ITSELF = 'claim_project.';

/** The claim project that an event is of: its record is the project, or names it. */
export const projectIdOf = ({ kind, resourceId, data }: DomainEvent): string | null =>
  kind.startsWith(ITSELF) ? resourceId : ((data as { projectId?: string | null }).projectId ?? null);

/** The same of a row, as a condition: whether an endpoint for these projects gets the event. */
export const isOfProjectsSql = (projectIds: string, projectId: string): string =>
  `(${projectIds} IS NULL OR ${projectId} = ANY (${projectIds}))`;
export const PROJECT_ID = `CASE WHEN starts_with(event.kind, '${ITSELF}') THEN event.resource_id::text ELSE event.data ->> 'projectId' END`;

export function requireManageable(ctx: ReadContext, environment: Environment): void {
  if (ctx.environment === 'live' || environment === ctx.environment) return;
  throw new Problem('environment_mismatch', {
    detail: 'A test credential can manage endpoints of the test environment only.',
    errors: [{ location: 'body', field: 'environment', code: 'environment_mismatch', message: 'must be test for a test credential' }],
  });
}

export const missing = (): never => notFound('There is no webhook endpoint with this id.');

function syntaxError(target: string, environment: Environment): string | undefined {
  // The URL parser ignores white space and accepts URLs without slashes.
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^\s\\]+$/i.test(target) || !URL.canParse(target))
    return 'must be a URL such as https://hooks.example.com/claims';
  const { protocol, username, password, hostname } = new URL(target);
  if (protocol !== 'https:' && (protocol !== 'http:' || environment === 'live'))
    return environment === 'live' ? 'must begin with https:// for live endpoints' : 'must begin with https:// or http://';
  if (username !== '' || password !== '') return 'must not contain a user name or password';
  return hostname === '' ? 'must name a host' : undefined;
}

const FORBIDDEN = 'resolves to an address that deliveries must not be sent to';
const UNLISTED = 'names a host that is not among those that this installation calls (OUTBOUND_HOSTS)';
const LOCALLY =
  ' To get events on your own machine, run claims webhook listen. Who runs the service can allow networks by WEBHOOK_ALLOWED_NETWORKS.';

/** Refuses a URL that deliveries could not be sent to. A name that does not resolve yet is accepted: every connection checks it again. */
export function requireAllowedTarget({ url, addresses }: ResolvedTarget, environment: Environment, settings: Settings): void {
  const isPrivate = addresses.some((address) => isForbidden(address, settings.webhookAllowedNetworks));
  const problem =
    syntaxError(url, environment) ??
    (isListedHost(hostOf(url), settings.outboundHosts) ? undefined : UNLISTED) ??
    (isPrivate ? FORBIDDEN : undefined);
  if (problem === undefined) return;
  const isOwn = problem === FORBIDDEN;
  const error = { field: 'targetUrl', code: 'target_not_allowed', message: problem } as const;
  throw Problem.atField('target_not_allowed', error, (field) => `${field} ${problem}.${isOwn ? LOCALLY : ''}`);
}
