import { Injectable } from '@nestjs/common';
import type { Client, KoaContextWithOIDC } from 'oidc-provider';
import { pageHeaders } from '../../../api/http/pages/page.js';
import { OrganizationService } from '../../organization/index.js';
import { applicationOf } from '../applications/client-metadata.js';
import { ROUTES } from '../routes.js';
import { codePage, confirmCodePage, deviceDonePage, deviceRefusedPage } from './device.pages.js';

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
