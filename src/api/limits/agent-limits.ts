import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Problem } from '../../kernel/problems.js';
import { Settings } from '../../kernel/settings/settings.js';
import { NO_LIMITS } from './own-limits.js';
import { callerIdOf, DAY_MS, RateLimiter, type Limited } from './rate-limiter.js';

/** What a connection of a language model is known by: an application has one for each person. */
export type Agent = Limited & { readonly user?: { readonly id: string } | null };

const MINUTE_MS = 60_000;
/** How long a repeated call is remembered, and how many are. */
const WITHIN_MS = 10 * MINUTE_MS;
const REMEMBERED_MAX = 10_000;
const SLOWER_BY_MS = 500;
const SLOWED_MAX_MS = 5_000;
/** Few texts have fewer characters for a token. */
const CHARACTERS_OF_TOKEN = 4;

interface Repeated {
  readonly answer: string;
  readonly times: number;
  readonly at: number;
}

/** The budgets of a connection that are for tools alone, and whether it goes round in a circle. */
@Injectable()
export class AgentLimits {
  /** Of this process: a client that is served by several is told later. */
  private readonly repeated = new Map<string, Repeated>();

  constructor(
    private readonly limiter: RateLimiter,
    private readonly settings: Settings,
  ) {}

  /** Before a call. An answer is counted when its size is known: the last one may have more tokens than were left. */
  async requireTokens(agent: Agent): Promise<void> {
    const { dailyTokens } = agent.limits ?? NO_LIMITS;
    if (dailyTokens === null) return;
    const { remaining } = await this.take(agent, 'tokens', dailyTokens, 0);
    if (remaining < 1) throw usedUp(`${dailyTokens} tokens of answers`, dailyTokens);
  }

  /** Before a write, which nothing but itself can refuse any more. */
  async requireWrite(agent: Agent): Promise<void> {
    const { dailyWrites } = agent.limits ?? NO_LIMITS;
    if (dailyWrites === null) return;
    const { allowed } = await this.take(agent, 'writes', dailyWrites, 1);
    if (!allowed) throw usedUp(`${dailyWrites} writes`, dailyWrites);
  }

  /** After a call. What it returns tells a model that it gets nowhere; then the answer is held back for a while. */
  async count(agent: Agent, call: string, answer: string): Promise<string | undefined> {
    const { dailyTokens } = agent.limits ?? NO_LIMITS;
    if (dailyTokens !== null) {
      const tokens = Math.min(dailyTokens, Math.ceil(answer.length / CHARACTERS_OF_TOKEN));
      const { allowed, remaining } = await this.take(agent, 'tokens', dailyTokens, tokens);
      if (!allowed) await this.take(agent, 'tokens', dailyTokens, remaining);
    }
    const { toolRepeats } = this.settings;
    const times = toolRepeats === 0 ? 1 : this.timesInARow(`${keyOf(agent)} ${call}`, answer);
    if (times <= toolRepeats || toolRepeats === 0) return undefined;
    await delay(Math.min((times - toolRepeats) * SLOWER_BY_MS, SLOWED_MAX_MS));
    return `The last ${times} answers to this call were the same. Calling again will not change it: do something else, or wait.`;
  }

  private timesInARow(call: string, answer: string): number {
    const [key, hash, at] = [digestOf(call), digestOf(answer), performance.now()];
    const known = this.repeated.get(key);
    const times = known && known.answer === hash && at - known.at < WITHIN_MS ? known.times + 1 : 1;
    // The oldest comes first, and goes first.
    this.repeated.delete(key);
    this.repeated.set(key, { answer: hash, times, at });
    if (this.repeated.size > REMEMBERED_MAX) this.repeated.delete(this.repeated.keys().next().value!);
    return times;
  }

  /** A bucket that takes a day to fill: no moment of the day gives all of it back at once. */
  private take(agent: Agent, what: string, limit: number, cost: number) {
    return this.limiter.take(`${keyOf(agent)}:${what}`, { perMinute: (limit * MINUTE_MS) / DAY_MS, burst: limit }, cost);
  }
}

const keyOf = (agent: Agent): string => {
  const { organization, environment, user } = agent;
  return `{${organization.id}:${environment}}:${callerIdOf(agent)}:${user?.id ?? ''}`;
};

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64');

function usedUp(what: string, limit: number): Problem {
  const detail = `This connection has used up its ${what} by tools in 24 hours. They come back one by one.`;
  return new Problem('rate_limited', { detail, headers: { 'Retry-After': String(Math.ceil(DAY_MS / limit / 1000)) } });
}
