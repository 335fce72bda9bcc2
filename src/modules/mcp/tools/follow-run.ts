import { setTimeout as delay } from 'node:timers/promises';
import type { ServerContext } from '@modelcontextprotocol/server';
import type { RestAnswer } from './rest-call.js';

/** The tool that a client may let wait, by asking for its progress. */
const FOLLOWING = 'get_claim_report';
/** Clients give up after a minute, and proxies often sooner. */
const MAX_WAIT_MS = 20_000;
const ASKED_EVERY_MS = 1_000;

interface Run {
  readonly status: string;
  readonly progress: { statements: number; statementsRead: number; linesRead: number; filesWritten: number } | null;
}

/** Asks for a run again until it has ended or the client has waited long enough, and tells the client how far it is. */
export async function follow(
  tool: string,
  ask: () => Promise<RestAnswer>,
  { mcpReq: { _meta, signal, notify } }: Pick<ServerContext, 'mcpReq'>,
): Promise<RestAnswer> {
  let answer = await ask();
  let told = -1;
  if (tool !== FOLLOWING) return answer;
  for (const end = Date.now() + MAX_WAIT_MS; isUnderWay(answer) && Date.now() < end && !signal.aborted;) {
    const step = stepOf(answer.body as Run);
    // The protocol wants a number that grows.
    if (step.progress > told) await notify({ method: 'notifications/progress', params: { progressToken: _meta!.progressToken!, ...step } });
    told = Math.max(told, step.progress);
    await delay(ASKED_EVERY_MS, undefined, { signal }).catch(() => undefined);
    const next = await ask();
    // A refusal, such as that of a limit, would tell less than the last answer.
    if (next.status !== 200) break;
    answer = next;
  }
  return answer;
}

const isUnderWay = ({ status, body }: RestAnswer): boolean => status === 200 && ['queued', 'running'].includes((body as Run).status);

function stepOf({ status, progress }: Run): { progress: number; message: string } {
  if (!progress) return { progress: status === 'queued' ? 0 : 1, message: `The run is ${status}.` };
  const { statements, statementsRead, linesRead, filesWritten } = progress;
  const read = `${statementsRead} of ${statements} bank statements read, ${linesRead} lines`;
  return { progress: 2 + linesRead + filesWritten, message: `The run is running: ${read}, ${filesWritten} files written.` };
}
