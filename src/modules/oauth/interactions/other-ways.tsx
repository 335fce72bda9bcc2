import type { Question } from './open-questions.js';
import type { Shown } from './shown.js';

interface OtherWaysProps {
  readonly question: Question;
  readonly form: Shown['form'];
  /** The short name of the organization, empty if it is not known; undefined if it has no single sign-on. */
  readonly company: string | undefined;
}

/** How to sign in without a password: as who is signed in to the console, or with a company's account. */
export function OtherWays({ question: { inConsole }, form: { action, csrf }, company }: OtherWaysProps) {
  if (inConsole)
    return (
      // A form of its own: whoever types a password and presses Enter means that account.
      <form method="post" action={action}>
        <input type="hidden" name="csrf" value={csrf} />
        <button name="do" value="continue">
          Continue as {inConsole.name}
        </button>
        <p class="hint">You are signed in to the console as {inConsole.email}. Or sign in as somebody else:</p>
      </form>
    );
  if (company === undefined) return null;
  const query = new URLSearchParams({ organization: company, next: action });
  return (
    <p>
      <a href={`/console/sign-in/company?${query.toString()}`}>Sign in with your company's account</a>
    </p>
  );
}
