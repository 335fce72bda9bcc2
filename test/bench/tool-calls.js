// Tool calls beside the API calls that they make: same process, key and load.
const [NEWEST, OLDER] = ['2026-07-28', '2025-11-25'];

let count = 0;

export async function toolComparisons(key, projectId, rest, service) {
  const found = [NEWEST, OLDER].flatMap((revision) => [
    [`tool get : GET, ${revision}`, rest.get, calling(key, 'get_claim_project', { project_id: projectId }, revision)],
    [`tool list : list, ${revision}`, rest.list, calling(key, 'list_claim_projects', { page_size: 50 }, revision)],
    [`tool create : POST, ${revision}`, rest.post, callingWithNewInputs(key, 'create_claim_project', aProject, revision)],
  ]);
  for (const [, , tool] of found) await check(service.url, tool);
  return found.map(([name, call, tool]) => ({ name, ours: { server: service, call: tool }, theirs: { server: service, call } }));
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
