import { page } from '../../api/http/pages/page.js';
import { Filled, FIRST, Naming } from '../../api/wording/page-wording.js';
import type { Say, Wording } from '../../api/wording/wording.js';
import { OrganizationField, signInPage, type SignInState } from '../users/index.js';
import { NEW_PASSWORD_PATH } from './sessions/sign-in-links.service.js';
import { SIGN_IN_PATH } from './sessions/sessions.service.js';

export function consoleSignInPage(state: SignInState, organization: string, next: string, wording: Wording): string {
  const { say } = wording;
  const before = (
    <>
      <input type="hidden" name="next" value={next} />
      <OrganizationField organization={organization} state={state} wording={wording} />
    </>
  );
  const company = `${SIGN_IN_PATH}/company?${new URLSearchParams({ organization, next }).toString()}`;
  const about = (
    <>
      <p>{say('signIn.toConsole')}</p>
      <p>
        <a href={company}>{say('signIn.company')}</a>
      </p>
    </>
  );
  const after = state.proof === undefined ? <ForgotPassword say={say} /> : null;
  return signInPage({ ...state, action: SIGN_IN_PATH, csrf: '', about, before, after, wording, query: { organization, next } });
}

const ForgotPassword = ({ say }: { say: Say }) => (
  <p class="hint">
    <a href={NEW_PASSWORD_PATH}>{say('signIn.forgotten')}</a>
  </p>
);

export function linkPage({ name, email }: { readonly name: string; readonly email: string }, { say, language }: Wording): string {
  const body = (
    <>
      <p>
        <Naming text={say('signIn.linkAs', { name: FIRST, email })} names={[name]} />
      </p>
      <form method="post">
        <button autoFocus>{say('signIn.submit')}</button>
      </form>
    </>
  );
  return page({ title: say('signIn.title'), language, offersLanguages: true, body });
}

export function noLinkPage({ say, language }: Wording): string {
  const withPassword = <a href={SIGN_IN_PATH}>{say('signIn.withPassword')}</a>;
  const body = (
    <p>
      <Filled text={say('signIn.linkOnce', { signIn: FIRST })} parts={[withPassword]} />
    </p>
  );
  return page({ title: say('signIn.linkInvalid'), language, body });
}
