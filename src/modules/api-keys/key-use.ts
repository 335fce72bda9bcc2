import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { Log } from '../../kernel/log.js';
import { ApiKeysRepository } from './api-keys.repository.js';

const WRITTEN_EVERY_MS = 5000;

/** When each key was last used, written now and then for all of them at once: never a write per request. */
@Injectable()
export class KeyUse implements OnApplicationShutdown {
  private used = new Map<string, string>();
  private readonly timer = setInterval(() => void this.write(), WRITTEN_EVERY_MS).unref();

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
    // What is lost here is how recently a key was used, and its next use says so again.
    await this.keys.touch(used).catch((error: unknown) => this.log.warn({ err: error }, 'The last use of keys was not written'));
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.write();
  }
}
