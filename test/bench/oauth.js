// `npm run bench:oauth`: client credentials tokens per second, compared with a bare authorization server that keeps them in memory;
// and a GET with such a token, compared with the same GET with an API key.
import { load, middle } from './load.js';
import { openStage } from './stage.js';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);
/** Long enough for V8 to optimize both, even on a busy machine. */
const WARM_UP_SECONDS = 6;

const stage = await openStage();
try {
  const { key, projectId } = await stage.seed();
  const { clientId, clientSecret } = await stage.seedWith(anApplication);
  const service = await stage.startServer('dist/src/main.js', 3831);
  const bare = await stage.startServer('test/bench/oauth-bare.js', 3832, { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret });

  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
    scope: 'claim_projects:read',
  }).toString();
  const asking = { path: '/oauth/token', method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body };
  await compare('token', ['service', service, asking], ['bare', bare, asking]);

  const answer = await fetch(`${service}/oauth/token`, asking);
  const { access_token: token } = await answer.json();
  const reading = (headers) => ({ path: `/v1/claim-projects/${projectId}`, headers });
  await compare(
    'GET by id',
    ['bearer', service, reading({ authorization: `Bearer ${token}` })],
    ['API key', service, reading({ 'x-api-key': key })],
  );
} finally {
  await stage.close();
}

/** An application of the organization that owns the projects, so that both credentials read the same one. */
async function anApplication({ app, sql }) {
  const { ApplicationsService } = await import('../../dist/src/modules/oauth/index.js');
  const [{ id: organizationId }] = await sql(`SELECT id FROM organizations WHERE slug = 'bench'`);
  const wanted = {
    organizationId,
    environment: 'test',
    name: 'Bench',
    grants: ['client_credentials'],
    redirectUris: [],
    scopes: 'all',
    isPublic: false,
    isPending: false,
  };
  const { row, clientSecret } = await app.get(ApplicationsService).create({ type: 'system', id: null, name: 'bench' }, wanted);
  return { clientId: row.clientId, clientSecret };
}

async function compare(what, [name, url, call], [otherName, otherUrl, otherCall]) {
  await load(url, call, WARM_UP_SECONDS);
  await load(otherUrl, otherCall, WARM_UP_SECONDS);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const one = await load(url, call, SECONDS);
    const other = await load(otherUrl, otherCall, SECONDS);
    rounds.push({ one, other, ratio: one / other });
  }
  const median = (pick) => middle(rounds.map(pick));
  const ratios = rounds.map(({ ratio }) => ratio.toFixed(2)).join(' ');
  const rates = `${name} ${Math.round(median((r) => r.one))}/s   ${otherName} ${Math.round(median((r) => r.other))}/s`;
  console.log(`${what.padEnd(12)} ${rates}   ratio ${median((r) => r.ratio).toFixed(2)}   (rounds: ${ratios})`);
}
