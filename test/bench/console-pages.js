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

/** The call that gets a new category: its page shows nothing else, while that of a project has lists of four other kinds. */
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
  return [
    ['page of a list : list of 50', list],
    ['page of a category : GET by id', await aCategory(service.url, key)],
    ['page of a project, with its lists : GET by id', get],
  ].map(([name, call]) => ({ name, ours: { server: service, call: pageOf(call) }, theirs: { server: service, call } }));
}
