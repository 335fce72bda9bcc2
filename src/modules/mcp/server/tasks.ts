import { CLIENT_CAPABILITIES_META_KEY, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { CallToolResult, InputRequiredResult, Server, ServerContext, StandardSchemaV1 } from '@modelcontextprotocol/server';
import { answerOf } from '../tools/answer-of.js';
import { isUnderWay, SHOWN_BY, stateOf, stepOf, type Followed } from '../tools/call-tool.js';
import { notFound, refused } from '../resources.js';
import type { CallRest, RestAnswer, Tool } from '../tools/tool.js';

/** The extension of revision 2026-07-28. A run of a report or a redaction goes on after the call: its client gets a task instead. */
export const TASKS = 'io.modelcontextprotocol/tasks';
const POLLED_EVERY_MS = 3_000;

export function takesTasks(capabilities: unknown): boolean {
  const { extensions } = (capabilities ?? {}) as { extensions?: Readonly<Record<string, unknown>> };
  return extensions?.[TASKS] !== undefined;
}

export const makesTasks = ({ operation, capability }: Tool): boolean => operation.endsWith('.create') && capability in SHOWN_BY;

const capabilitiesIn = ({ mcpReq: { envelope } }: ServerContext): unknown =>
  (envelope as Readonly<Record<string, unknown>> | undefined)?.[CLIENT_CAPABILITIES_META_KEY];

type Said = CallToolResult | InputRequiredResult;
type Call = (callRest: CallRest, context: ServerContext) => Promise<Said>;

/** Calls a tool, and answers with a task if the client takes one and what was made goes on. It does not wait for progress then. */
export async function callForTask(tool: Tool, callRest: CallRest, context: ServerContext, call: Call): Promise<Said> {
  if (!makesTasks(tool) || !takesTasks(capabilitiesIn(context))) return call(callRest, context);
  let made: RestAnswer | undefined;
  const noted: CallRest = async (asked) => {
    const answer = await callRest(asked);
    if (asked.operation === tool.operation && !asked.isDryRun && answer.status < 300) made = answer;
    return answer;
  };
  const { _meta: _progress, ...mcpReq } = context.mcpReq;
  const said = await call(noted, { ...context, mcpReq });
  return made && isUnderWay(made) ? { resultType: 'task', ...taskOf(tool, made.body as Followed), content: [] } : said;
}

/** Its id names the tool and the record, so nothing is kept for it: who may read the record may follow the task. */
const taskOf = ({ name }: Tool, record: Followed) => ({
  taskId: `${name}:${record.id}`,
  status: 'working',
  statusMessage: stepOf(record).message,
  createdAt: record.createdAt,
  lastUpdatedAt: record.updatedAt,
  ttlMs: null,
  pollIntervalMs: POLLED_EVERY_MS,
});

/** A run that has failed is a result that says so. The failures of tasks are those of the protocol. */
function foundTask(tool: Tool, answer: RestAnswer) {
  const task = taskOf(tool, answer.body as Followed);
  if (isUnderWay(answer)) return task;
  const state = stateOf(answer.body as Followed);
  const ended = { ...task, statusMessage: `It is ${state}.` };
  if (state === 'cancelled') return { ...ended, status: 'cancelled' };
  return { ...ended, status: 'completed', result: answerOf(tool, {}, answer).asResult() };
}

interface Named {
  readonly tool: Tool;
  readonly id: string;
}

function toolOf(tools: readonly Tool[], taskId: string): Named {
  const [name, id = ''] = taskId.split(':', 2);
  const tool = tools.find((candidate) => candidate.name === name && makesTasks(candidate));
  if (!tool) throw unknownTask();
  return { tool, id };
}

async function findTask({ tool, id }: Named, callRest: CallRest) {
  const { id: parameter, ...get } = SHOWN_BY[tool.capability]!;
  const answer = await callRest({ ...get, method: 'GET', query: {}, params: { [parameter]: id } });
  if (answer.status !== 200) throw notFound(answer) ? unknownTask() : refused(answer, 'The task cannot be read.');
  return foundTask(tool, answer);
}

/** Cancelling is a wish: what has ended stays as it is, and a redaction goes on. Asked for again, it is the same call. */
async function cancelTask({ tool, id }: Named, callRest: CallRest): Promise<void> {
  if (tool.capability !== 'claim_reports') return;
  const path = '/v1/claim-reports/{report_id}/cancel';
  const call = { operation: 'claim_reports.cancel', method: 'POST', path, query: {}, params: { report_id: id }, key: `cancel ${id}` };
  const answer = await callRest(call);
  if (answer.status >= 300 && answer.status !== 409) throw refused(answer, 'The task cannot be cancelled.');
}

const unknownTask = () => new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such task.');

/** The SDK leaves methods of extensions to the server, and what their parameters are. */
const PARAMS: StandardSchemaV1<unknown, { taskId: string }> = {
  '~standard': {
    version: 1,
    vendor: 'claims',
    validate: (params: unknown) => {
      const { taskId } = (params ?? {}) as { taskId?: unknown };
      return typeof taskId === 'string' ? { value: { taskId } } : { issues: [{ message: 'taskId must be a string' }] };
    },
  },
};

/** Runs never ask for anything, so there is nothing to update. */
const METHODS = ['tasks/get', 'tasks/update', 'tasks/cancel'] as const;

/** `guard` lets no failure through that the client must not see. */
export function serveTasks(
  server: Server,
  tools: readonly Tool[],
  callRest: CallRest,
  guard: <T>(answer: () => Promise<T>) => Promise<T>,
): void {
  server.registerCapabilities({ extensions: { [TASKS]: {} } });
  for (const method of METHODS)
    server.setRequestHandler(method, { params: PARAMS }, ({ taskId }, context) =>
      guard(async () => {
        if (!takesTasks(capabilitiesIn(context)))
          throw new ProtocolError(ProtocolErrorCode.MissingRequiredClientCapability, 'Missing required client capability', {
            requiredCapabilities: { extensions: { [TASKS]: {} } },
          });
        const named = toolOf(tools, taskId);
        const task = await findTask(named, callRest);
        if (method === 'tasks/cancel' && task.status === 'working') await cancelTask(named, callRest);
        return method === 'tasks/get' ? task : {};
      }),
    );
}
