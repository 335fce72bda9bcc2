// Pages of the console, each with the call of the API that shows the same.
import { randomUUID } from 'node:crypto';

/** Somebody who can sign in once by the link that is returned. */
export async function aVisitor({ app }, organizationId) {
  const { UsersService } = await import('../../dist/src/modules/users/index.js');
  const { SignInLinks } = await import('../../dist/src/modules/console/index.js');
  const actor = { type: 'system', id: null, name: 'bench' };
  const wanted = { organizationId, email: 'owner@bench.example', name: 'Bench', role: 'owner', password: 'a password of the bench' };
  const user = await app.get(UsersService).create(actor, wanted);
  return (await app.get(SignInLinks).make(actor, user)).link;
}

/** The cookie of a session. */
export async function signIn(url, link) {
  const answer = await fetch(url + new URL(link).pathname, { method: 'POST', body: new URLSearchParams(), redirect: 'manual' });
  return answer.headers.getSetCookie()[0].split(';')[0];
}

/** The call that gets a new category: its page shows nothing else. */
async function aCategory(url, key) {
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() };
  const answer = await fetch(`${url}/v1/expense-categories`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ code: 'BENCH', name: 'Bench' }),
  });
  return { path: `/v1/expense-categories/${(await answer.json()).id}`, headers: { 'x-api-key': key } };
}

export async function pageComparisons(cookie, key, { get, list }, service) {
  const pageOf = ({ path }) => ({
    path: path.replace('/v1/claim-projects', '/console/test/projects').replace('/v1/expense-categories', '/console/test/categories'),
    headers: { cookie },
  });
  const of = (name, call) => ({ name, ours: { server: service, call: pageOf(call) }, theirs: { server: service, call } });
  return [
    of('page of a list : list of 50', list),
    of('page of a category : GET by id', await aCategory(service.url, key)),
    {
      name: 'page of a project : the five calls that get what it shows',
      ours: { server: service, call: pageOf(get) },
      theirs: { server: service, call: ofProject(get), calls: 5 },
    },
  ];
}

/** The project, and the lists on its page, in turn. */
function ofProject({ path, headers }) {
  const id = path.split('/').at(-1);
  const lists = ['claim-reports?page_size=5', 'bank-statements?page_size=10', 'report-configurations?page_size=20', 'expense-categories?'];
  return { headers, requests: [path, ...lists.map((list) => `/v1/${list}&project_id=${id}`)].map((one) => ({ path: one })) };
}
