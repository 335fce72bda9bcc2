import { createServer, type Server } from 'node:http';
import { newShortLivedId } from '../../kernel/ids.js';
import { Problem, PROBLEM_MEDIA_TYPE, problemBody } from '../../kernel/problems.js';
import type { Health } from './health.js';

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
