import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { isAddressIn } from '../../kernel/addresses.js';
import { requireOpen } from '../../kernel/organization-status.js';
import { lackOf } from '../../kernel/permissions.js';
import type { Tier } from '../../kernel/plans.js';
import { Problem } from '../../kernel/problems.js';
import { Settings } from '../../kernel/settings/settings.js';
import { ThrottledRecorder } from '../../store/audit/audit-recorder.js';
import { Ports } from '../../store/discovery/ports.js';
import { outOfReach } from '../../store/tenant/of-projects.js';
import type { Call } from '../call/call.js';
import { AgentLimits } from '../limits/agent-limits.js';
import { CallsAtOnce, type Arrival } from '../limits/calls-at-once.js';
import type { OwnLimits } from '../limits/own-limits.js';
import { PlannedAnswers } from '../limits/planned-answers.js';
import { AddressLimiter, type Allowance, type Share, TenantLimits } from '../limits/rate-limiter.js';
import { protocolOf } from '../operation/operation.js';
import { type RefusedCredential, ChallengeParameters, KeyProof } from './ports.js';
import type { Principal } from './principal.js';

// The guards of every operation, in the order in which the executor asks them (call/executor.ts). The first two need no operation: the
// tool server asks them for each of its requests.

/** How many refusals of one credential the audit log shows in a minute, however many addresses they come from. */
const MAX_PER_MINUTE = 20;

export interface RefusedRequest {
  readonly requestId: string;
  readonly ipAddress: string;
}

type Refusal = 'revoked' | 'expired' | 'address' | 'unproved';

/** Writes to an organization's audit log that one of its credentials was refused: once a minute for each reason and address. */
@Injectable()
export class Refusals {
  constructor(private readonly recorder: ThrottledRecorder) {}

  note({ requestId, ipAddress }: RefusedRequest, credential: RefusedCredential, reason: Refusal): void {
    const { type, id, name, organizationId, environment } = credential;
    this.recorder.record({
      ctx: { organizationId, environment, actor: { type: 'api', id, name }, ipAddress, requestId, emits: [] },
      entry: { action: `${type}.refused`, resourceId: id, changes: { reason: { from: null, to: reason } } },
      budget: `credential ${id}`,
      maxPerMinute: MAX_PER_MINUTE,
      key: `${reason} ${ipAddress}`,
    });
  }
}

/** `DPoP` for tokens that are bound to a key. */
type ChallengeScheme = 'Bearer' | 'DPoP';

@Injectable()
export class Challenge {
  constructor(
    private readonly settings: Settings,
    private readonly ports: Ports,
  ) {}

  /** For a 401. `error` says what is wrong with the credential, if one was sent. */
  unauthorized(error: Readonly<Record<string, string>> = {}, path = '', scheme: ChallengeScheme = 'Bearer'): string {
    return this.compose(scheme, { realm: this.settings.publicUrl, ...error }, path);
  }

  /** For a 403 that a token with this scope would avoid. */
  insufficientScope(scope: string, path = '', scheme: ChallengeScheme = 'Bearer'): string {
    return this.compose(scheme, { error: 'insufficient_scope', scope }, path);
  }

  private compose(scheme: ChallengeScheme, parameters: Readonly<Record<string, string>>, path: string): string {
    const algorithms = scheme === 'DPoP' && this.ports.only(KeyProof)?.algorithms.join(' ');
    const own = Object.entries({ ...parameters, ...(algorithms && { algs: algorithms }) }).map(([name, value]) => `${name}="${value}"`);
    const added = this.ports.all(ChallengeParameters).map((port) => port.for(path));
    return `${scheme} ${[...own, ...added].join(', ')}`;
  }
}

/** Only failures are counted and refused: callers may share an address, and one's mistakes must not lock out the valid keys of others. */
@Injectable()
export class FailedCredentials {
  constructor(private readonly limiter: AddressLimiter) {}

  async count(address: string): Promise<void> {
    const refusal = await this.findRefusal(address);
    if (refusal) throw refusal;
  }

  /** Like `count`, but returns the problem: for protocols with another error format than the API. */
  findRefusal(address: string): Promise<Problem | undefined> {
    return this.limiter.findRefusal('failures', address);
  }
}

/** An organization that is not active does nothing. A key with an IP allowlist works from the addresses on it only, whatever it calls. */
@Injectable()
export class IpAllowlistGuard {
  constructor(private readonly refusals: Refusals) {}

  check({ ipAllowlist, type, id, name, organization, environment }: Principal, request: RefusedRequest): void {
    requireOpen(organization.status);
    if (ipAllowlist.length === 0 || isAddressIn(request.ipAddress, ipAllowlist)) return;
    if (type !== 'user') this.refusals.note(request, { type, id, name, organizationId: organization.id, environment }, 'address');
    throw new Problem('ip_not_allowed', { detail: `The address ${request.ipAddress} is not on the allowlist of this key.` });
  }
}

/** Takes each request off the tenant's rate limit, says in every answer what is left, and bounds how many are in progress at once. */
@Injectable()
export class RateLimitGuard {
  constructor(
    private readonly limits: TenantLimits,
    private readonly callsAtOnce: CallsAtOnce,
    readonly agents: AgentLimits,
  ) {}

  async enter(principal: Principal, arrival: Arrival | undefined, headers: Record<string, string>): Promise<void> {
    await this.take(principal, headers);
    if (arrival) await this.callsAtOnce.enter(principal, arrival);
  }

  /** `calls`: how many calls the request carries. All of them are taken, or none. */
  async take(principal: Principal, headers: Record<string, string>, calls = 1): Promise<void> {
    const { plan } = principal.organization;
    const { allowance, tier, share } = await this.limits.take(principal, calls);
    const whole = `"${plan}";q=${tier.perMinute};w=60`;
    const { of = plan, remaining, resetSeconds, retryAfterSeconds } = allowance;
    const own = ownPolicy(allowance, share);
    headers['RateLimit-Policy'] = own ? `${own}, ${whole}` : whole;
    headers.RateLimit = `"${of}";r=${remaining};t=${resetSeconds}`;
    if (allowance.allowed) return;
    throw new Problem('rate_limited', {
      detail: refusalOf(allowance, tier, share?.limits),
      headers: { 'Retry-After': String(retryAfterSeconds) },
    });
  }
}

function ownPolicy({ of }: Allowance, share: Share | undefined): string | undefined {
  if (of === 'share') return `"share";q=${Math.ceil(share!.tier.perMinute)};w=60`;
  return of === 'day' ? `"day";q=${share!.limits!.dailyCalls};w=86400` : undefined;
}

function refusalOf({ of }: Allowance, { perMinute, burst }: Tier, limits: OwnLimits | undefined): string {
  if (of === 'day') return `This credential has used up its ${limits!.dailyCalls} calls of this day (UTC).`;
  const limit = `${perMinute} requests a minute, at most ${burst} at once`;
  if (of !== 'share') return `The limit of ${limit}, is used up.`;
  const set = limits?.rateShare ?? null;
  if (set !== null) return `This credential has used up its share, ${set} percent of ${limit}.`;
  return `This credential has used up its half of ${limit}. The other half is for the other keys and applications of the organization.`;
}

@Injectable()
export class ScopeGuard {
  constructor(private readonly challenge: Challenge) {}

  check({ caller, operation: { scope, role, concerns } }: Pick<Call, 'caller' | 'operation'>): void {
    const lack = lackOf(caller, { scope, role, concerns });
    if (!lack) return;
    // Without the challenge of a missing scope: a client would ask for consents that cannot help.
    if (lack === 'role') {
      const { name, role: own } = caller.user!;
      const who = caller.type === 'user' ? 'You have' : `${name}, who is acted for, has`;
      throw new Problem('role_required', { detail: `This operation takes the role ${role}. ${who} the role ${own}.` });
    }
    if (lack === 'projects') outOfReach();
    throw new Problem('scope_missing', {
      detail: `This operation needs the scope ${scope}.`,
      headers: { 'WWW-Authenticate': this.challenge.insufficientScope(scope!, '', caller.boundTo === null ? 'Bearer' : 'DPoP') },
    });
  }
}

@Injectable()
export class PlanGuard {
  constructor(private readonly settings: Settings) {}

  check({ caller, operation: { plan } }: Pick<Call, 'caller' | 'operation'>): void {
    if (!plan || this.settings.plans.includes(caller.organization.plan, plan)) return;
    throw new Problem('plan_required', { detail: `This operation needs the plan ${plan}.` });
  }
}

@Injectable()
export class Guards {
  constructor(
    readonly allowlist: IpAllowlistGuard,
    readonly rateLimit: RateLimitGuard,
    readonly scope: ScopeGuard,
    readonly plan: PlanGuard,
    readonly planned: PlannedAnswers,
  ) {}
}

/** Limits the routes with `@Protocol` by address, since their callers have no credential yet. */
@Injectable()
export class OpenRouteGuard implements CanActivate {
  constructor(private readonly limiter: AddressLimiter) {}

  async canActivate(execution: ExecutionContext): Promise<boolean> {
    // The handlers of operations are called by the executor, without Nest.
    const { limit } = protocolOf(execution.getHandler())!;
    // Handlers count failures themselves, once they know of one.
    if (limit === 'probes' || limit === 'failures') return true;
    const refusal = await this.limiter.findRefusal(limit, execution.switchToHttp().getRequest<FastifyRequest>().ip);
    if (refusal) throw refusal;
    return true;
  }
}
