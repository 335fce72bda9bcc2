import fc from 'fast-check';
import { Client } from '../support/client.js';
import type { RawAnswer } from '../support/raw.js';
import { RawConnection, type GeneratedRequest, type Received } from './connection.js';
import { generatedRequests } from './requests.js';
import { makePerishables, type World } from './world.js';

export interface Wanted {
  readonly requests: number;
  readonly seed: number;
  readonly connections: number;
  /** Called after each batch. */
  readonly onProgress?: (report: Report) => void;
}

/** What a service should never answer, with what is needed to send the request again. */
export interface Finding {
  readonly what: string;
  readonly route: string;
  /** The seed of its batch, and its place in it. */
  readonly seed: number;
  readonly index: number;
  /** One character for each byte. */
  readonly request: string;
  readonly answer: string;
}

export interface Report {
  sent: number;
  /** How many answers had each status; `none` for a connection that was closed without an answer. */
  readonly statuses: Record<string, number>;
  /** How many requests each route got, and how many of them succeeded. */
  readonly routes: Record<string, { sent: number; succeeded: number }>;
  readonly findings: Finding[];
}

const BATCH = 500;

/** Sends generated requests over several connections at once. The same seed generates the same requests, but for ids and tokens. */
export async function sendRequests(world: World, { requests, seed, connections, onProgress }: Wanted): Promise<Report> {
  const report: Report = { sent: 0, statuses: {}, routes: {}, findings: [] };
  const open = Array.from({ length: connections }, () => new RawConnection(world.url));
  for (let batch = 0; report.sent < requests; batch += 1) {
    const batchSeed = seed + batch;
    const size = Math.min(BATCH, requests - report.sent);
    const made = fc.sample(generatedRequests(world, await makePerishables(world)), { numRuns: size, seed: batchSeed });
    let next = 0;
    const work = async (connection: RawConnection): Promise<void> => {
      for (let index = next++; index < made.length; index = next++) {
        const request = made[index]!;
        note(report, request, await connection.send(request), { seed: batchSeed, index });
      }
    };
    await Promise.all(open.map(work));
    onProgress?.(report);
  }
  open.forEach((connection) => connection.close());
  // It still works.
  const { status, text } = await new Client(world.url, world.key).get('/v1/claim-projects');
  if (status !== 200) throw new Error(`After all requests, a valid one is answered ${status}: ${text}`);
  return report;
}

function note(report: Report, request: GeneratedRequest, { answer, rest }: Received, from: { seed: number; index: number }): void {
  const status = answer ? String(answer.status) : 'none';
  report.sent += 1;
  report.statuses[status] = (report.statuses[status] ?? 0) + 1;
  const route = (report.routes[request.route] ??= { sent: 0, succeeded: 0 });
  route.sent += 1;
  if (answer && answer.status < 400) route.succeeded += 1;
  const what = faultOf(request, answer, rest);
  if (what === undefined) return;
  const [sent, got] = [request.bytes.toString('latin1').slice(0, 4000), answer ? `${answer.status} ${answer.body}`.slice(0, 2000) : ''];
  report.findings.push({ what, route: request.route, ...from, request: sent, answer: got });
}

/** A stack, a path of the service or SQL. */
const INTERNALS = /\bat [\w.<>]+ \(|\/(?:node_modules|dist)\/|\b(?:SELECT|INSERT INTO|UPDATE) \w+ /;

function faultOf({ isFramed }: GeneratedRequest, answer: RawAnswer | undefined, rest: string): string | undefined {
  if (!answer) return isFramed ? 'no answer' : undefined;
  if (answer.status >= 500) return `status ${answer.status}`;
  // Whoever is told that the connection closes reads no further: a HEAD that cannot be read is answered with a body.
  if (isFramed && rest !== '' && answer.headers.get('connection') !== 'close') return 'more than one answer';
  if (answer.status >= 400 && INTERNALS.test(answer.body)) return 'internals in the answer';
  if (answer.status >= 400 && answer.headers.get('content-type') === undefined && answer.body !== '') return 'no content type';
  return undefined;
}
