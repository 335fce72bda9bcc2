import { orAgain } from '../../../api/console/console-door.js';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { formOf, type FormState } from '../../../api/console/form.js';
import { type PageContext, PageCtx, pathOf } from '../../../api/console/page-context.js';
import { type Answer, goTo, page, titledPage } from '../../../api/console/page.js';
import { Badge, Facts, LinkButton, Time } from '../../../api/console/parts/facts.js';
import { CheckField, CheckGroup, type Choice, ConsoleForm, SelectField, TextField } from '../../../api/console/parts/fields.js';
import { count, day } from '../../../api/console/say.js';
import { COUNTRY_CODES } from '../../../kernel/codes.js';
import { isAtLeast } from '../../../kernel/roles.js';
import { type NoticeChoice, NoticeChoices } from '../notices/notice-choices.service.js';
import type { OrganizationDto, OrganizationLimitsDto } from '../organization.dto.js';
import type { Organization } from '../organization.entity.js';
import { type OrganizationChange, OrganizationService } from '../organization.service.js';

type Settings = readonly NoticeChoice[];

/** Which mails the owners get, in a few words. */
function noticesInWords(settings: Settings): string {
  const on = settings.filter(({ isOn }) => isOn).length;
  return on === settings.length ? 'All' : on === 0 ? 'None' : `${on} of ${settings.length} kinds`;
}

const noticesOf = (settings: Settings): FormState => formOf({ notices: settings.flatMap(({ kind, isOn }) => (isOn ? [kind] : [])) });

function NoticesForm({ ctx, state, settings }: { ctx: PageContext; state: FormState; settings: Settings }) {
  const choices = settings.map(({ kind, when }): Choice => [kind, when]);
  return (
    <section>
      <h2 id="mail">Mail to owners</h2>
      <ConsoleForm ctx={ctx} state={state} action={pathOf(ctx, 'organization', 'notices')} submit="Save">
        <CheckGroup state={state} name="notices" label="Owners get a mail when this happens:" choices={choices} />
      </ConsoleForm>
    </section>
  );
}

const countryNames = new Intl.DisplayNames('en', { type: 'region' });
const COUNTRIES: readonly Choice[] = COUNTRY_CODES.map((code): Choice => [code, countryNames.of(code) ?? code]).sort(([, a], [, b]) =>
  a.localeCompare(b, 'en'),
);
const TIME_ZONES = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])];

interface Seen {
  readonly ctx: PageContext;
  readonly organization: OrganizationDto;
  readonly notices: readonly NoticeChoice[];
}

function OrganizationView({ ctx, organization, notices }: Seen) {
  const { id, name, slug, plan, country, timeZone, billingCycleAnchor, redactCounterparties, limits, createdAt, updatedAt } = organization;
  const { requireSecondFactor, keepNames } = organization;
  return (
    <>
      <Facts
        facts={[
          ['Name', name],
          ['Short name', <code>{slug}</code>],
          ['Plan', <Badge>{`${plan[0]!.toUpperCase()}${plan.slice(1)}`}</Badge>],
          ...(country ? [['Country', countryNames.of(country) ?? country] as const] : []),
          ['Time zone', timeZone],
          ['Billing period from', day(billingCycleAnchor)],
          [
            'Counterparties',
            redactCounterparties ? 'Replaced by tokens unless recognized as organizations' : 'Readable unless recognized as people',
          ],
          ['Names of people', keepNames ? 'Kept encrypted, for key lists' : 'Not kept'],
          ['Second factor', requireSecondFactor ? 'Required for all members' : 'Up to each member'],
          ['Mail to owners', noticesInWords(notices)],
          ['Id', <code>{id}</code>],
          ['Created', <Time ctx={ctx} at={createdAt} />],
          ['Changed', <Time ctx={ctx} at={updatedAt} />],
        ]}
      />
      <h2>Limits</h2>
      <Limits limits={limits} />
    </>
  );
}

function Limits({ limits }: { limits: OrganizationLimitsDto }) {
  return (
    <>
      <p>What the plan and this installation allow. Limits of records are for each environment.</p>
      <Facts
        facts={[
          ['Requests', `${count(limits.requestsPerMinute)} a minute, ${count(limits.burst)} at once`],
          ['API keys', count(limits.apiKeys)],
          ['Webhook endpoints', limits.webhooks === 0 ? 'Not in this plan' : count(limits.webhooks)],
          ['Applications', count(limits.applications)],
          ['Categories', count(limits.expenseCategories)],
          ['Report configurations', count(limits.reportConfigurations)],
          ['Bank statements', count(limits.bankStatements)],
          ['Members', `${count(limits.members)} in the organization`],
        ]}
      />
    </>
  );
}

const valuesOf = ({ name, country, timeZone, billingCycleAnchor, ...chosen }: Organization) => ({
  name,
  country,
  timeZone,
  billingCycleAnchor,
  redactCounterparties: chosen.redactCounterparties ? 'yes' : null,
  keepNames: chosen.keepNames ? 'yes' : null,
  requireSecondFactor: chosen.requireSecondFactor ? 'yes' : null,
});

function OrganizationForms({ ctx, profile, billing }: { ctx: PageContext; profile: FormState; billing: FormState }) {
  const back = pathOf(ctx, 'organization');
  return (
    <>
      <ConsoleForm ctx={ctx} state={profile} action={pathOf(ctx, 'organization', 'edit')} submit="Save" cancel={back}>
        <TextField state={profile} name="name" label="Name" required maxLength={200} autocomplete="organization" />
        <SelectField state={profile} name="country" label="Country" choices={[['', 'Not given'], ...COUNTRIES]} />
        <TextField
          state={profile}
          name="timeZone"
          label="Time zone"
          hint="Pages show times in this zone, such as Europe/Berlin."
          required
          suggestions={TIME_ZONES}
        />
        <CheckField
          state={profile}
          name="redactCounterparties"
          label="Replace counterparties of bank statements by tokens"
          hint="Unless they are recognized as organizations. It is in force for statements that are redacted from now on."
        />
      </ConsoleForm>
      {ctx.user.role === 'owner' ? <OwnersForms ctx={ctx} billing={billing} /> : null}
    </>
  );
}

const OwnersForms = ({ ctx, billing }: { ctx: PageContext; billing: FormState }) => (
  <section>
    <h2>Billing</h2>
    <ConsoleForm ctx={ctx} state={billing} action={pathOf(ctx, 'organization', 'billing')} submit="Change the billing anchor">
      <TextField
        state={billing}
        name="billingCycleAnchor"
        label="Billing anchor"
        type="date"
        required
        hint="Billing periods start on this day of the month, or on the last day of a shorter month."
      />
    </ConsoleForm>
    <h2>Names behind tokens</h2>
    <ConsoleForm ctx={ctx} state={billing} action={pathOf(ctx, 'organization', 'names')} submit="Save">
      <CheckField
        state={billing}
        name="keepNames"
        label="Keep the names of people in bank statements, encrypted"
        hint={
          'For tax offices that ask for payees: owners can then save the key list of a report, and decide about names that are in ' +
          'doubt. For statements that arrive from now on. If you switch it off, all names that were kept are removed.'
        }
      />
    </ConsoleForm>
    <h2>Signing in</h2>
    <ConsoleForm ctx={ctx} state={billing} action={pathOf(ctx, 'organization', 'second-factor')} submit="Save">
      <CheckField
        state={billing}
        name="requireSecondFactor"
        label="Require a second factor of all members"
        hint="Whoever has none sets it up with their next page, before they see anything else."
      />
    </ConsoleForm>
  </section>
);

const SECTION = 'organization';

/** What a form with a problem does not change, and what it shows instead. */
interface States {
  readonly profile?: FormState;
  readonly billing?: FormState;
  readonly notices?: FormState;
}

@ConsoleSection({ path: SECTION, label: 'Organization', group: 'Organization', order: 1 })
export class OrganizationConsole {
  constructor(
    private readonly organizations: OrganizationService,
    private readonly notices: NoticeChoices,
  ) {}

  @Page({ route: 'GET /', operation: 'organization.get' })
  async show(@PageCtx() ctx: PageContext): Promise<Answer> {
    const organization = this.organizations.present(await this.organizations.byId(ctx.organizationId));
    const notices = await this.notices.list(ctx.organizationId);
    const actions = isAtLeast(ctx.user.role, 'admin') ? <LinkButton to={pathOf(ctx, SECTION, 'edit')}>Edit</LinkButton> : null;
    return titledPage('Organization', { actions }, <OrganizationView ctx={ctx} organization={organization} notices={notices} />);
  }

  @Page({ route: 'GET /edit', role: 'admin' })
  edit(@PageCtx() ctx: PageContext): Promise<Answer> {
    return this.editPage(ctx, {});
  }

  @Action({ route: 'POST /edit', role: 'admin' })
  change(@PageCtx() ctx: PageContext): Promise<Answer> {
    const { form } = ctx;
    const change: OrganizationChange = {
      name: form.text('name'),
      country: form.given('country') ?? null,
      timeZone: form.text('timeZone'),
      redactCounterparties: form.isChecked('redactCounterparties'),
    };
    return orAgain(
      ctx,
      () => this.save(ctx, change),
      (profile) => this.editPage(ctx, { profile }),
    );
  }

  @Action({ route: 'POST /billing', role: 'owner' })
  changeBilling(@PageCtx() ctx: PageContext): Promise<Answer> {
    return orAgain(
      ctx,
      () => this.save(ctx, { billingCycleAnchor: ctx.form.text('billingCycleAnchor') }),
      (billing) => this.editPage(ctx, { billing }),
    );
  }

  @Action({ route: 'POST /second-factor', role: 'owner' })
  requireSecondFactor(@PageCtx() ctx: PageContext): Promise<Answer> {
    return this.save(ctx, { requireSecondFactor: ctx.form.isChecked('requireSecondFactor') });
  }

  @Action({ route: 'POST /names', role: 'owner' })
  keepNames(@PageCtx() ctx: PageContext): Promise<Answer> {
    return this.save(ctx, { keepNames: ctx.form.isChecked('keepNames') });
  }

  @Action({ route: 'POST /notices', role: 'admin', records: ['organization.notices_changed'] })
  changeNotices(@PageCtx() ctx: PageContext): Promise<Answer> {
    const change = async (): Promise<Answer> => {
      await this.notices.change(ctx.actor, ctx.organizationId, ctx.form.list('notices'));
      return goTo(pathOf(ctx, SECTION), 'The mails to owners were changed.');
    };
    return orAgain(ctx, change, (notices) => this.editPage(ctx, { notices }));
  }

  private async save(ctx: PageContext, change: OrganizationChange): Promise<Answer> {
    await this.organizations.change(ctx.actor, ctx.organizationId, change);
    return goTo(pathOf(ctx, SECTION), 'The organization was changed.');
  }

  private async editPage(ctx: PageContext, states: States): Promise<Answer> {
    const state = formOf(valuesOf(await this.organizations.byId(ctx.organizationId)));
    const settings = await this.notices.list(ctx.organizationId);
    const { profile = state, billing = state, notices = noticesOf(settings) } = states;
    const status = (profile.problem ?? billing.problem ?? notices.problem)?.status ?? 200;
    const forms = (
      <>
        <OrganizationForms ctx={ctx} profile={profile} billing={billing} />
        <NoticesForm ctx={ctx} state={notices} settings={settings} />
      </>
    );
    return page('Edit the organization', forms, status);
  }
}
