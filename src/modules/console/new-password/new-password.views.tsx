import type { Page } from '../../../api/http/pages/page.js';
import { wordingForCountry } from '../../../api/wording/page-wording.js';
import { NewPasswordFields } from '../../users/index.js';
import { SIGN_IN_PATH } from '../sessions/sessions.service.js';
import { LINK_MINUTES, NEW_PASSWORD_PATH } from '../sessions/sign-in-links.service.js';

export const askPage = (): Page => ({
  title: 'Choose a new password',
  body: (
    <>
      <p>Enter the e-mail address that you sign in with. You get a link by mail.</p>
      <form method="post">
        <label for="email">E-mail</label>
        <input id="email" name="email" type="email" autoComplete="username" required maxLength={320} autoFocus />
        <button>Mail me a link</button>
      </form>
      <p class="hint">
        <a href={SIGN_IN_PATH}>Back to the sign-in</a>
      </p>
    </>
  ),
});

/** The same whether there is an account or not. */
export const askedPage = (): Page => ({
  title: 'Check your email',
  body: (
    <>
      <p>If there is an account with this address, a link is on its way to it. It works once, within {LINK_MINUTES} minutes.</p>
      <p>Nothing came? Look into the spam folder, or ask those who run this service: they can make a link that signs you in.</p>
    </>
  ),
});

export const choosePage = ({ email }: { readonly email: string }, problem?: string): Page => ({
  title: 'Choose a new password',
  body: (
    <>
      <p>You are signed out everywhere when you have chosen it.</p>
      <NewPasswordFields email={email} problem={problem} wording={wordingForCountry(null)} />
    </>
  ),
});

export const chosenPage = (): Page => ({
  title: 'Your password is set',
  body: (
    <>
      <p>
        <a href={SIGN_IN_PATH}>Sign in</a> with your e-mail address and this password.
      </p>
      <p>
        Applications that you allowed may still act for you. If somebody else knew your password, look at{' '}
        <a href="/oauth/connections">your connected applications</a>, and remove those that you do not know.
      </p>
    </>
  ),
});

export const noLinkPage = (): Page => ({
  title: 'This link is no longer valid',
  body: (
    <p>
      It works once, for {LINK_MINUTES} minutes. <a href={NEW_PASSWORD_PATH}>Ask for a new one</a>.
    </p>
  ),
});
