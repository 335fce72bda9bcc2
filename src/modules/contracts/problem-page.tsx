import type { ComponentChildren } from 'preact';
import { FIELD_CODES } from '../../kernel/field-codes.js';
import { PROBLEMS, type ProblemCode } from '../../kernel/problems.js';
import { page } from '../../api/http/pages/page.js';
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
    <table>
      {Object.entries(FIELD_CODES).map(([code, sentence]) => (
        <tr>
          <td>
            <code>{code}</code>
          </td>
          <td>{sentence}</td>
        </tr>
      ))}
    </table>
  </>
);

/** The page that the `type` of a problem points to. */
export function problemPage(code: ProblemCode, settings: Settings): string {
  const { status, title, retry, about } = PROBLEMS[code];
  const body = (
    <>
      <p>
        <code>{code}</code> · HTTP {status}
      </p>
      <p>{withCode(withSettings(about, settings))}</p>
      <p>
        <strong>{ADVICE[retry]}</strong>
      </p>
      {code === 'validation_failed' ? <FieldCodes /> : null}
      <p>
        <a href="/problems">All problems</a>
      </p>
    </>
  );
  return page({ title, body });
}

/** The page that lists all problems. */
export function problemsPage(): string {
  const body = (
    <>
      <p>
        Every answer that is not 2xx is a problem document. Its <code>code</code> is one of these.
      </p>
      <table>
        {Object.entries(PROBLEMS).map(([code, { status, title }]) => (
          <tr>
            <td>{status}</td>
            <td>
              <a href={`/problems/${code}`}>
                <code>{code}</code>
              </a>
            </td>
            <td>{title}</td>
          </tr>
        ))}
      </table>
      <FieldCodes />
    </>
  );
  return page({ title: 'Problems', body });
}

/** What stands between backticks is code. */
const withCode = (text: string): ComponentChildren[] =>
  text.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part));
