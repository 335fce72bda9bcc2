import { orAgain } from '../../../api/console/console-door.js';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { type Answer, formOf, type FormState, goTo, page, type PageContext, PageCtx, pathOf } from '../../../api/console/page.js';
import { ActionButton, Confirm, Copyable, Facts } from '../../../api/console/parts/facts.js';
import { AreaField, ConsoleForm } from '../../../api/console/parts/fields.js';
import { day, say, told } from '../../../api/console/say.js';
import { type ShownCertificate, SigningCertificates } from './signing-certificates.service.js';

const SECTION = 'signatures';
const TITLE = 'Signatures';
const inSection = (ctx: PageContext, ...parts: string[]): string => pathOf(ctx, SECTION, ...parts);

function CertificateView({ ctx, found: { subject, issuer, validTo } }: { ctx: PageContext; found: ShownCertificate }) {
  return (
    <>
      <Facts
        facts={[
          [say('console.signatures.subject'), subject],
          [say('console.signatures.issuer'), issuer],
          [say('console.signatures.validTo'), day(validTo.toISOString())],
        ]}
      />
      <Confirm
        ctx={ctx}
        action={inSection(ctx, 'remove')}
        label={say('console.signatures.remove')}
        question={say('console.signatures.removeQuestion')}
        submit={say('console.signatures.remove')}
      />
    </>
  );
}

const RequestView = ({ request }: { request: string }) => (
  <>
    <p>{say('console.signatures.requested')}</p>
    <Copyable text={request} label={say('console.signatures.request')} />
  </>
);

/** The certificate of the organization, by which readers of PDF trust the report of a final claim. */
@ConsoleSection({ path: SECTION, label: TITLE, tabOf: 'organization', group: 'Organization', order: 6, role: 'owner' })
export class SignaturesConsole {
  constructor(private readonly certificates: SigningCertificates) {}

  @Page({ route: 'GET /', role: 'owner' })
  show(@PageCtx() ctx: PageContext): Promise<Answer> {
    return this.sectionPage(ctx, formOf({}));
  }

  @Action({ route: 'POST /request', role: 'owner', records: ['signing_certificate.requested'] })
  async request(@PageCtx() ctx: PageContext): Promise<Answer> {
    return this.sectionPage(ctx, formOf({}), await this.certificates.request(ctx.actor, ctx, ctx.organization.name));
  }

  @Action({ route: 'POST /give', role: 'owner', records: ['signing_certificate.given'] })
  give(@PageCtx() ctx: PageContext): Promise<Answer> {
    const give = async (): Promise<Answer> => {
      await this.certificates.give(ctx.actor, ctx, ctx.form.text('certificates'));
      return goTo(inSection(ctx), say('console.signatures.given'));
    };
    return orAgain(ctx, give, (state) => this.sectionPage(ctx, state));
  }

  @Action({ route: 'POST /remove', role: 'owner', records: ['signing_certificate.removed'] })
  async remove(@PageCtx() ctx: PageContext): Promise<Answer> {
    await this.certificates.remove(ctx.actor, ctx);
    return goTo(inSection(ctx), say('console.signatures.removed'));
  }

  private async sectionPage(ctx: PageContext, state: FormState, request?: string): Promise<Answer> {
    const found = await this.certificates.find(ctx);
    const [label, hint] = [say('console.signatures.certificates'), say('console.signatures.certificatesHint')];
    return page(
      told(TITLE),
      <>
        <p>{say('console.signatures.about')}</p>
        {found ? <CertificateView ctx={ctx} found={found} /> : null}
        <h2>{say('console.signatures.request')}</h2>
        {request ? (
          <RequestView request={request} />
        ) : (
          <ActionButton ctx={ctx} action={inSection(ctx, 'request')} label={say('console.signatures.make')} />
        )}
        <ConsoleForm ctx={ctx} state={state} action={inSection(ctx, 'give')} submit={say('console.signatures.give')}>
          <AreaField state={state} name="certificates" label={label} hint={hint} rows={8} required />
        </ConsoleForm>
      </>,
      state.problem?.status,
    );
  }
}
