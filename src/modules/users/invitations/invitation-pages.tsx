import type { Page } from '../../../api/http/pages/page.js';
import type { OpenInvitation } from './acceptance.service.js';

/** The form for a password. `problem` says what is wrong with the one that was sent. */
export function choosePasswordPage({ email, organizationName }: OpenInvitation, problem?: string): Page {
  const state = problem === undefined ? {} : { 'aria-invalid': 'true' as const, autoFocus: true };
  const body = (
    <>
      <p>You have been invited. Choose a password to sign in with.</p>
      {problem === undefined ? null : (
        <p class="error" id="problem" role="alert">
          {problem}
        </p>
      )}
      <form method="post">
        <label for="email">E-mail</label>
        <input id="email" type="email" autoComplete="username" value={email} readOnly />
        <label for="password">Password</label>
        <p class="hint" id="hint">
          12 to 128 characters, and not your e-mail address.
        </p>
        <input
          id="password"
          name="password"
          type="password"
          autoComplete="new-password"
          required
          aria-describedby={problem === undefined ? 'hint' : 'problem hint'}
          {...state}
        />
        <label for="repeated">Repeat the password</label>
        <input id="repeated" name="repeated" type="password" autoComplete="new-password" required />
        <button type="submit">Set the password</button>
      </form>
    </>
  );
  return { title: `Join ${organizationName}`, body };
}

export const acceptedPage = (): Page => ({
  title: 'Your password is set',
  body: <p>You can now sign in with your e-mail address and this password. You can close this page.</p>,
});

export const noInvitationPage = (): Page => ({
  title: 'This link is no longer valid',
  body: <p>An invitation works once, for seven days, and a newer invitation replaces it. Ask the person who invited you for a new link.</p>,
});
