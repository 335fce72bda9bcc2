// `npm run bench:mcp`: what a call of a tool costs beside the call of the API that it makes: the same process, key and load in turn.
import { load, middle, posting } from './load.js';
import { openStage } from './stage.js';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 3);
/** Long enough for both to be compiled, also on a machine that does other work. */
const WARM_UP_SECONDS = 4;
const REVISION = '2026-07-28';

const stage = await openStage();
try {
  const { key, projectId } = await stage.seed();
  const service = await stage.startServer('dist/src/main.js', 3841);
  for (const [name, rest, tool] of calls(key, projectId)) await compare(name, service, rest, tool);
} finally {
  await stage.close();
}

function calls(key, projectId) {
  const headers = { 'x-api-key': key };
  return [
    ['GET by id', { path: `/v1/claim-projects/${projectId}`, headers }, calling(key, 'get_claim_project', { project_id: projectId })],
    [
      'the same of 2025',
      { path: `/v1/claim-projects/${projectId}`, headers },
      callingAsIn2025(key, 'get_claim_project', { project_id: projectId }),
    ],
    ['list of 50', { path: '/v1/claim-projects?page_size=50', headers }, calling(key, 'list_claim_projects', { page_size: 50 })],
    ['POST', posting(key), callingEachAnew(key, 'create_claim_project', aProject)],
  ];
}

/** A new claim project with each call, as `posting` makes them. */
function aProject(count) {
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

/** A call as the protocol demands it, and nothing that it does not. */
function calling(key, name, inputs, id = 1) {
  const headers = {
    'x-api-key': key,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': REVISION,
    'mcp-method': 'tools/call',
    'mcp-name': name,
  };
  const _meta = { 'io.modelcontextprotocol/protocolVersion': REVISION, 'io.modelcontextprotocol/clientCapabilities': {} };
  return {
    method: 'POST',
    path: '/mcp',
    headers,
    body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: inputs, _meta } }),
  };
}

/** The official client as it comes still speaks a revision of 2025. */
function callingAsIn2025(key, name, inputs) {
  const headers = {
    'x-api-key': key,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-11-25',
  };
  return {
    method: 'POST',
    path: '/mcp',
    headers,
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: inputs } }),
  };
}

function callingEachAnew(key, name, inputsOf) {
  let count = 0;
  const next = () => calling(key, name, inputsOf((count += 1)), count);
  return { requests: [{ method: 'POST', path: '/mcp', setupRequest: (request) => ({ ...request, ...next() }) }], ...next() };
}

/** A tool that refuses answers with status 200 as well, so one call is looked at. */
async function look(url, { path, method, headers, body }) {
  const answer = await fetch(`${url}${path}`, { method, headers, body });
  const { result } = await answer.json();
  if (answer.status !== 200 || !result || result.isError) throw new Error(`The tool answered ${answer.status}: ${JSON.stringify(result)}`);
}

async function compare(name, url, rest, tool) {
  await look(url, tool);
  await load(url, rest, WARM_UP_SECONDS);
  await load(url, tool, WARM_UP_SECONDS);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push({ rest: await costs(url, rest), tool: await costs(url, tool) });
  const [time, work] = ['time', 'work'].map((kind) => rounds.map(({ rest: before, tool: after }) => after[kind] / before[kind]));
  const shown = (ratios) => `${middle(ratios).toFixed(2)} (${ratios.map((ratio) => ratio.toFixed(2)).join(' ')})`;
  console.log(
    `${name.padEnd(16)} REST ${Math.round(middle(rounds.map((round) => 1 / round.rest.time)))}/s   a tool call costs of its call of the API by the clock ${shown(time)}, of the processor ${shown(work)}`,
  );
}

/** Of one call: seconds by the clock with so many at a time, and of the server's processor. */
async function costs(url, call) {
  const before = stage.processorSeconds(url);
  const rate = await load(url, call, SECONDS);
  return { time: 1 / rate, work: (stage.processorSeconds(url) - before) / (rate * SECONDS) };
}
