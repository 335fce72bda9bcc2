import { Injectable } from '@nestjs/common';
import { Problem } from '../../kernel/problems.js';
import { Database } from '../../store/database/database.js';

const PING = { name: 'health.ping', text: 'SELECT 1 AS ok' };
/** Probes are answered within a second, whatever the database does. */
const READY_TIMEOUT_MS = 800;

/** Whether this process can do its work. It can without Redis. */
@Injectable()
export class Health {
  private isStopping = false;
  /** Probes that arrive together share one statement, so that a slow database is not asked ever more often. */
  private ping: Promise<unknown> | undefined;

  constructor(private readonly database: Database) {}

  /** From now on the process is not ready: no new work should be sent to it. */
  stop(): void {
    this.isStopping = true;
  }

  /** Throws the reason why the process is not ready. */
  async requireReady(): Promise<void> {
    if (this.isStopping) throw notReady('This process is stopping.');
    this.ping ??= this.database.shortRead(PING, []).finally(() => (this.ping = undefined));
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(notReady('The database does not answer at the moment.')), READY_TIMEOUT_MS);
    });
    await Promise.race([this.ping, timeout]).finally(() => clearTimeout(timer));
  }
}

const notReady = (detail: string): Problem => new Problem('unavailable', { detail, headers: { 'Retry-After': '1' } });
