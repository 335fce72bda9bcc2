import { html } from '../../../api/http/pages/html.js';
import { page } from '../../../api/http/pages/page.js';

export interface SignIn {
  readonly action: string;
  readonly csrf: string;
  readonly applicationName: string;
  /** null: the application serves every organization. */
  readonly organizationName: string | null;
  readonly email: string;
  /** What was wrong with the last attempt. */
  readonly problem?: string;
}

/** People with accounts at several organizations say which one they mean. */
const ORGANIZATION_FIELD = html`<label for="organization">Organization</label>
<p class="hint" id="organization-hint">Its short name, only if you have accounts at several.</p>
<input id="organization" name="organization" autocomplete="organization" maxlength="100" aria-describedby="organization-hint">`;

export function signInPage({ action, csrf, applicationName, organizationName, email, problem }: SignIn): string {
  const said = problem === undefined ? html`` : html`<p class="error" role="alert" id="problem">${problem}</p>\n`;
  // Screen readers do not announce an alert that is there when the page loads. The focused field refers to it instead.
  const focus = problem === undefined ? html` autofocus` : html` autofocus aria-describedby="problem"`;
  const [onEmail, onPassword] = email === '' ? [focus, html``] : [html``, focus];
  const account = organizationName === null ? html`with your account` : html`with your account at <strong>${organizationName}</strong>`;
  const body = html`<p>Sign in to continue to <strong>${applicationName}</strong> ${account}.</p>
${said}<form method="post" action="${action}">
<input type="hidden" name="csrf" value="${csrf}">
<label for="email">E-mail</label>
<input id="email" name="email" type="email" autocomplete="username" required maxlength="320" value="${email}"${onEmail}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required maxlength="1024"${onPassword}>
<label for="code">Code from your authenticator app</label>
<p class="hint" id="code-hint">Only if you have set one up.</p>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9 ]*" maxlength="12" aria-describedby="code-hint">
${organizationName === null ? ORGANIZATION_FIELD : html``}
<button name="do" value="sign-in">Sign in</button>
<button class="plain" name="do" value="refuse" formnovalidate>Do not sign in</button>
</form>`;
  return page({ title: 'Sign in', body });
}
