import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { Log } from '../../kernel/log.js';
import { ApiKeysRepository } from './api-keys.repository.js';

const WRITE_INTERVAL_MS = 5000;

/** Keeps `lastUsedAt` of keys: one write for all keys every few seconds, instead of one per request. */
@Injectable()
export class KeyUse implements OnApplicationShutdown {
  private used = new Map<string, string>();
  private readonly timer = setInterval(() => void this.write(), WRITE_INTERVAL_MS).unref();

  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly clock: Clock,
    @Inject(Log) private readonly log: Log,
  ) {}

  note(id: string): void {
    this.used.set(id, this.clock.timestamp());
  }

  async write(): Promise<void> {
    if (this.used.size === 0) return;
    const used = this.used;
    this.used = new Map();
    // A failure is not retried: the next use of each key writes a newer time.
    await this.keys.touch(used).catch((error: unknown) => this.log.warn({ err: error }, 'last use of keys not written'));
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.write();
  }
}
