import { createServer, type Server } from 'node:http';
import { newShortLivedId } from '../../kernel/ids.js';
import { Problem, PROBLEM_MEDIA_TYPE, problemBody } from '../../kernel/problems.js';
import type { Health } from './health.js';

/** Serves the probes and nothing else, for a process without the API. */
export function healthListener(health: Health, baseUrl: string): Server {
  return createServer((request, response) => {
    void makeAnswer(health, request.url ?? '', baseUrl).then(({ status, mediaType, body }) => {
      // A new connection for each probe, so that none keeps the process from ending.
      response.writeHead(status, { 'Content-Type': mediaType, 'Cache-Control': 'no-store', Connection: 'close' });
      response.end(JSON.stringify(body));
    });
  });
}

async function makeAnswer(health: Health, url: string, baseUrl: string) {
  try {
    const [path] = url.split('?');
    return { status: 200, mediaType: 'application/json', body: await stateAt(path!, health) };
  } catch (error) {
    const problem = error instanceof Problem ? error : new Problem('internal_error', { cause: error });
    return { status: problem.status, mediaType: PROBLEM_MEDIA_TYPE, body: problemBody(problem, { baseUrl, requestId: newShortLivedId() }) };
  }
}

function stateAt(path: string, health: Health): object | Promise<object> {
  if (path === '/health/dependencies') return health.dependencies();
  if (path === '/health/ready') health.requireReady();
  else if (path !== '/health/live') throw new Problem('route_not_found');
  return { status: 'ok' };
}
