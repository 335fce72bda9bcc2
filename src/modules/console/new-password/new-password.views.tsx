import type { Page } from '../../../api/http/pages/page.js';
import { Filled, FIRST } from '../../../api/wording/page-wording.js';
import type { Wording } from '../../../api/wording/wording.js';
import { NewPasswordFields } from '../../users/index.js';
import { SIGN_IN_PATH } from '../sessions/sessions.service.js';
import { LINK_MINUTES, NEW_PASSWORD_PATH } from '../sessions/sign-in-links.service.js';

export const askPage = ({ say, language }: Wording): Page => ({
  title: say('newPassword.title'),
  language,
  offersLanguages: true,
  body: (
    <>
      <p>{say('newPassword.ask')}</p>
      <form method="post" action={`?lang=${language}`}>
        <label for="email">{say('signIn.email')}</label>
        <input id="email" name="email" type="email" autoComplete="username" required maxLength={320} autoFocus />
        <button>{say('newPassword.send')}</button>
      </form>
      <p class="hint">
        <a href={SIGN_IN_PATH}>{say('newPassword.back')}</a>
      </p>
    </>
  ),
});

/** The same whether there is an account or not. */
export const askedPage = ({ say, language }: Wording): Page => ({
  title: say('newPassword.asked'),
  language,
  body: (
    <>
      <p>{say('newPassword.askedAbout', { minutes: LINK_MINUTES })}</p>
      <p>{say('newPassword.nothingCame')}</p>
    </>
  ),
});

export const choosePage = ({ email }: { readonly email: string }, wording: Wording, problem?: string): Page => ({
  title: wording.say('newPassword.title'),
  language: wording.language,
  offersLanguages: true,
  body: (
    <>
      <p>{wording.say('newPassword.signsOut')}</p>
      <NewPasswordFields email={email} problem={problem} wording={wording} />
    </>
  ),
});

export const chosenPage = ({ say, language }: Wording): Page => ({
  title: say('invitation.set'),
  language,
  body: (
    <>
      <p>{say('invitation.setAbout')}</p>
      <p>
        <a href={SIGN_IN_PATH}>{say('invitation.signIn')}</a>
      </p>
      <p>
        <Filled
          text={say('newPassword.applications', { connections: FIRST })}
          parts={[<a href="/oauth/connections">{say('newPassword.connections')}</a>]}
        />
      </p>
    </>
  ),
});

export const noLinkPage = ({ say, language }: Wording): Page => ({
  title: say('signIn.linkInvalid'),
  language,
  body: (
    <p>
      {say('newPassword.linkOnce', { minutes: LINK_MINUTES })} <a href={NEW_PASSWORD_PATH}>{say('newPassword.askAgain')}</a>
    </p>
  ),
});
