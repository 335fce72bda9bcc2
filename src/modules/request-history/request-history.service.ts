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

export type HistoryPage = { readonly requests: readonly ApiRequest[]; readonly next: string | undefined };

/** `before`: a call that was shown already. The others are times. */
type HistoryQuery = HistoryFilter & { readonly [bound in 'before' | 'since' | 'until']?: string | undefined };

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

  private note({ caller, operation, status, path, problem, durationMs, isDryRun, ...call }: AnsweredCall): void {
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
      requestId: call.requestId,
      credentialId: caller.id,
      credentialName: caller.name,
      client: call.client ?? null,
      ipAddress: call.ipAddress,
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

  /** The newest first. */
  async list(tenant: Tenant, { before, since, until, ...filter }: HistoryQuery, size: number): Promise<HistoryPage> {
    await this.recorder.write();
    const shown = before !== undefined && isUuid(before) ? before.toLowerCase() : LAST_ID;
    const between = {
      after: [this.oldest(), since === undefined ? '' : firstIdOf(new Date(since))].sort()[1]!,
      before: [shown, until === undefined ? LAST_ID : firstIdOf(new Date(until))].sort()[0]!,
    };
    const found = await this.history.list(tenant, filter, between, size + 1);
    const requests = found.slice(0, size);
    const last = requests.at(-1)?.id;
    if (found.length > size) return { requests, next: last };
    // What was written meanwhile has moved the end of the search: nothing is shown twice.
    const end = await this.history.searchedTo(tenant, filter, between);
    return { requests, next: end && [end, last ?? end].sort()[0] };
  }

  async get(tenant: Tenant, id: string): Promise<ApiRequest> {
    const found = isUuid(id) ? await this.history.get(tenant, id) : undefined;
    if (!found) throw Problem.notFound(`call with this id; ${this.kept}`);
    return found;
  }

  /** Calls by the id that stands in `X-Request-Id`. A caller may have used one for several. */
  async withRequestId(tenant: Tenant, requestId: string): Promise<readonly ApiRequest[]> {
    return (await this.list(tenant, { requestId }, SAME_ID_MAX)).requests;
  }

  /** The id of one for the examples of the documents, which a fresh installation has not been asked yet. */
  async sample(tenant: Tenant & Pick<ApiRequest, 'environment'>, credentialName: string): Promise<string> {
    const [newest] = (await this.list(tenant, {}, 1)).requests;
    if (newest) return newest.id;
    const { organizationId, environment } = tenant;
    const [id, answeredAt] = [newId(), this.clock.timestamp()];
    const call = { operation: 'api.catalog', method: 'GET', path: '/v1', status: 200, problem: null, durationMs: 1, requestId: newId() };
    const by = { credentialId: organizationId, credentialName, client: null, ipAddress: '127.0.0.1' };
    await this.history.insert([{ id, organizationId, environment, answeredAt, ...call, ...by }]);
    return id;
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
