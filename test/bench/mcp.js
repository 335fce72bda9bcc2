// `npm run bench:mcp`: the cost of a tool call, compared with the API call that it makes: same process, key and load, in turn.
import { load, middle, posting } from './load.js';
import { openStage } from './stage.js';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 3);
/** Long enough for V8 to optimize both paths, even on a busy machine. */
const WARM_UP_SECONDS = 8;
/** The most CPU time that a tool call may take. */
const MAX_MS = 3;
const [NEWEST, OLDER] = ['2026-07-28', '2025-11-25'];

let count = 0;

const stage = await openStage();
try {
  const { key, projectId } = await stage.seed();
  const service = await stage.startServer('dist/src/main.js', 3841);
  const results = [];
  for (const [name, rest, tool] of calls(key, projectId)) results.push(await compare(name, service, rest, tool));
  console.table(results);
  const dear = results.filter((row) => row['tool ms'] > MAX_MS).map((row) => row.call);
  if (dear.length > 0) {
    console.error(`More than ${MAX_MS} ms of processor time: ${dear.join(', ')}.`);
    process.exitCode = 1;
  }
} finally {
  await stage.close();
}

function calls(key, projectId) {
  const headers = { 'x-api-key': key };
  const rest = {
    get: { path: `/v1/claim-projects/${projectId}`, headers },
    list: { path: '/v1/claim-projects?page_size=50', headers },
    create: posting(key),
  };
  return [NEWEST, OLDER].flatMap((revision) => [
    [`GET by id, ${revision}`, rest.get, calling(key, 'get_claim_project', { project_id: projectId }, revision)],
    [`list of 50, ${revision}`, rest.list, calling(key, 'list_claim_projects', { page_size: 50 }, revision)],
    [`POST, ${revision}`, rest.create, callingWithNewInputs(key, 'create_claim_project', aProject, revision)],
  ]);
}

/** A new claim project with each call, as `posting` makes them. */
function aProject() {
  count += 1;
  const once = `${process.pid}-tool-${count}`;
  return {
    name: `Benchmark ${once}`,
    client_reference: 'CLIENT-1042',
    period_start: '2026-01-01',
    period_end: '2026-12-31',
    status: 'active',
    metadata: { officeCode: 'BER-1' },
    confirm: true,
    idempotency_key: once,
  };
}

/** A call with what its revision requires, and nothing else. */
function calling(key, name, inputs, revision) {
  const isNewest = revision === NEWEST;
  const headers = {
    'x-api-key': key,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': revision,
    ...(isNewest && { 'mcp-method': 'tools/call', 'mcp-name': name }),
  };
  const _meta = { 'io.modelcontextprotocol/protocolVersion': revision, 'io.modelcontextprotocol/clientCapabilities': {} };
  const params = { name, arguments: inputs, ...(isNewest && { _meta }) };
  return { method: 'POST', path: '/mcp', headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }) };
}

function callingWithNewInputs(key, name, inputsOf, revision) {
  const next = () => calling(key, name, inputsOf(), revision);
  return { requests: [{ method: 'POST', path: '/mcp', setupRequest: (request) => ({ ...request, ...next() }) }], ...next() };
}

/** A refusal by a tool has status 200, too, so one call is checked first. */
async function check(url, { path, method, headers, body }) {
  const answer = await fetch(`${url}${path}`, { method, headers, body });
  const text = await answer.text();
  // Older revisions are answered with an event stream of one message.
  const { result } = JSON.parse(/^data: (.+)$/m.exec(text)?.[1] ?? text);
  if (answer.status !== 200 || !result || result.isError) throw new Error(`The tool answered ${answer.status}: ${text}`);
}

async function compare(name, url, rest, tool) {
  await check(url, tool);
  await load(url, rest, WARM_UP_SECONDS);
  await load(url, tool, WARM_UP_SECONDS);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push({ rest: await costs(url, rest), tool: await costs(url, tool) });
  const of = (kind, what) => Number(middle(rounds.map((round) => round[kind][what])).toFixed(2));
  return {
    call: name,
    'REST/s': Math.round(of('rest', 'rate')),
    'tool/s': Math.round(of('tool', 'rate')),
    'REST ms': of('rest', 'processorMs'),
    'tool ms': of('tool', 'processorMs'),
    'tool ms, each round': rounds.map((round) => round.tool.processorMs.toFixed(2)).join(' '),
  };
}

/** Calls per second, and milliseconds of the server's CPU time per call. */
async function costs(url, call) {
  const before = stage.processorSeconds(url);
  const rate = await load(url, call, SECONDS);
  return { rate, processorMs: ((stage.processorSeconds(url) - before) / (rate * SECONDS)) * 1000 };
}
