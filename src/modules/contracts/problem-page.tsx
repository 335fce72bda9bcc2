import { STATUS_CODES } from 'node:http';
import type { ComponentChildren } from 'preact';
import { FIELD_CODES } from '../../kernel/field-codes.js';
import { Problem, problemBody, PROBLEMS, type ProblemCode } from '../../kernel/problems.js';
import type { Settings } from '../../kernel/settings/settings.js';
import { withSettings } from '../../kernel/settings/setting-text.js';

const ADVICE = {
  never: 'Do not repeat the call as it is.',
  same_key: 'Repeat the call with the same Idempotency-Key.',
  later: 'Repeat the call later.',
};

const FieldCodes = () => (
  <>
    <h2>
      Codes of <code>errors</code>
    </h2>
    <p>What can be wrong with a value. New codes may be added.</p>
    <dl class="facts">
      {Object.entries(FIELD_CODES).map(([code, sentence]) => (
        <div>
          <dt>
            <code>{code}</code>
          </dt>
          <dd>{sentence}</dd>
        </div>
      ))}
    </dl>
  </>
);

export function ProblemPage({ code, settings }: { code: ProblemCode; settings: Settings }) {
  const { status, title, retry, about } = PROBLEMS[code];
  const example = problemBody(new Problem(code), { baseUrl: settings.publicUrl, requestId: EXAMPLE_ID });
  return (
    <>
      <p class="crumbs">
        <a href={PROBLEMS_PATH}>Problems</a>
      </p>
      <h1>{title}</h1>
      <p>
        <code>{code}</code> · HTTP {status} {STATUS_CODES[status]}
      </p>
      <p>{withCode(withSettings(about, settings))}</p>
      <h2>What to do</h2>
      <p>{ADVICE[retry]}</p>
      <h2>An answer with it</h2>
      <pre tabIndex={0} role="group" aria-label="An answer with this problem">
        {JSON.stringify(example, null, 2)}
      </pre>
      <h2>Find the request</h2>
      <p>
        The console shows the calls of your organization, by the <code>requestId</code> of the answer.
      </p>
      <form class="filters" role="search" aria-label="Requests" action="/console/live/requests">
        <input type="search" name="request" aria-label="Request id" placeholder={EXAMPLE_ID} maxLength={128} required />
        <button class="plain">Find</button>
      </form>
      {code === 'validation_failed' ? <FieldCodes /> : null}
    </>
  );
}

const EXAMPLE_ID = '6b1f2c0e-7f0a-4d8c-9a51-2f4b8f3f2a10';

export function ProblemsPage({ query }: { query: string }) {
  const word = query.trim().toLowerCase();
  const found = Object.entries(PROBLEMS).filter(([code, { title, about, status }]) =>
    `${code} ${title} ${about} ${status}`.toLowerCase().includes(word),
  );
  const statuses = [...new Set(found.map(([, { status }]) => status))].sort((one, other) => one - other);
  return (
    <>
      <h1>Problems</h1>
      <p>
        Every answer that is not 2xx is a problem document. Its <code>code</code> is one of these.
      </p>
      <form class="filters" role="search" aria-label="Problems" action={PROBLEMS_PATH}>
        <input type="search" name="q" aria-label="Find a problem" placeholder="A code, a word or a status" maxLength={100} value={query} />
        <button class="plain">Find</button>
      </form>
      {found.length === 0 ? (
        <p role="status">
          No problem has “{query}” in it. <a href={PROBLEMS_PATH}>See all</a>
        </p>
      ) : null}
      {statuses.map((status) => (
        <section>
          <h2>
            {status} {STATUS_CODES[status]}
          </h2>
          <dl class="facts">
            {found
              .filter(([, problem]) => problem.status === status)
              .map(([code, { title }]) => (
                <div>
                  <dt>
                    <a href={`${PROBLEMS_PATH}/${code}`}>
                      <code>{code}</code>
                    </a>
                  </dt>
                  <dd>{title}</dd>
                </div>
              ))}
          </dl>
        </section>
      ))}
      {word === '' ? <FieldCodes /> : null}
    </>
  );
}
const PROBLEMS_PATH = '/problems';

const withCode = (text: string): ComponentChildren[] =>
  text.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part));
