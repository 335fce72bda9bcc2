import { Injectable } from '@nestjs/common';
import type { Client, KoaContextWithOIDC } from 'oidc-provider';
import { Facts, Sentence } from '../../../api/console/parts/facts.js';
import { page, pageHeaders } from '../../../api/http/pages/page.js';
import { FIRST, wordingFor } from '../../../api/wording/page-wording.js';
import type { Wording } from '../../../api/wording/wording.js';
import type { Environment } from '../../../kernel/context.js';
import { OrganizationService } from '../../organization/index.js';
import { ProblemNote } from '../../users/index.js';
import { applicationOf } from '../applications/client-metadata.js';
import { environmentIn } from '../interactions/consent.page.js';
import { ROUTES } from '../resources.js';

type Form = { readonly wording: Wording } & Readonly<Record<'action' | 'csrf' | 'code', string>>;

/** As they are shown: eight letters and a hyphen. People may write spaces, too. */
const CODE_MAX_LENGTH = 20;

function codePage({ action, csrf, code, problem, wording: { say, language } }: Form & { readonly problem: string | undefined }): string {
  const body = (
    <>
      <p>{say('device.about')}</p>
      <ProblemNote text={problem} />
      <form method="post" action={action}>
        <input type="hidden" name="xsrf" value={csrf} />
        <label for="user_code">{say('device.code')}</label>
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
        <button>{say('signIn.next')}</button>
      </form>
    </>
  );
  return page({ title: say('device.title'), language, offersLanguages: true, body });
}

type Confirmation = Form & { readonly environment: Environment } & Readonly<Record<'applicationName' | 'organizationName', string>>;

function confirmCodePage({ action, csrf, code, applicationName, organizationName, environment, wording }: Confirmation): string {
  const { say, language } = wording;
  const body = (
    <>
      <Sentence text={say('device.confirm', { application: FIRST })} names={[applicationName]} />
      <p>
        <strong>{code}</strong>
      </p>
      <p class="error">{say('device.sentByOthers')}</p>
      <Facts
        facts={[
          [say('signIn.organization'), organizationName],
          [say('consent.facts.environment'), environmentIn(environment, wording)],
        ]}
      />
      <form method="post" action={action}>
        <input type="hidden" name="xsrf" value={csrf} />
        <input type="hidden" name="user_code" value={code} />
        <button name="confirm" value="yes">
          {say('signIn.next')}
        </button>
        <button class="plain" name="abort" value="yes">
          {say('device.stop')}
        </button>
      </form>
    </>
  );
  return page({ title: say('device.confirmTitle', { application: applicationName }), language, body });
}

/** The library's names of what can be wrong with a code. */
const ABOUT_CODE = ['NotFoundError', 'ExpiredError', 'AlreadyUsedError', 'NoCodeError'];

/** The pages on which a user enters the code of a device and decides whether to continue (RFC 8628, 3.3). */
@Injectable()
export class DevicePages {
  constructor(private readonly organizations: OrganizationService) {}

  askForCode(ctx: KoaContextWithOIDC, error?: Error & { readonly userCode?: string }): void {
    const { wording, ...form } = formOf(ctx);
    const { say, language } = wording;
    if (error?.name === 'AbortedError')
      return send(ctx, page({ title: say('device.refused'), language, body: <p>{say('device.refusedAbout')}</p> }));
    if (error && ctx.oidc.session!.exp === undefined) return startAgain(ctx);
    // One answer for every code that does not work: who guesses learns nothing.
    const problem = error && say(ABOUT_CODE.includes(error.name) ? 'device.notKnown' : 'device.expired');
    const { code } = ctx.query;
    if (error) ctx.status = 400;
    send(ctx, codePage({ ...form, wording, code: error?.userCode ?? (typeof code === 'string' ? code : ''), problem }));
  }

  async askToContinue(ctx: KoaContextWithOIDC, client: Client, code: string): Promise<void> {
    const { name: applicationName, environment, organizationId } = applicationOf(client);
    const { name: organizationName } = await this.organizations.byId(organizationId);
    send(ctx, confirmCodePage({ ...formOf(ctx), code, applicationName, organizationName, environment }));
  }

  sayDone(ctx: KoaContextWithOIDC): void {
    const { say, language } = wordingFor(ctx);
    const body = <Sentence text={say('device.doneAbout', { application: FIRST })} names={[applicationOf(ctx.oidc.client!).name]} />;
    send(ctx, page({ title: say('device.done'), language, body }));
  }
}

/** The library puts the proof that a form was shown to this browser into the session. */
function formOf(ctx: KoaContextWithOIDC): Omit<Form, 'code'> {
  const state = ctx.oidc.session!.state as { secret: string };
  return { action: ROUTES.code_verification, csrf: state.secret, wording: wordingFor(ctx) };
}

/** A form came without the session that it was shown in. The library cannot save a session that begins with an error. */
function startAgain(ctx: KoaContextWithOIDC): void {
  Object.assign(ctx.oidc.session!, { touched: false });
  ctx.status = 303;
  ctx.set('Location', ROUTES.code_verification);
  ctx.body = '';
}

function send(ctx: KoaContextWithOIDC, shown: string): void {
  ctx.set(pageHeaders());
  ctx.body = shown;
}
