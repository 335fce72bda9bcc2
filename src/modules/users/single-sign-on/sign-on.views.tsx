import { page } from '../../../api/http/pages/page.js';
import { SIGN_ON_REFUSALS, type SignOnRefusal } from './sign-on-refusals.js';

export interface CompanyPage {
  readonly organization: string;
  readonly next: string;
  readonly problem?: string;
}

/** Asks for the organization, whose provider is then asked who this is. */
export function companyPage({ organization, next, problem }: CompanyPage): string {
  const body = (
    <>
      <p>Sign in to the console with the account that you have at your company.</p>
      {problem === undefined ? null : (
        <p class="error" role="alert" id="problem">
          {problem}
        </p>
      )}
      <form method="post" action="/console/sign-in/company">
        <input type="hidden" name="next" value={next} />
        <label for="organization">Organization</label>
        <p class="hint" id="hint">
          Its short name, which your owners know.
        </p>
        <input
          id="organization"
          name="organization"
          autoComplete="organization"
          required
          maxLength={100}
          value={organization}
          autoFocus
          aria-describedby={problem === undefined ? 'hint' : 'problem hint'}
          aria-invalid={problem === undefined ? undefined : 'true'}
        />
        <button>Continue</button>
      </form>
      <p>
        <a href="/console/sign-in">Sign in with a password</a>
      </p>
    </>
  );
  return page({ title: "Your company's account", body });
}

export function refusedPage(reason: SignOnRefusal): string {
  const body = (
    <>
      <p>{SIGN_ON_REFUSALS[reason]}</p>
      <p>
        <a href="/console/sign-in/company">Begin again</a>
      </p>
    </>
  );
  return page({ title: 'You are not signed in', body });
}
