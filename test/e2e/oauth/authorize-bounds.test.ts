import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { OAuthExpiry } from '../../../src/modules/oauth/storage/oauth-storage.js';
import { OPEN_REQUESTS_MAX } from '../../../src/modules/oauth/storage/oauth-records.repository.js';
import { aNetwork, anAddress } from '../../support/addresses.js';
import { startApp, type TestApp } from '../../support/app.js';
import { rowsOf } from '../../support/database.js';
import { allow, aPartner, authorizeUrl, Browser } from '../../support/oauth.js';

let app: TestApp;
let limited: TestApp;
beforeAll(async () => {
  app = await startApp({ TRUSTED_PROXIES: '127.0.0.1' });
  // The limits as they are by default.
  limited = await startApp({ TRUSTED_PROXIES: '127.0.0.1', ADDRESS_LIMITS: '{}' });
});
afterAll(() => Promise.all([app.close(), limited.close()]));

type Partner = Awaited<ReturnType<typeof aPartner>>;

async function authorize(on: TestApp, partner: Partner, address = anAddress(), wanted: Record<string, string> = {}): Promise<Response> {
  const answer = await fetch(authorizeUrl(on.url, partner, wanted), { redirect: 'manual', headers: { 'x-forwarded-for': address } });
  await answer.text();
  return answer;
}

async function stored({ application }: Partner) {
  const [row] = await rowsOf<{ rows: number; bytes: number }>(
    app.databaseUrl,
    `SELECT count(*)::int AS rows, coalesce(max(pg_column_size(record.*)), 0)::int AS bytes
     FROM oauth_records record WHERE kind = 'Interaction' AND client_id = $1`,
    [application.clientId],
  );
  return row!;
}

async function batches(times: number, call: () => Promise<Response>): Promise<Response[]> {
  const answers: Response[] = [];
  while (answers.length < times) answers.push(...(await Promise.all(Array.from({ length: Math.min(25, times - answers.length) }, call))));
  return answers;
}

describe('authorization requests of callers without a credential', () => {
  it('are limited by address: a flood stores no more than the burst', async () => {
    const partner = await aPartner(limited);
    const network = aNetwork();
    let host = 0;
    const answers = await batches(150, () => authorize(limited, partner, `${network}::${(host += 1).toString(16)}`));
    expect(answers.filter(({ status }) => status === 303).length).toBeLessThan(80);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(70);
    expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await stored(partner)).rows).toBeLessThan(80);
    expect((await authorize(limited, partner)).status).toBe(303);
  });

  it('are limited by application', async () => {
    const partner = await aPartner(app);
    const answers = await batches(400, () => authorize(app, partner));
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
    expect((await authorize(app, await aPartner(app))).status).toBe(303);
  });

  it('are small: a request of more than 4,096 bytes is refused with a page that says so', async () => {
    const partner = await aPartner(app);
    expect((await authorize(app, partner, anAddress(), { state: 'x'.repeat(3000) })).status).toBe(303);
    expect((await stored(partner)).bytes).toBeLessThan(6000);
    const answer = await fetch(authorizeUrl(app.url, partner, { state: 'x'.repeat(4096) }));
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('The request is longer than 4,096 bytes.')]);
    expect((await stored(partner)).rows).toBe(1);
  });

  it('make room for new ones: an application has a bounded number, and its users can still sign in', async () => {
    const partner = await aPartner(app);
    const before = { name: 'the oldest', browser: new Browser(app.url) };
    const oldest = await before.browser.visit(authorizeUrl(app.url, partner));
    await rowsOf(
      app.databaseUrl,
      `INSERT INTO oauth_records (kind, id_hash, client_id, payload, expires_at)
       SELECT 'Interaction', decode(md5($1 || n), 'hex'), $1, '{}', now() + interval '31 minutes' FROM generate_series(1, $2::int) n`,
      [partner.application.clientId, OPEN_REQUESTS_MAX + 20],
    );
    await authorize(app, partner);
    expect((await stored(partner)).rows).toBe(OPEN_REQUESTS_MAX);
    expect((await before.browser.visit(oldest.url.href)).status).toBe(400);
  });

  it('are gone a minute after they expire, and a sign-in that ends leaves none', async () => {
    const partner = await aPartner(app);
    expect((await allow(app, partner, { state: newId() })).get('code')).toBeTruthy();
    expect((await stored(partner)).rows).toBe(0);
    await authorize(app, partner);
    // Its own alone: others share the database.
    await rowsOf(app.databaseUrl, `UPDATE oauth_records SET expires_at = expires_at - interval '31 minutes' WHERE client_id = $1`, [
      partner.application.clientId,
    ]);
    await app.app.get(OAuthExpiry).expire();
    expect((await stored(partner)).rows).toBe(0);
  });
});
