// `npm run bench -- --only organizations`: calls of one organization beside 10,000 others, compared with the same beside 10. Two databases with a
// service each take turns.
import { loadOf, middle, posting, warmUp } from './load.js';
import { record } from './record.js';
import { openStage } from './stage.js';

const OTHERS = { few: 10, many: Number(process.env.BENCH_ROWS ?? 10_000) };
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 3);
const WARM_UP = 3000;

const stages = { few: await openStage(), many: await openStage() };
try {
  const sides = [];
  for (const [index, [name, stage]] of Object.entries(stages).entries()) sides.push(await prepare(stage, OTHERS[name], 3841 + index));
  for (const what of ['GET by id', 'list of 50', 'POST']) {
    for (const { url, calls } of sides) await warmUp(url, calls[what], WARM_UP);
    const rounds = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const [few, many] = [await rateOf(sides[0], what), await rateOf(sides[1], what)];
      rounds.push(few / many);
    }
    record('organizations', { [what]: { [`beside ${OTHERS.many} others : beside ${OTHERS.few}`]: middle(rounds).toFixed(2) } });
    console.log(`${what.padEnd(12)} cost beside ${OTHERS.many} others : beside ${OTHERS.few} = ${middle(rounds).toFixed(2)}`);
  }
} finally {
  for (const stage of Object.values(stages)) await stage.close();
}

async function prepare(stage, others, port) {
  const { key, projectId } = await stage.seed();
  await stage.seedOrganizations(others);
  const headers = { 'x-api-key': key };
  const calls = {
    'GET by id': { path: `/v1/claim-projects/${projectId}`, headers },
    'list of 50': { path: '/v1/claim-projects', headers },
    POST: posting(key),
  };
  return { url: await stage.startServer('dist/src/main.js', port), calls };
}

async function rateOf({ url, calls }, what) {
  return (await loadOf(url, calls[what], SECONDS)).rate;
}
