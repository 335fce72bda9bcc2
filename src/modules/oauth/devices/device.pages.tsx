import { Injectable } from '@nestjs/common';
import type { Client, KoaContextWithOIDC } from 'oidc-provider';
import { page, pageHeaders } from '../../../api/http/pages/page.js';
import type { Environment } from '../../../kernel/context.js';
import { OrganizationService } from '../../organization/index.js';
import { applicationOf } from '../applications/client-metadata.js';
import { ROUTES } from '../routes.js';

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

/** One answer for every code that does not work: who guesses learns nothing. */
const NOT_KNOWN = 'This code is wrong, was used before, or has expired. Check it, or start again on your device.';
const PAGE_EXPIRED = 'This page has expired. Enter the code again.';
/** The library's names of what can be wrong with a code. */
const ABOUT_CODE = ['NotFoundError', 'ExpiredError', 'AlreadyUsedError', 'NoCodeError'];

/** The pages on which a user enters the code of a device and decides whether to continue (RFC 8628, 3.3). */
@Injectable()
export class DevicePages {
  constructor(private readonly organizations: OrganizationService) {}

  /** `error`: what was wrong with the code, or with the form. */
  askForCode(ctx: KoaContextWithOIDC, error?: Error & { readonly userCode?: string }): void {
    if (error?.name === 'AbortedError') return send(ctx, deviceRefusedPage());
    if (error && ctx.oidc.session!.exp === undefined) return startAgain(ctx);
    const problem = error && (ABOUT_CODE.includes(error.name) ? NOT_KNOWN : PAGE_EXPIRED);
    const { code } = ctx.query;
    if (error) ctx.status = 400;
    send(ctx, codePage({ ...formOf(ctx), code: error?.userCode ?? (typeof code === 'string' ? code : ''), problem }));
  }

  async askToContinue(ctx: KoaContextWithOIDC, client: Client, code: string): Promise<void> {
    const { name: applicationName, environment, organizationId } = applicationOf(client);
    const { name: organizationName } = await this.organizations.byId(organizationId);
    send(ctx, confirmCodePage({ ...formOf(ctx), code, applicationName, organizationName, environment }));
  }

  sayDone(ctx: KoaContextWithOIDC): void {
    send(ctx, deviceDonePage(applicationOf(ctx.oidc.client!).name));
  }
}

/** The library puts the proof that a form was shown to this browser into the session. */
function formOf({ oidc }: KoaContextWithOIDC): { action: string; csrf: string } {
  const state = oidc.session!.state as { secret: string };
  return { action: ROUTES.code_verification, csrf: state.secret };
}

/** A form came without the session that it was shown in. The library cannot save a session that begins with an error. */
function startAgain(ctx: KoaContextWithOIDC): void {
  Object.assign(ctx.oidc.session!, { touched: false });
  ctx.status = 303;
  ctx.set('Location', ROUTES.code_verification);
  ctx.body = '';
}

function send(ctx: KoaContextWithOIDC, page: string): void {
  ctx.set(pageHeaders());
  ctx.body = page;
}
