import { page } from '../../api/http/pages/page.js';
import { OrganizationField, signInPage, type SignInState } from '../users/index.js';
import { NEW_PASSWORD_PATH } from './sessions/sign-in-links.service.js';
import { SIGN_IN_PATH } from './sessions/sessions.service.js';

export function consoleSignInPage(state: SignInState, organization: string, next: string): string {
  const before = (
    <>
      <input type="hidden" name="next" value={next} />
      <OrganizationField organization={organization} state={state} />
    </>
  );
  const company = `${SIGN_IN_PATH}/company?${new URLSearchParams({ organization, next }).toString()}`;
  const about = (
    <>
      <p>Sign in to the console.</p>
      <p>
        <a href={company}>Sign in with your company's account</a>
      </p>
    </>
  );
  const after = state.proof === undefined ? <ForgotPassword /> : null;
  return signInPage({ ...state, action: SIGN_IN_PATH, csrf: '', about, before, after });
}

const ForgotPassword = () => (
  <p class="hint">
    <a href={NEW_PASSWORD_PATH}>Forgot your password?</a>
  </p>
);

export function linkPage({ name, email }: { readonly name: string; readonly email: string }): string {
  const body = (
    <>
      <p>
        You sign in as <strong>{name}</strong> ({email}).
      </p>
      <form method="post">
        <button autoFocus>Sign in</button>
      </form>
    </>
  );
  return page({ title: 'Sign in', body });
}

export function noLinkPage(): string {
  const body = (
    <p>
      It works once, for half an hour. <a href={SIGN_IN_PATH}>Sign in with your password</a>, or ask for a new link.
    </p>
  );
  return page({ title: 'This link is no longer valid', body });
}
