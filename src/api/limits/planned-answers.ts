import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { atMost } from '../../kernel/bounded.js';
import { Problem, PROBLEMS, type ProblemCode } from '../../kernel/problems.js';
import type { RedisClient } from '../../store/redis/connect-redis.js';
import { REDIS } from '../../store/redis/redis.module.js';
import type { Call } from '../call/call.js';
import { callerIdOf, type Limited } from './rate-limiter.js';

export interface PlannedAnswer {
  readonly problem: ProblemCode | null;
  readonly delayMs: number;
}

/** What is not asked for by then is forgotten. */
const KEPT_MS = 600_000;
/** Callers whose answers a process keeps without Redis. */
const MAX_CALLERS = 1000;
const RETRY_AFTER = { 'Retry-After': '1' };

/** What the next calls of a caller get, so that a client can be tried against what is rare. In the test environment alone. */
@Injectable()
export class PlannedAnswers {
  private readonly local = new LRUCache<string, string[]>(atMost(MAX_CALLERS));

  constructor(@Inject(REDIS) private readonly redis: RedisClient | null) {}

  /** In place of those that are left. */
  async plan(caller: Limited, answers: readonly PlannedAnswer[]): Promise<void> {
    const [key, texts] = [keyOf(caller), answers.map((answer) => JSON.stringify(answer))];
    if (!this.redis) return void this.local.set(key, texts);
    const work = this.redis.multi().del(key);
    if (texts.length > 0) work.rpush(key, ...texts).pexpire(key, KEPT_MS);
    await work.exec().catch((cause: unknown) => {
      throw new Problem('unavailable', { cause });
    });
  }

  /** Throws what is planned for the call, after its delay. Calls that plan answers get none. */
  async give({ caller, operation }: Pick<Call, 'caller' | 'operation'>): Promise<void> {
    if (caller.environment !== 'test' || operation.environment === 'test') return;
    const key = keyOf(caller);
    const text = this.redis ? await this.redis.lpop(key).catch(() => null) : this.local.get(key)?.shift();
    if (!text) return;
    const { problem, delayMs } = JSON.parse(text) as PlannedAnswer;
    await delay(delayMs);
    if (problem === null) return;
    const headers = PROBLEMS[problem].retry === 'later' ? RETRY_AFTER : {};
    throw new Problem(problem, { detail: 'This answer was planned by POST /v1/test/answers.', headers });
  }
}

const keyOf = (caller: Limited): string => `claims:planned:${caller.organization.id}:${callerIdOf(caller)}`;
