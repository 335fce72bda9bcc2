// Sends load with autocannon. Throws if any call fails.
import { Agent, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import autocannon from 'autocannon';

const CONNECTIONS = 32;

/** Calls per second. */
export async function load(url, call, duration) {
  return (await loadOf(url, call, duration)).rate;
}

/** The same with the number of calls and their latencies in milliseconds. */
export async function loadOf(url, { path = '', ...call }, duration) {
  const result = await autocannon({ url: `${url}${path}`, connections: CONNECTIONS, duration, ...call });
  check(result, url);
  const { total } = result.requests;
  return { rate: total / result.duration, requests: total, p50: result.latency.p50, p99: result.latency.p99 };
}

export async function warmUp(url, { path = '', ...call }, amount) {
  check(await autocannon({ url: `${url}${path}`, connections: CONNECTIONS, amount, ...call }), url);
}

function check({ non2xx, errors }, url) {
  if (non2xx > 0 || errors > 0) throw new Error(`${url} answered ${non2xx} times with an error, and failed ${errors} times.`);
}

/** Sends one call. */
export async function sendOne(url, { path, requests, ...call }) {
  const { setupRequest, ...first } = requests?.[0] ?? {};
  const sent = { ...call, ...(path !== undefined && { path }), ...first };
  const ready = setupRequest ? setupRequest(sent) : sent;
  const answer = await fetch(`${url}${ready.path}`, ready);
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
}

let count = 0;

/** POST calls that each create a new claim project. */
export function posting(key) {
  const headers = { 'x-api-key': key };
  const setupRequest = (request) => {
    count += 1;
    const body = JSON.stringify({
      name: `Benchmark ${process.pid} ${count}`,
      clientReference: 'CLIENT-1042',
      periodStart: '2026-01-01',
      periodEnd: '2026-12-31',
      status: 'active',
      metadata: { officeCode: 'BER-1' },
    });
    return { ...request, headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': `${process.pid}-${count}` }, body };
  };
  return { requests: [{ method: 'POST', path: '/v1/claim-projects', setupRequest }] };
}

/** Sends calls at a steady rate, as long as fewer than 32 wait for their answers. Returns how many. */
export async function steadily(url, { requests: [{ method, path, setupRequest }] }, perSecond, seconds) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const send = () =>
    new Promise((resolve, reject) => {
      const { headers, body } = setupRequest({});
      const onAnswer = (answer) =>
        answer
          .resume()
          .on('end', () => (answer.statusCode < 300 ? resolve() : reject(new Error(`${path} answered ${answer.statusCode}.`))));
      request(`${url}${path}`, { method, agent, headers }, onAnswer).on('error', reject).end(body);
    });
  const sent = [];
  const begun = performance.now();
  for (const all = perSecond * seconds; sent.length < all; await setTimeout(1))
    while (sent.length < all && begun + (sent.length * 1000) / perSecond <= performance.now()) sent.push(send());
  await Promise.all(sent);
  agent.destroy();
  return sent.length;
}

export const middle = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
