import { Inject, Injectable } from '@nestjs/common';
import { inTime } from '../../kernel/in-time.js';
import { unavailable, Problem, PROBLEM_MEDIA_TYPE, problemBody } from '../../kernel/problems.js';
import { Database, prepared } from '../../store/database/database.js';
import type { RedisClient } from '../../store/redis/connect-redis.js';
import { answers, REDIS } from '../../store/redis/redis.module.js';
import { createServer, type Server } from 'node:http';
import { newShortLivedId } from '../../kernel/ids.js';

const PING = prepared({ name: 'health.ping', text: 'SELECT 1 AS ok' });
/** Probes are answered within a second, whatever the database does. */
const ANSWERED_WITHIN_MS = 800;

export interface DependenciesState {
  readonly status: 'ok';
  readonly database: 'ok';
  /** Without it, calls are answered and jobs run; limits and wake-ups are not shared. */
  readonly redis: 'ok' | 'unavailable' | 'not_used';
}

/** Two questions: all share the database, so a load balancer that asked for it would take all processes out at once, and answer itself. */
@Injectable()
export class Health {
  private isStopping = false;
  /** Probes that arrive together share one statement, so that a slow database is not asked ever more often. */
  private ping: Promise<unknown> | undefined;

  constructor(
    private readonly database: Database,
    @Inject(REDIS) private readonly redis: RedisClient | null,
  ) {}

  stop(): void {
    this.isStopping = true;
  }

  requireReady(): void {
    if (this.isStopping) throw unavailable('This process is stopping.');
  }

  /** Throws if the database is unavailable: without it no call is answered. */
  async dependencies(): Promise<DependenciesState> {
    await this.requireDatabase();
    return { status: 'ok', database: 'ok', redis: await this.redisState() };
  }

  private async requireDatabase(): Promise<void> {
    this.ping ??= this.database.shortRead(PING, []).finally(() => (this.ping = undefined));
    await inTime(this.ping, ANSWERED_WITHIN_MS, () => unavailable('The database does not answer at the moment.'));
  }

  private async redisState(): Promise<DependenciesState['redis']> {
    if (!this.redis) return 'not_used';
    return (await answers(this.redis)) ? 'ok' : 'unavailable';
  }
}

export interface ProbeAnswer {
  readonly status: number;
  readonly mediaType: string;
  readonly body: string;
}

export const okAnswer = (state: object): ProbeAnswer => ({ status: 200, mediaType: 'application/json', body: JSON.stringify(state) });

export function probeListener(baseUrl: string, answerAt: (path: string) => Promise<ProbeAnswer>): Server {
  return createServer((request, response) => {
    answerAt((request.url ?? '').split('?')[0]!)
      .catch((error: unknown) => refusalOf(error, baseUrl))
      .then(({ status, mediaType, body }) => {
        // A new connection for each probe, so that none keeps the process from ending.
        response.writeHead(status, { 'Content-Type': mediaType, 'Cache-Control': 'no-store', Connection: 'close' }).end(body);
      })
      .catch(() => response.destroy());
  });
}

/** Those of a process without the API. */
export const healthListener = (health: Health, baseUrl: string): Server =>
  probeListener(baseUrl, async (path) => okAnswer(await stateAt(path, health)));

function refusalOf(error: unknown, baseUrl: string): ProbeAnswer {
  const problem = error instanceof Problem ? error : new Problem('internal_error', { cause: error });
  const body = JSON.stringify(problemBody(problem, { baseUrl, requestId: newShortLivedId() }));
  return { status: problem.status, mediaType: PROBLEM_MEDIA_TYPE, body };
}

function stateAt(path: string, health: Health): object | Promise<object> {
  if (path === '/health/dependencies') return health.dependencies();
  if (path === '/health/ready') health.requireReady();
  else if (path !== '/health/live') throw new Problem('route_not_found');
  return { status: 'ok' };
}
