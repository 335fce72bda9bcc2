// Measures calls per second with autocannon. Throws if any call fails.
import autocannon from 'autocannon';

export async function load(url, { path = '', ...call }, duration) {
  const result = await autocannon({ url: `${url}${path}`, connections: 32, duration, ...call });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url} answered ${result.non2xx} times with an error, and failed ${result.errors} times.`);
  return result.requests.total / result.duration;
}

/** POST calls that each create a new claim project. */
export function posting(key) {
  const headers = { 'x-api-key': key };
  let count = 0;
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

export const middle = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
