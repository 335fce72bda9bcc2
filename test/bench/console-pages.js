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

const callerOf = (url, key) => {
  const headers = { 'x-api-key': key };
  const call = async (path, body) => {
    const own = { ...headers, 'content-type': 'application/json', 'idempotency-key': randomUUID() };
    const answer = await fetch(url + path, body ? { method: 'POST', headers: own, body: JSON.stringify(body) } : { headers });
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json();
  };
  return { headers, call };
};

/** The call that gets a new category: its page shows nothing else. */
async function aCategory(url, key) {
  const { headers, call } = callerOf(url, key);
  const { id } = await call('/v1/expense-categories', { code: 'BENCH', name: 'Bench' });
  return { path: `/v1/expense-categories/${id}`, headers };
}

const PERIOD = { periodStart: '2026-01-01', periodEnd: '2026-12-31' };
const EACH = { statements: 12, categories: 8, configurations: 4, reports: 6 };

/** The call that gets a project as people have them: with statements, categories, configurations and reports that have results. */
async function aProject(url, key, startWorker, stopWorkers) {
  const { headers, call } = callerOf(url, key);
  const { id: projectId } = await call('/v1/claim-projects', { name: 'Bench', ...PERIOD });
  const path = `/v1/claim-projects/${projectId}`;
  const times = (count, make) => Promise.all(Array.from({ length: count }, (_none, index) => make(index)));
  startWorker();
  await times(EACH.categories, (n) =>
    call('/v1/expense-categories', {
      ...{ code: `BENCH-${n}`, name: `Bench ${n}`, projectId },
      sourceMapping: { rules: [{ all: [{ field: 'description', op: 'contains', value: `Ticket ${n}` }] }] },
    }),
  );
  const lines = Array.from({ length: 20 }, (_none, n) => ({
    bookedOn: '2026-03-02',
    amount: `-${n + 1}.50`,
    description: `Ticket ${n} to Hamburg`,
  }));
  const statements = await times(EACH.statements, (n) =>
    call('/v1/bank-statements', { projectId, currency: 'EUR', lines: lines.map((line) => ({ ...line, counterparty: `Rail ${n}` })) }),
  );
  for (const { id } of statements) await succeeded(call, `/v1/bank-statements/${id}`, 'redactionStatus');
  const made = await times(EACH.configurations, (n) => call('/v1/report-configurations', { name: `Bench ${n}`, projectId, ...PERIOD }));
  const reports = await times(EACH.reports, () => call('/v1/claim-reports', { projectId, reportConfigurationId: made[0].id }));
  for (const { id } of reports) await succeeded(call, `/v1/claim-reports/${id}`, 'status');
  await stopWorkers();
  return { path, headers };
}

async function succeeded(call, path, property) {
  for (;;) {
    const status = (await call(path))[property];
    if (status === 'succeeded') return;
    if (status === 'failed') throw new Error(`${path} failed.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** `stage` has the worker that makes what a project shows. */
export async function pageComparisons(cookie, key, { get, list }, { service, countedService }, stage) {
  const pageOf = ({ path }, query) => ({
    path:
      path.replace('/v1/claim-projects', '/console/test/projects').replace('/v1/expense-categories', '/console/test/categories') + query,
    headers: { cookie },
  });
  const of = (name, call, query = '', [theirs, calls] = [call, 1]) => ({
    name,
    ours: { server: service, counted: countedService, call: pageOf(call, query) },
    theirs: { server: service, counted: calls === 1 && countedService, call: theirs, calls },
  });
  const project = await aProject(
    service.url,
    key,
    () => stage.startProcess('dist/bundle/main.js', { ROLE: 'worker' }),
    () => stage.stopProcesses('worker'),
  );
  return [
    of('page of a list : list of 50', list),
    of('page of a category : GET by id', await aCategory(service.url, key)),
    of('page of a new project : GET by id', get),
    of('page of a project with reports : GET by id', project),
    of('its tab of statements : GET by id', project, '?tab=statements'),
    of('page of a project with reports : the five calls that get what is on it and its tabs', project, '', [ofProject(project), 5]),
  ];
}

/** The project, and its lists, in turn. */
function ofProject({ path, headers }) {
  const id = path.split('/').at(-1);
  const lists = ['claim-reports?page_size=5', 'bank-statements?page_size=10', 'report-configurations?page_size=20', 'expense-categories?'];
  return { headers, requests: [path, ...lists.map((list) => `/v1/${list}&project_id=${id}`)].map((one) => ({ path: one })) };
}
