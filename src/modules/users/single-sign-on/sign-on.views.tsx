import { page } from '../../../api/http/pages/page.js';
import type { Wording } from '../../../api/wording/wording.js';
import { ProblemNote } from '../sign-in/sign-in.page.js';
import { SIGN_ON_REFUSALS, type SignOnRefusal } from './sign-on-refusals.js';

export interface CompanyPage {
  readonly organization: string;
  readonly next: string;
  /** No organization with this name has another way than passwords. */
  readonly isUnknown?: boolean;
}

/** Asks for the organization, whose provider is then asked who this is. */
export function companyPage({ organization, next, isUnknown }: CompanyPage, { say, language }: Wording): string {
  const body = (
    <>
      <p>{say('console.users.signOn.about')}</p>
      <ProblemNote text={isUnknown ? say('console.users.signOn.unknown') : undefined} />
      <form method="post" action="/console/sign-in/company">
        <input type="hidden" name="next" value={next} />
        <label for="organization">{say('signIn.organization')}</label>
        <p class="hint" id="hint">
          {say('console.users.signOn.hint')}
        </p>
        <input
          id="organization"
          name="organization"
          autoComplete="organization"
          required
          maxLength={100}
          value={organization}
          autoFocus
          aria-describedby={isUnknown ? 'problem hint' : 'hint'}
          aria-invalid={isUnknown ? 'true' : undefined}
        />
        <button>{say('signIn.next')}</button>
      </form>
      <p>
        <a href="/console/sign-in">{say('console.users.signOn.password')}</a>
      </p>
    </>
  );
  return page({ title: say('console.users.signOn.title'), language, body });
}

export function refusedPage(reason: SignOnRefusal, { say, told, language }: Wording): string {
  const body = (
    <>
      <p>{told(SIGN_ON_REFUSALS[reason])}</p>
      <p>
        <a href="/console/sign-in/company">{say('console.users.signOn.again')}</a>
      </p>
    </>
  );
  return page({ title: say('console.users.signOn.refused'), language, body });
}
