// `npm run bench -- --only ports`: what it costs that an extension takes part in each call. The service listens five times in one process, and
// the calls take turns: a few hundred for one of them, then for the next. What differs between starts of a program is the same for all of them.
// The second service without an extension shows what is only noise.
import { Agent, request } from 'node:http';
import { middle, posting } from './load.js';
import { openStage } from './stage.js';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 60);
const AMOUNT = { 'GET by id': 800, 'list of 50': 300, POST: 200 };
const WARM_UP_ROUNDS = 20;
const FIRST_PORT = 3861;
const AT_ONCE = 8;
const SERVICES = ['without', 'without, again', 'asked about calls', 'asked about writes', 'with hooks'];

const stage = await openStage();
try {
  const { key, projectId } = await stage.seed();
  const headers = { 'x-api-key': key };
  const calls = {
    'GET by id': { path: `/v1/claim-projects/${projectId}`, headers },
    'list of 50': { path: '/v1/claim-projects', headers },
    POST: posting(key),
  };
  const { url } = await stage.openServer('test/bench/ports-server.js', FIRST_PORT);
  const readUsed = async () => Number(await (await fetch(url)).text());
  for (const [what, call] of Object.entries(calls)) {
    const costs = SERVICES.map(() => []);
    for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
      for (const index of orderOf(round)) {
        const before = await readUsed();
        await sendAll(FIRST_PORT + 1 + index, call, AMOUNT[what]);
        if (round >= 0) costs[index][round] = ((await readUsed()) - before) / AMOUNT[what];
      }
    }
    const [plain, ...others] = costs;
    console.log(`${what}: ${middle(plain).toFixed(0)} µs of a processor without ports`);
    for (const [index, cost] of others.entries()) {
      const ratios = cost.map((one, round) => one / plain[round]).sort((a, b) => a - b);
      // Of the median, 95 %: the order statistics half of 1.96 standard deviations of a binomial away.
      const away = Math.ceil(0.98 * Math.sqrt(ROUNDS));
      const [low, high] = [ratios[Math.max(0, Math.floor(ROUNDS / 2) - away)], ratios[Math.min(ROUNDS - 1, Math.floor(ROUNDS / 2) + away)]];
      console.log(`  ${SERVICES[index + 1]}: ${middle(ratios).toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)})`);
    }
  }
} finally {
  await stage.close();
}

/** Each one is as often after one as after another, and the first of a round changes. */
function orderOf(round) {
  const turned = SERVICES.map((_, index) => (index + Math.abs(round)) % SERVICES.length);
  return Math.abs(round) % 10 < 5 ? turned : turned.reverse();
}

/** Autocannon takes a second at least; a turn is shorter, so that what else happens on the machine happens to all of them. */
async function sendAll(port, { requests: [{ method, path, setupRequest }] = [{}], ...call }, amount) {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const sendOne = () =>
    new Promise((resolve, reject) => {
      const { headers, body } = setupRequest?.({}) ?? call;
      const onAnswer = (answer) =>
        answer.resume().on('end', () => (answer.statusCode < 300 ? resolve() : reject(new Error(`answered ${answer.statusCode}`))));
      request({ port, method, path: path ?? call.path, agent, headers }, onAnswer)
        .on('error', reject)
        .end(body);
    });
  let left = amount;
  const sendInTurn = async () => {
    while (left-- > 0) await sendOne();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sendInTurn));
  agent.destroy();
}
