import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { LEASE_MS, type Deployment } from './deployment.js';
import { eventually } from './eventually.js';
import type { TestProcess } from './process.js';
import { UNANSWERED, type Writers } from './writers.js';

/** Something that happens to a running deployment, and is over when this returns. */
export interface Fault {
  readonly make: (deployment: Deployment, lastsMs: number, writers: Writers) => Promise<void>;
  /** With what calls may be refused, beside a 503. */
  readonly refusal?: number;
  /** How soon calls are refused at the latest. */
  readonly refusedWithinMs?: number;
}

/** A server that takes bytes and returns none is noticed only after a while. */
const NOTICED_WITHIN_MS = 5000;
const RESET_EVERY_MS = 150;
const LATE_MS = 40;
/** Connections beyond those that take the last descriptors of a process. It closes these. */
const TOO_MANY = 20;
/** Sooner than it closes connections that send nothing. */
const CLOSED_WITHIN_MS = 5000;

async function again(everyMs: number, lastsMs: number, act: () => Promise<void> | void): Promise<void> {
  const end = performance.now() + lastsMs;
  while (performance.now() < end) {
    await act();
    await delay(everyMs);
  }
}

const limitOf = (pid: number): string =>
  execFileSync('prlimit', ['--pid', String(pid), '--nofile', '--output', 'SOFT', '--noheadings'], { encoding: 'utf8' }).trim();
const limit = (pid: number, descriptors: string): unknown => execFileSync('prlimit', ['--pid', String(pid), `--nofile=${descriptors}:`]);

/** Connections without a request take all descriptors that a process has left, for a while: it closes those that come then. */
async function withoutDescriptors({ pid, url }: TestProcess, lastsMs: number): Promise<void> {
  const before = limitOf(pid);
  const open = readdirSync(`/proc/${pid}/fd`).map(Number);
  const most = Math.max(...open) + 1;
  limit(pid, String(most));
  const { hostname, port } = new URL(url);
  const idle = Array.from({ length: most - open.length + TOO_MANY }, () =>
    connect(Number(port), hostname)
      .on('error', () => undefined)
      .resume(),
  );
  await eventually(() => expect(idle.some(({ destroyed }) => destroyed)).toBe(true), CLOSED_WITHIN_MS);
  await delay(lastsMs);
  for (const connection of idle) connection.destroy();
  limit(pid, before);
}

/** By what happens. */
export const FAULTS: Readonly<Record<string, Fault>> = {
  'API killed, another one started': { make: (deployment) => deployment.lose('api'), refusal: UNANSWERED },
  'Worker killed, another one started': { make: (deployment) => deployment.lose('worker') },
  'Workers stopped for longer than their lease, then continued': {
    make: async ({ processes }, lastsMs) => {
      for (const { pid } of processes.worker) process.kill(pid, 'SIGSTOP');
      await delay(LEASE_MS + lastsMs);
      for (const { pid } of processes.worker) process.kill(pid, 'SIGCONT');
    },
  },
  'API without file descriptors': {
    make: ({ processes }, lastsMs) => withoutDescriptors(processes.api[0]!, lastsMs),
    refusal: UNANSWERED,
  },
  'Postgres killed, and started again': {
    make: async ({ postgres }) => {
      await postgres.kill();
      await postgres.startAgain();
    },
  },
  'Session of Postgres killed: the server recovers by itself': {
    make: ({ postgres }) => postgres.killSession(),
    // Until all its sessions have ended, the server accepts no connection.
    refusedWithinMs: NOTICED_WITHIN_MS,
  },
  'All sessions of Postgres ended, again and again': {
    make: ({ postgres }, lastsMs) => again(RESET_EVERY_MS, lastsMs, () => postgres.endSessions()),
  },
  'Postgres refuses connections': {
    make: async ({ postgres: { proxy } }, lastsMs) => {
      proxy.cut();
      await delay(lastsMs);
      proxy.restore();
    },
  },
  'Postgres silent (black hole)': {
    make: async ({ postgres: { proxy } }, lastsMs) => {
      proxy.silence();
      await delay(lastsMs);
      proxy.restore();
    },
    refusedWithinMs: NOTICED_WITHIN_MS,
  },
  'Connections to Postgres reset, again and again': {
    make: ({ postgres: { proxy } }, lastsMs) =>
      again(RESET_EVERY_MS, lastsMs, () => {
        proxy.cut();
        proxy.restore();
      }),
  },
  [`Every packet from and to Postgres ${LATE_MS} ms late`]: {
    make: async ({ postgres: { proxy } }, lastsMs) => {
      proxy.delayMs = LATE_MS;
      await delay(lastsMs);
      proxy.delayMs = 0;
    },
  },
  'Redis loses its data': { make: ({ redis }) => redis.flush() },
  'Redis killed, and started again': {
    make: async ({ redis }, lastsMs) => {
      await redis.kill();
      await delay(lastsMs);
      await redis.startAgain();
    },
  },
  'Redis refuses connections': {
    make: async ({ redis: { proxy } }, lastsMs) => {
      proxy.cut();
      await delay(lastsMs);
      proxy.restore();
    },
  },
  'Redis silent (black hole)': {
    make: async ({ redis: { proxy } }, lastsMs) => {
      proxy.silence();
      await delay(lastsMs);
      proxy.restore();
    },
  },
};
