import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { rowsOf } from './database.js';
import { eventually } from './eventually.js';
import type { OwnPostgres } from './own-postgres.js';
import type { TestProcess } from './process.js';

/** Where Debian installs libfaketime, by the name of the processor. */
const LIBRARIES = '/usr/lib';
const NEAR_MS = 10_000;

function library(): string {
  const found = [
    process.env.TEST_FAKETIME_PATH,
    ...readdirSync(LIBRARIES).map((name) => join(LIBRARIES, name, 'faketime/libfaketimeMT.so.1')),
  ];
  const path = found.find((candidate) => candidate && existsSync(candidate));
  if (!path) throw new Error('libfaketime is missing: install it (apt-get install faketime), or set TEST_FAKETIME_PATH.');
  return path;
}

/** The clock of a machine that can be set while processes run. The time since a moment, which timers go by, stays right. */
export class SteppingClock {
  private readonly folder = mkdtempSync(join(tmpdir(), 'claims-clock-'));
  private readonly file = join(this.folder, 'offset');
  /** What the processes on that machine are started with. */
  readonly env = {
    LD_PRELOAD: library(),
    FAKETIME_TIMESTAMP_FILE: this.file,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    FAKETIME_CACHE_DURATION: '1',
    FAKETIME_DONT_RESET: '1',
  };

  constructor(private offsetMs = 0) {
    // A Postgres may run as another user.
    chmodSync(this.folder, 0o755);
    this.set(offsetMs);
  }

  /** Returns once all of these processes have the time. */
  async step(offsetMs: number, processes: readonly TestProcess[]): Promise<void> {
    this.set(offsetMs);
    for (const { metrics } of processes)
      await eventually(async () => {
        const answer = await fetch(`${metrics}/metrics`);
        await answer.arrayBuffer();
        const at = Date.parse(answer.headers.get('date')!);
        expect(Math.abs(at - Date.now() - this.offsetMs)).toBeLessThan(NEAR_MS);
      });
  }

  /** The same for a Postgres on that machine. */
  async stepDatabase(offsetMs: number, { directUrl }: OwnPostgres): Promise<void> {
    this.set(offsetMs);
    const sql = 'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms';
    await eventually(async () => {
      const [row] = await rowsOf<{ ms: number }>(directUrl, sql);
      expect(Math.abs(row!.ms - Date.now() - this.offsetMs)).toBeLessThan(NEAR_MS);
    });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }

  private set(offsetMs: number): void {
    this.offsetMs = offsetMs;
    writeFileSync(this.file, `${offsetMs < 0 ? '-' : '+'}${Math.abs(offsetMs) / 1000}\n`);
  }
}
