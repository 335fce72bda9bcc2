import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Principal } from '../../api/access/principal.js';
import { AnsweredCalls, type AnsweredCall } from '../../api/call/call.js';
import { TenantLimits, type Limited } from '../../api/limits/rate-limiter.js';
import { Registry } from '../../api/operation/registry.js';
import type { Tenant } from '../../kernel/context.js';
import { newId } from '../../kernel/ids.js';
import { Log } from '../../kernel/log.js';
import { Clock } from '../../kernel/time.js';
import { OrganizationService } from '../organization/index.js';
import { billingPeriod, type BillingPeriod } from './billing-period.js';
import { CLIENTS_MAX, type CountedCredential } from './usage-credential.entity.js';
import type { DayOfUsage, UsageDay } from './usage-day.entity.js';
import { CREDENTIALS_MAX, type UsageSummaryDto } from './usage.dto.js';
import { UsageRepository, type UsageBatch } from './usage.repository.js';

type Called = Omit<Principal, 'type'> & Pick<CountedCredential, 'type' | 'day'>;

/** Counts requests in memory and adds the counts to the database in one statement, twice a second: no write per request. */
@Injectable()
export class UsageCounter implements OnModuleInit, OnApplicationShutdown {
  private counts = new Map<string, UsageDay>();
  private credentials = new Map<string, CountedCredential>();
  private readonly writerId = newId();
  private lastNumber = 0;
  private unwritten: UsageBatch | undefined;
  private writing: Promise<void> = Promise.resolve();
  private next: Promise<void> | undefined;
  private readonly timer = setInterval(() => void this.write(), WRITE_EVERY_MS).unref();

  constructor(
    private readonly calls: AnsweredCalls,
    private readonly usage: UsageRepository,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  onModuleInit(): void {
    this.calls.onAnswered((call) => this.count(call));
  }

  /** So that a caller who then reads the usage sees their own requests. All who ask during a write share the next one. */
  write(): Promise<void> {
    this.next ??= this.writing = this.writing.then(() => {
      this.next = undefined;
      return this.writeCounts();
    });
    return this.next;
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.write();
  }

  private count({ caller, isCounted, operation, status, client }: AnsweredCall): void {
    if (!caller || !isCounted) return;
    const { organization, environment, type } = caller;
    const day = this.clock.timestamp().slice(0, 10);
    this.add({
      organizationId: organization.id,
      environment,
      day,
      capability: operation.capability,
      reads: operation.isWrite ? 0 : 1,
      writes: operation.isWrite ? 1 : 0,
      failed: status >= 400 ? 1 : 0,
    });
    if (type !== 'user') this.addCredential({ ...caller, type, day }, status === TOO_MANY, client);
  }

  private addCredential({ organization, environment, type, id, day, ...caller }: Called, isRefused: boolean, client?: string): void {
    const key = `${environment}:${day}:${id}`;
    const { calls, refused, clients } = this.credentials.get(key) ?? NO_CALLS;
    const isNamed = client !== undefined && (client in clients || Object.keys(clients).length < CLIENTS_MAX);
    this.credentials.set(key, {
      organizationId: organization.id,
      environment,
      day,
      credentialId: id,
      type,
      name: caller.application?.name ?? caller.name,
      calls: calls + 1,
      refused: refused + (isRefused ? 1 : 0),
      clients: isNamed ? { ...clients, [client]: (clients[client] ?? 0) + 1 } : clients,
      dailyCalls: caller.limits?.dailyCalls ?? null,
    });
  }

  private add(count: UsageDay): void {
    const key = `${count.organizationId}:${count.environment}:${count.day}:${count.capability}`;
    const known = this.counts.get(key);
    if (!known) return void this.counts.set(key, count);
    known.reads += count.reads;
    known.writes += count.writes;
    known.failed += count.failed;
  }

  /** Not until there are none: while requests come in, there are always more. */
  private async writeCounts(): Promise<void> {
    try {
      if (this.unwritten) await this.usage.add(this.unwritten);
      this.unwritten = this.nextBatch();
      if (this.unwritten) await this.usage.add(this.unwritten);
      this.unwritten = undefined;
    } catch (error) {
      this.log.warn({ err: error }, 'usage not written, will retry');
    }
  }

  private nextBatch(): UsageBatch | undefined {
    if (this.counts.size === 0) return undefined;
    const counts = [...this.counts.values()];
    const credentials = [...this.credentials.values()];
    this.counts = new Map();
    this.credentials = new Map();
    return { writerId: this.writerId, number: (this.lastNumber += 1), counts, credentials };
  }
}

@Injectable()
export class UsageService {
  constructor(
    private readonly usage: UsageRepository,
    private readonly counter: UsageCounter,
    private readonly organizations: OrganizationService,
    private readonly limits: TenantLimits,
    private readonly registry: Registry,
    private readonly clock: Clock,
  ) {}

  async summary(whose: Limited): Promise<UsageSummaryDto> {
    await this.counter.write();
    const tenant = { organizationId: whose.organization.id, environment: whose.environment };
    const { period } = await this.findPeriod(tenant);
    const [totals, credentials] = await Promise.all([
      this.usage.totals(tenant, period),
      this.usage.credentials(tenant, period, CREDENTIALS_MAX),
    ]);
    const counted = new Map(totals.map((row) => [row.capability, row]));
    const capabilities = this.registry.capabilities.map((capability) => {
      const { reads = 0, writes = 0, failed = 0 } = counted.get(capability) ?? {};
      return { capability, reads, writes, failed, total: reads + writes };
    });
    const total = capabilities.reduce((sum, capability) => sum + capability.total, 0);
    return {
      billingPeriod: period,
      environment: tenant.environment,
      capabilities,
      total,
      credentials: credentials.rows,
      credentialsLeftOut: credentials.inAll - credentials.rows.length,
      rateLimit: await this.limits.state(whose),
    };
  }

  /** From the first day of the period to today (UTC), also those without requests. */
  async byDay(tenant: Tenant): Promise<DayOfUsage[]> {
    await this.counter.write();
    const { period, today } = await this.findPeriod(tenant);
    const counted = new Map((await this.usage.days(tenant, period)).map((row) => [row.day, row]));
    return daysBetween(period.start, today).map((day) => counted.get(day) ?? { day, succeeded: 0, failed: 0 });
  }

  private async findPeriod({ organizationId }: Tenant): Promise<{ period: BillingPeriod; today: string }> {
    const { billingCycleAnchor } = await this.organizations.byId(organizationId);
    const today = this.clock.timestamp().slice(0, 10);
    return { period: billingPeriod(billingCycleAnchor, today), today };
  }
}

const DAY_MS = 86_400_000;

function daysBetween(first: string, last: string): string[] {
  const count = (Date.parse(last) - Date.parse(first)) / DAY_MS + 1;
  return Array.from({ length: count }, (_nothing, index) => new Date(Date.parse(first) + index * DAY_MS).toISOString().slice(0, 10));
}

const NO_CALLS: Pick<CountedCredential, 'calls' | 'refused' | 'clients'> = { calls: 0, refused: 0, clients: {} };
/** A process that is killed loses at most the counts of this time. */
const WRITE_EVERY_MS = 500;
const TOO_MANY = 429;
