import { page } from '../../../api/http/pages/page.js';
import type { Environment } from '../../../kernel/context.js';

interface Form {
  readonly action: string;
  readonly csrf: string;
  readonly code: string;
}

/** As they are shown: eight letters and a hyphen. People may write spaces, too. */
const CODE_MAX_LENGTH = 20;

export function codePage({ action, csrf, code, problem }: Form & { readonly problem: string | undefined }): string {
  const body = (
    <>
      <p>Enter the code that your device or program shows.</p>
      {problem === undefined ? null : (
        <p class="error" role="alert" id="problem">
          {problem}
        </p>
      )}
      <form method="post" action={action}>
        <input type="hidden" name="xsrf" value={csrf} />
        <label for="user_code">Code</label>
        <input
          id="user_code"
          name="user_code"
          value={code.slice(0, CODE_MAX_LENGTH)}
          required
          maxLength={CODE_MAX_LENGTH}
          autoComplete="off"
          autoCapitalize="characters"
          spellcheck={false}
          autoFocus
          aria-invalid={problem === undefined ? undefined : 'true'}
          aria-describedby={problem === undefined ? undefined : 'problem'}
        />
        <button>Continue</button>
      </form>
    </>
  );
  return page({ title: 'Connect a device', body });
}

interface Confirmation extends Form {
  readonly applicationName: string;
  readonly organizationName: string;
  readonly environment: Environment;
}

export function confirmCodePage({ action, csrf, code, applicationName, organizationName, environment }: Confirmation): string {
  const body = (
    <>
      <p>
        <strong>{applicationName}</strong> on a device asks for access. Continue only if you started this yourself, and if the device shows
        exactly this code:
      </p>
      <p>
        <strong>{code}</strong>
      </p>
      <p class="error">
        Did somebody send you the code, or the link to this page? Then do not continue: that person would get your access.
      </p>
      <dl>
        <div>
          <dt>Organization</dt>
          <dd>{organizationName}</dd>
        </div>
        <div>
          <dt>Environment</dt>
          <dd>{environment === 'live' ? 'Live: real data' : 'Test: no real data'}</dd>
        </div>
      </dl>
      <form method="post" action={action}>
        <input type="hidden" name="xsrf" value={csrf} />
        <input type="hidden" name="user_code" value={code} />
        <button name="confirm" value="yes">
          Continue
        </button>
        <button class="plain" name="abort" value="yes">
          Stop
        </button>
      </form>
    </>
  );
  return page({ title: `Connect ${applicationName}?`, body });
}

export function deviceDonePage(applicationName: string): string {
  const body = (
    <p>
      <strong>{applicationName}</strong> on your device has access now. You can close this page.
    </p>
  );
  return page({ title: 'Your device is connected', body });
}

export function deviceRefusedPage(): string {
  const body = <p>Nothing was allowed, and the code no longer works. You can close this page.</p>;
  return page({ title: 'Your device was not connected', body });
}
