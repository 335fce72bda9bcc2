// `npm run bench -- --only shares`: how long the calls of one key take, and whether any is refused, while another key of the same
// organization calls ten times as often as its half of the rate allows.
import { Agent, get } from 'node:http';
import { ApiKeysService } from '../../dist/src/modules/api-keys/index.js';
import { openStage } from './stage.js';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 20);
/** Half of 3,000 a minute is 25 a second. */
const GREEDY_A_SECOND = 250;
const CALLS_A_SECOND = 20;
/** The burst of 1,000 is used up in four seconds, and half of it is full again 20 seconds later. */
const SETTLING_SECONDS = 30;

const { REDIS_URL } = process.env;
/** Other benchmarks have none. */
const RATE_LIMITS = JSON.stringify({ enterprise: { perMinute: 3000, burst: 1000 } });

const stage = await openStage();
try {
  const [own, greedy] = await stage.seedWith(async ({ tenant, app }) => {
    const { id, key } = await tenant('shares');
    const wanted = { organizationId: id, environment: 'test', name: 'Greedy', scopes: 'all' };
    return [key, (await app.get(ApiKeysService).create({ type: 'system', id: null, name: 'bench' }, wanted)).key];
  });
  const url = `${await stage.startServer('dist/src/main.js', 3835, { ROLE: 'api', RATE_LIMITS, ...(REDIS_URL && { REDIS_URL }) })}/v1/claim-projects`;
  await calls(url, own, CALLS_A_SECOND, 5);
  const rest = await calls(url, own, CALLS_A_SECOND, SECONDS);
  const looping = calls(url, greedy, GREEDY_A_SECOND, SETTLING_SECONDS + SECONDS + 1);
  await new Promise((resolve) => setTimeout(resolve, SETTLING_SECONDS * 1000));
  const beside = await calls(url, own, CALLS_A_SECOND, SECONDS);
  const others = await looping;
  console.log(`greedy       ${others.times.length} calls, ${others.refused} of them refused`);
  console.log(`other key    at rest p50 ${rest.p50} ms, p99 ${rest.p99} ms; beside p50 ${beside.p50} ms, p99 ${beside.p99} ms`);
  console.log(`ratio        p99 ${(beside.p99 / rest.p99).toFixed(2)}; refused at rest ${rest.refused}, beside ${beside.refused}`);
} finally {
  await stage.close();
}

/** At a steady rate, whether or not those before were answered. */
async function calls(url, key, perSecond, seconds) {
  const agent = new Agent({ keepAlive: true });
  let refused = 0;
  const call = () => {
    const begun = performance.now();
    return new Promise((resolve, reject) => {
      get(url, { agent, headers: { 'x-api-key': key } }, (answer) => {
        if (answer.statusCode === 429) refused += 1;
        else if (answer.statusCode !== 200) reject(new Error(`${url} answered ${answer.statusCode}.`));
        answer.on('end', () => resolve(performance.now() - begun)).resume();
      }).on('error', reject);
    });
  };
  const sent = [];
  await new Promise((resolve) => {
    const timer = setInterval(() => {
      sent.push(call());
      if (sent.length < perSecond * seconds) return;
      clearInterval(timer);
      resolve();
    }, 1000 / perSecond);
  });
  const times = (await Promise.all(sent)).sort((a, b) => a - b);
  agent.destroy();
  const at = (share) => Number(times[Math.floor(times.length * share)].toFixed(1));
  return { times, refused, p50: at(0.5), p99: at(0.99) };
}
