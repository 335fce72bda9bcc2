import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { AnsweredCalls, type AnsweredCall } from '../../api/call/call.js';
import { duration, say } from '../../api/console/say.js';
import type { Tenant } from '../../kernel/context.js';
import { firstIdOf, isUuid, newId } from '../../kernel/ids.js';
import { Log } from '../../kernel/log.js';
import { Problem } from '../../kernel/problems.js';
import { Settings } from '../../kernel/settings/settings.js';
import { Clock } from '../../kernel/time.js';
import { type PartitionedTable, PartitionRetention, RETENTION_INTERVAL_MS } from '../../store/database/partitions.js';
import { Job } from '../../store/jobs/job.decorator.js';
import { type ApiRequest, SAMPLED_OF, KEPT_PER_SECOND, WAITING_MAX } from './api-request.entity.js';
import { RequestHistoryRepository, type HistoryFilter } from './request-history.repository.js';

/** Greater than every id. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const SAME_ID_MAX = 50;

export interface HistoryPage {
  readonly requests: readonly ApiRequest[];
  readonly next: string | undefined;
}

/** Notes calls in memory, and writes them in one statement a second: no call waits for it. */
@Injectable()
export class RequestRecorder implements OnModuleInit, OnApplicationShutdown {
  private waiting: ApiRequest[] = [];
  /** How many calls were kept since the last write, by tenant and by whether they failed. */
  private kept = new Map<string, number>();
  private writing: Promise<void> = Promise.resolve();
  private readonly timer = setInterval(() => void this.write(), WRITE_EVERY_MS).unref();

  constructor(
    private readonly calls: AnsweredCalls,
    private readonly history: RequestHistoryRepository,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    this.calls.onAnswered((call) => this.note(call));
  }

  write(): Promise<void> {
    return (this.writing = this.writing.then(() => this.writeWaiting()));
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.write();
  }

  private note({ caller, operation, status, path, problem, durationMs, requestId, ipAddress, isDryRun }: AnsweredCall): void {
    if (!caller || isDryRun || !this.isKept(status >= 400)) return;
    const { environment } = caller;
    const organizationId = caller.organization.id;
    const tenant = `${organizationId} ${environment} ${status >= 400}`;
    const count = (this.kept.get(tenant) ?? 0) + 1;
    if (count > KEPT_PER_SECOND) return;
    this.kept.set(tenant, count);
    this.waiting.push({
      id: newId(),
      organizationId,
      environment,
      answeredAt: this.clock.timestamp(),
      operation: operation.id,
      method: operation.method,
      path,
      status,
      problem: problem ?? null,
      durationMs: Math.round(durationMs),
      requestId,
      credentialId: caller.id,
      credentialName: caller.name,
      ipAddress,
    });
  }

  /** By chance: of calls that alternate, every hundredth is always the same one. */
  private isKept(isFailed: boolean): boolean {
    const { requestHistory } = this.settings;
    if (requestHistory === 'off' || requestHistory === 'all') return requestHistory === 'all';
    return isFailed || (requestHistory === 'sampled' && Math.random() < 1 / SAMPLED_OF);
  }

  private async writeWaiting(): Promise<void> {
    const requests = this.waiting.splice(0);
    this.kept = new Map();
    if (requests.length === 0) return;
    try {
      await this.history.insert(requests);
    } catch (error) {
      this.waiting = [...requests, ...this.waiting];
      const dropped = this.waiting.splice(0, Math.max(0, this.waiting.length - WAITING_MAX)).length;
      this.log.warn({ err: error, dropped }, 'history of requests not written, will retry');
    }
  }
}

@Injectable()
export class RequestHistoryService {
  constructor(
    private readonly history: RequestHistoryRepository,
    private readonly recorder: RequestRecorder,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  /** The newest first, before a call that was shown already. */
  async list(tenant: Tenant, filter: HistoryFilter, before: string | undefined, size: number): Promise<HistoryPage> {
    await this.recorder.write();
    const between = { after: this.oldest(), before: before !== undefined && isUuid(before) ? before : LAST_ID };
    const found = await this.history.list(tenant, filter, between, size + 1);
    const requests = found.slice(0, size);
    return { requests, next: found.length > size ? requests.at(-1)!.id : undefined };
  }

  async get(tenant: Tenant, id: string): Promise<ApiRequest> {
    const found = isUuid(id) ? await this.history.get(tenant, id) : undefined;
    if (!found) throw Problem.notFound(`call with this id; ${this.kept}`);
    return found;
  }

  /** Calls by the id that stands in `X-Request-Id`. A caller may have used one for several. */
  async withRequestId(tenant: Tenant, requestId: string): Promise<readonly ApiRequest[]> {
    await this.recorder.write();
    return this.history.byRequest(tenant, requestId, this.oldest(), SAME_ID_MAX);
  }

  /** Which calls are kept, and for how long: what is not here may have been answered all the same. */
  get kept(): string {
    const { requestHistory: kind, requestHistoryRetentionMs } = this.settings;
    return say('console.requests.kept', { kind, of: SAMPLED_OF, time: duration(requestHistoryRetentionMs) });
  }

  private oldest(): string {
    return firstIdOf(new Date(this.clock.now().getTime() - this.settings.requestHistoryRetentionMs));
  }
}

@Injectable()
export class RequestRetention extends PartitionRetention {
  protected readonly table: PartitionedTable = { table: 'api_requests', by: 'id', period: 'week' };

  @Job({
    id: 'requests.retain',
    summary: 'Creates partitions for the history of requests and drops those that are older than REQUEST_HISTORY_RETENTION.',
    everyMs: RETENTION_INTERVAL_MS,
  })
  retain(): Promise<void> {
    return this.apply(this.settings.requestHistoryRetentionMs);
  }
}

const WRITE_EVERY_MS = 1000;
