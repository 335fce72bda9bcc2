import { Injectable } from '@nestjs/common';
import { duration, say } from '../../api/console/say.js';
import type { Tenant } from '../../kernel/context.js';
import { firstIdOf, isUuid } from '../../kernel/ids.js';
import { Problem } from '../../kernel/problems.js';
import { Settings } from '../../kernel/settings/settings.js';
import { Clock } from '../../kernel/time.js';
import { type PartitionedTable, PartitionRetention, RETENTION_INTERVAL_MS } from '../../store/database/partitions.js';
import { Job } from '../../store/jobs/job.decorator.js';
import { type ApiRequest, SAMPLED_OF } from './api-request.entity.js';
import { RequestRecorder } from './recorder.js';
import { RequestHistoryRepository, type HistoryFilter } from './request-history.repository.js';

/** Greater than every id. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const SAME_ID_MAX = 50;

/** A part of the history, and from where it goes on. */
export interface HistoryPage {
  readonly requests: readonly ApiRequest[];
  readonly next: string | undefined;
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
