import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { AnsweredCalls, type AnsweredCall } from '../../api/call/answered-calls.js';
import { newId } from '../../kernel/ids.js';
import { Log } from '../../kernel/log.js';
import { Settings } from '../../kernel/settings/settings.js';
import { Clock } from '../../kernel/time.js';
import { type ApiRequest, KEPT_PER_SECOND, SAMPLED_OF, WAITING_MAX } from './api-request.entity.js';
import { RequestHistoryRepository } from './request-history.repository.js';

const WRITE_EVERY_MS = 1000;

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
