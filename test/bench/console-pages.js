// Pages of the console, each with the call of the API that shows the same.

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

export function pageComparisons(cookie, { get, list }, service) {
  const pageOf = ({ path }) => ({ path: path.replace('/v1/claim-projects', '/console/test/projects'), headers: { cookie } });
  return [
    ['page of a list : list of 50', list],
    ['page of a record : GET by id', get],
  ].map(([name, call]) => ({ name, ours: { server: service, call: pageOf(call) }, theirs: { server: service, call } }));
}
