import { afterAll, expect, it } from 'vitest';
import { Settings } from '../../src/kernel/settings/settings.js';
import { Clock } from '../../src/kernel/time.js';
import { ProofNonces } from '../../src/modules/oauth/proofs/proof-nonces.js';
import { Secrets } from '../../src/store/secrets/secrets.js';
import { seeded } from '../simulation/simulation.js';
import { startApp, TEST_ENCRYPTION_KEY } from '../support/app.js';
import { createDatabase } from '../support/database.js';
import { aCode, aFapiPartner, aNonce, parametersOf, send } from '../support/fapi.js';
import { FORGERIES, type Known, type Parts, requestOf, type Target } from '../support/forgeries.js';
import { NO_LIMITS } from './world.js';

const REQUESTS = Number(process.env.FORGED_REQUESTS ?? 10_000);
const SEED = Number(process.env.FUZZ_SEED ?? 1);
const AT_ONCE = 8;
/** One in so many is right, and sent twice: the first must be let in, or the others would be refused for another reason. */
const RIGHT_EVERY = 20;
const TARGETS: readonly Target[] = ['token', 'par', 'api'];
const random = seeded(SEED);
const oneOf = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

const database = await createDatabase();
const unlimited = Object.fromEntries(['authorize', 'pages', 'pushed', 'failures'].map((name) => [name, { perMinute: 1e8, burst: 1e8 }]));
const app = await startApp({ ...NO_LIMITS, ADDRESS_LIMITS: JSON.stringify(unlimited), DATABASE_URL: database.url });
afterAll(async () => {
  await app.close();
  await database.drop();
});

class SetClock extends Clock {
  constructor(private readonly ms: number) {
    super();
  }
  override now = (): Date => new Date(this.ms);
}
const nonceAt = (key: string, ms: number) => new ProofNonces(new Secrets(Settings.from({ ENCRYPTION_KEY: key })), new SetClock(ms)).next();

async function makeWorld(): Promise<Known & { readonly tokens: { token: string; refreshToken: string } }> {
  const [owner, stranger] = [await aFapiPartner(app), await aFapiPartner(app)];
  const { body } = await send(app, owner, (await aCode(app, owner)).exchange);
  const otherNonce = nonceAt(Buffer.alloc(32, 'another').toString('base64'), Date.now());
  const oldNonce = nonceAt(TEST_ENCRYPTION_KEY, Date.now() - 3_600_000);
  return { app, owner, stranger, otherNonce, oldNonce, tokens: { token: body.access_token!, refreshToken: body.refresh_token! } };
}

it(`lets none of ${REQUESTS} forged and replayed requests in, and answers none by a 5xx`, { timeout: 3_600_000 }, async () => {
  const world = await makeWorld();
  const { owner, tokens } = world;
  let nonce = { value: await aNonce(app, owner), at: Date.now() };
  const right = async (target: Target): Promise<Parts> => {
    if (Date.now() - nonce.at > 60_000) nonce = { value: await aNonce(app, owner), at: Date.now() };
    const grant = oneOf([{ grant_type: 'client_credentials' }, { grant_type: 'refresh_token', refresh_token: tokens.refreshToken }]);
    const body = { token: grant, par: parametersOf(app, owner), api: { token: tokens.token } }[target] as Record<string, string>;
    const token = target === 'api' ? { token: tokens.token } : {};
    return {
      target,
      body,
      assertion: { claims: {}, header: {} },
      proof: { claims: { nonce: nonce.value }, header: {}, key: owner.proofKey, ...token },
      after: { assertion: (jwt) => jwt, proof: (jwt) => jwt },
    };
  };
  const count = { forged: 0, replayed: 0, right: 0 };
  const statuses: Record<string, number> = {};
  const findings: string[] = [];
  const sendOne = async (what: string, request: Parameters<typeof fetch>, isRight = false): Promise<void> => {
    const answer = await fetch(...request);
    const text = await answer.text();
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
    if (answer.status >= 500 || answer.ok !== isRight) findings.push(`${what}: ${answer.status} ${text}`);
  };
  const sendNext = async (index: number): Promise<void> => {
    const target = oneOf(TARGETS);
    if (index % RIGHT_EVERY === 0) {
      const request = await requestOf(world, await right(target));
      await sendOne(`right ${target}`, request, true);
      count.right += 1;
      for (const replay of [1, 2]) await sendOne(`replay ${replay} of ${target}`, request);
      count.replayed += 2;
      return;
    }
    const forgeries = FORGERIES.filter(({ of }) => of.includes(target));
    const { name, make } = oneOf(forgeries);
    const parts = await right(target);
    await make(parts, world);
    await sendOne(`forged ${target} by ${name}`, await requestOf(world, parts));
    count.forged += 1;
  };
  let next = 0;
  const work = async (): Promise<void> => {
    while (count.forged + count.replayed < REQUESTS) await sendNext(next++);
  };
  const started = Date.now();
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  console.log(`seed ${SEED}, ${Math.round((Date.now() - started) / 1000)} s`, count, statuses);
  expect([...new Set(findings)]).toEqual([]);
});
