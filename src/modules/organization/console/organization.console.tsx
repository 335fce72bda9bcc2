import { orAgain } from '../../../api/console/console-door.js';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { formOf, PageCtx, pathOf, goTo, page, titledPage } from '../../../api/console/page.js';
import type { FormState, PageContext, Answer } from '../../../api/console/page.js';
import { Badge, Confirm, Facts, LinkButton, Time } from '../../../api/console/parts/facts.js';
import { CheckField, CheckGroup, type Choice, ConsoleForm, SelectField, TextField } from '../../../api/console/parts/fields.js';
import { RuleFields, rulesIn, ruleValues } from '../../../api/console/parts/confirmation-rules.js';
import { customFacts, recordBody, RecordInputs, recordValues, seenFields } from '../../../api/console/parts/record.js';
import { count, day, say, told, wordingNow } from '../../../api/console/say.js';
import { COUNTRY_CODES } from '../../../kernel/codes.js';
import { ENVIRONMENTS } from '../../../kernel/context.js';
import { DEFAULT_RULES } from '../../../kernel/confirmation-rules.js';
import { isAtLeast } from '../../../kernel/roles.js';
import { AgentsService } from '../agents.service.js';
import { type NoticeChoice, NoticeChoices } from '../notices/notices.service.js';
import { ORGANIZATION_FIELDS, OrganizationDto, type OrganizationLimitsDto } from '../organization.dto.js';
import type { Organization } from '../organization.entity.js';
import { OrganizationService } from '../organization.service.js';
import type { OrganizationChange } from '../organization-rules.js';

const fieldsFor = (ctx: PageContext) => seenFields(ORGANIZATION_FIELDS, OrganizationDto, ctx);

type Settings = readonly NoticeChoice[];

function noticesInWords(settings: Settings): string {
  const on = settings.filter(({ isOn }) => isOn).length;
  const share = on === settings.length ? 'all' : on === 0 ? 'none' : 'some';
  return say('console.organization.mails', { share, on: count(on), all: count(settings.length) });
}

const noticesOf = (settings: Settings): FormState => formOf({ notices: settings.flatMap(({ kind, isOn }) => (isOn ? [kind] : [])) });

function NoticesForm({ ctx, state, settings }: { ctx: PageContext; state: FormState; settings: Settings }) {
  const choices = settings.map(({ kind, when }): Choice => [kind, told(when)]);
  return (
    <section>
      <h2 id="mail">{say('console.organization.mail')}</h2>
      <ConsoleForm ctx={ctx} state={state} action={pathOf(ctx, 'organization', 'notices')} submit={say('console.organization.save')}>
        <CheckGroup state={state} name="notices" label={say('console.organization.mailWhen')} choices={choices} />
      </ConsoleForm>
    </section>
  );
}

const rulesOf = ({ confirmations }: Organization) =>
  formOf(Object.fromEntries(ENVIRONMENTS.flatMap((of) => ruleValues(of, { ...DEFAULT_RULES[of], ...confirmations?.[of] }))));

const AgentsForm = ({ ctx, state }: { ctx: PageContext; state: FormState }) => (
  <section>
    <h2 id="agents">{say('console.agents.title')}</h2>
    <p>{say('console.agents.about')}</p>
    <ConsoleForm ctx={ctx} state={state} action={pathOf(ctx, 'organization', 'agents')} submit={say('console.organization.save')}>
      {ENVIRONMENTS.map((of) => (
        <fieldset>
          <legend>{say(`console.agents.in.${of}`)}</legend>
          <RuleFields state={state} of={of} />
        </fieldset>
      ))}
    </ConsoleForm>
  </section>
);

const countriesIn = new Map<string, readonly Choice[]>();

function countries({ language } = wordingNow()): readonly Choice[] {
  const names = new Intl.DisplayNames(language, { type: 'region' });
  const named = (): Choice[] => COUNTRY_CODES.map((code) => [code, names.of(code) ?? code]);
  const all = countriesIn.get(language) ?? named().sort(([, a], [, b]) => a.localeCompare(b, language));
  countriesIn.set(language, all);
  return all;
}

const TIME_ZONES = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])];

function OrganizationView({ ctx, organization, notices }: { ctx: PageContext; organization: OrganizationDto; notices: Settings }) {
  const { id, name, slug, plan, country, timeZone, billingCycleAnchor, redactCounterparties, limits, createdAt, updatedAt } = organization;
  const { requireSecondFactor, keepNames, forgetsPeople } = organization;
  const [, countryName] = countries().find(([code]) => code === country) ?? [];
  return (
    <>
      <Facts
        facts={[
          [say('console.organization.name'), name],
          [say('console.organization.slug'), <code>{slug}</code>],
          [say('console.organization.plan'), <Badge>{`${plan[0]!.toUpperCase()}${plan.slice(1)}`}</Badge>],
          ...(country ? [[say('console.organization.country'), countryName ?? country] as const] : []),
          [say('console.organization.timeZone'), timeZone],
          [say('console.organization.billingFrom'), day(billingCycleAnchor)],
          [say('console.organization.counterparties'), say('console.organization.counterpartiesAre', { redactCounterparties })],
          [say('console.organization.names'), say('console.organization.namesAre', { keepNames })],
          [say('console.organization.secondFactor'), say('console.organization.factorIs', { requireSecondFactor })],
          [say('console.organization.forgetting'), say('console.organization.forgettingIs', { forgetsPeople })],
          [say('console.organization.mail'), noticesInWords(notices)],
          ...customFacts(ORGANIZATION_FIELDS, ctx, organization),
          [say('console.organization.id'), <code>{id}</code>],
          [say('console.organization.created'), <Time ctx={ctx} at={createdAt} />],
          [say('console.organization.changed'), <Time ctx={ctx} at={updatedAt} />],
        ]}
      />
      <h2>{say('console.organization.limits.title')}</h2>
      <Limits limits={limits} />
    </>
  );
}

function Limits({ limits }: { limits: OrganizationLimitsDto }) {
  const { requestsPerMinute, burst } = limits;
  return (
    <>
      <p>{say('console.organization.limits.about')}</p>
      <Facts
        facts={[
          [say('console.organization.limits.requests'), say('console.organization.limits.rate', { requestsPerMinute, burst })],
          [told('API keys'), count(limits.apiKeys)],
          [say('console.organization.limits.webhooks'), say('console.organization.limits.endpoints', { count: limits.webhooks })],
          [say('console.organization.limits.applications'), count(limits.applications)],
          [say('console.organization.limits.categories'), count(limits.expenseCategories)],
          [say('console.organization.limits.configurations'), count(limits.reportConfigurations)],
          [say('console.organization.limits.statements'), count(limits.bankStatements)],
          [told('Claim items'), count(limits.claimItems)],
          [told('Receipts'), count(limits.receipts)],
          [told('Members'), say('console.organization.limits.inAll', { count: limits.members })],
        ]}
      />
    </>
  );
}

const valuesOf = ({ name, country, timeZone, billingCycleAnchor, ...chosen }: Organization) => ({
  ...recordValues(ORGANIZATION_FIELDS, chosen),
  name,
  country,
  timeZone,
  billingCycleAnchor,
  redactCounterparties: chosen.redactCounterparties ? 'yes' : null,
  keepNames: chosen.keepNames ? 'yes' : null,
  requireSecondFactor: chosen.requireSecondFactor ? 'yes' : null,
});

const hinted = (state: FormState, name: string, of: 'timeZone' | 'redact' | 'anchor' | 'keep' | 'factor') => ({
  ...{ state, name, label: say(`console.organization.${of}`) },
  hint: say(`console.organization.${of}Hint`),
});

type Forms = { ctx: PageContext; profile: FormState; billing: FormState; forgets: boolean };

function OrganizationForms({ ctx, profile, billing, forgets }: Forms) {
  const [back, submit, name] = [pathOf(ctx, 'organization'), say('console.organization.save'), say('console.organization.name')];
  const choices: readonly Choice[] = [['', say('console.organization.notGiven')], ...countries()];
  return (
    <>
      <ConsoleForm ctx={ctx} state={profile} action={pathOf(ctx, 'organization', 'edit')} submit={submit} cancel={back}>
        <TextField state={profile} name="name" label={name} required maxLength={200} autocomplete="organization" />
        <SelectField state={profile} name="country" label={say('console.organization.country')} choices={choices} />
        <TextField {...hinted(profile, 'timeZone', 'timeZone')} required suggestions={TIME_ZONES} />
        <CheckField {...hinted(profile, 'redactCounterparties', 'redact')} />
        <RecordInputs fields={fieldsFor(ctx)} state={profile} />
      </ConsoleForm>
      {ctx.user.role === 'owner' ? <OwnersForms ctx={ctx} billing={billing} forgets={forgets} /> : null}
    </>
  );
}

const OwnersForms = ({ ctx, billing, forgets }: { ctx: PageContext; billing: FormState; forgets: boolean }) => (
  <section>
    <h2>{say('console.organization.billing')}</h2>
    <ConsoleForm ctx={ctx} state={billing} action={pathOf(ctx, 'organization', 'billing')} submit={say('console.organization.setAnchor')}>
      <TextField {...hinted(billing, 'billingCycleAnchor', 'anchor')} type="date" required />
    </ConsoleForm>
    <h2>{say('console.organization.namesBehind')}</h2>
    <ConsoleForm ctx={ctx} state={billing} action={pathOf(ctx, 'organization', 'names')} submit={say('console.organization.save')}>
      <CheckField {...hinted(billing, 'keepNames', 'keep')} />
    </ConsoleForm>
    {forgets ? null : (
      <>
        <h2>{say('console.organization.forgetting')}</h2>
        <Confirm
          ctx={ctx}
          action={pathOf(ctx, 'organization', 'forgetting')}
          label={say('console.organization.forget')}
          question={say('console.organization.forgetAbout')}
          submit={say('console.organization.forget')}
        />
      </>
    )}
    <h2>{say('console.organization.signingIn')}</h2>
    <ConsoleForm ctx={ctx} state={billing} action={pathOf(ctx, 'organization', 'second-factor')} submit={say('console.organization.save')}>
      <CheckField {...hinted(billing, 'requireSecondFactor', 'factor')} />
    </ConsoleForm>
  </section>
);

const SECTION = 'organization';

@ConsoleSection({ path: SECTION, label: 'Organization', group: 'Organization', order: 1, shows: 'nothing' })
export class OrganizationConsole {
  constructor(
    private readonly organizations: OrganizationService,
    private readonly notices: NoticeChoices,
    private readonly agents: AgentsService,
  ) {}

  @Page({ route: 'GET /', operation: 'organization.get' })
  async show(@PageCtx() ctx: PageContext): Promise<Answer> {
    const organization = this.organizations.present(await this.organizations.byId(ctx.organizationId));
    const notices = await this.notices.list(ctx.organizationId);
    const actions = isAtLeast(ctx.user.role, 'admin') ? (
      <LinkButton to={pathOf(ctx, SECTION, 'edit')}>{say('console.organization.edit')}</LinkButton>
    ) : null;
    return titledPage(told('Organization'), { actions }, <OrganizationView ctx={ctx} organization={organization} notices={notices} />);
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
      ...recordBody(fieldsFor(ctx), form),
    };
    const save = (): Promise<Answer> => this.save(ctx, change);
    return orAgain(ctx, save, (profile) => this.editPage(ctx, { profile }));
  }

  @Action({ route: 'POST /billing', role: 'owner' })
  changeBilling(@PageCtx() ctx: PageContext): Promise<Answer> {
    const save = (): Promise<Answer> => this.save(ctx, { billingCycleAnchor: ctx.form.text('billingCycleAnchor') });
    return orAgain(ctx, save, (billing) => this.editPage(ctx, { billing }));
  }

  @Action({ route: 'POST /second-factor', role: 'owner' })
  requireSecondFactor(@PageCtx() ctx: PageContext): Promise<Answer> {
    return this.save(ctx, { requireSecondFactor: ctx.form.isChecked('requireSecondFactor') });
  }

  @Action({ route: 'POST /forgetting', role: 'owner' })
  forgetPeople(@PageCtx() ctx: PageContext): Promise<Answer> {
    return this.save(ctx, { forgetsPeople: true });
  }

  @Action({ route: 'POST /names', role: 'owner' })
  keepNames(@PageCtx() ctx: PageContext): Promise<Answer> {
    return this.save(ctx, { keepNames: ctx.form.isChecked('keepNames') });
  }

  @Action({ route: 'POST /notices', role: 'admin', records: ['organization.notices_changed'] })
  changeNotices(@PageCtx() ctx: PageContext): Promise<Answer> {
    const change = async (): Promise<Answer> => {
      await this.notices.change(ctx.actor, ctx.organizationId, ctx.form.list('notices'));
      return goTo(pathOf(ctx, SECTION), say('console.organization.mailsChanged'));
    };
    return orAgain(ctx, change, (notices) => this.editPage(ctx, { notices }));
  }

  @Action({ route: 'POST /agents', role: 'admin', records: ['organization.agents_changed'] })
  changeAgents(@PageCtx() ctx: PageContext): Promise<Answer> {
    const change = async (): Promise<Answer> => {
      const rules = Object.fromEntries(ENVIRONMENTS.map((of) => [of, rulesIn(ctx.form, of) ?? {}]));
      await this.agents.setRules(ctx.actor, ctx.organizationId, rules);
      return goTo(pathOf(ctx, SECTION), say('console.organization.wasChanged'));
    };
    return orAgain(ctx, change, (agents) => this.editPage(ctx, { agents }));
  }

  private async save(ctx: PageContext, change: OrganizationChange): Promise<Answer> {
    await this.organizations.change(ctx.actor, ctx.organizationId, change);
    return goTo(pathOf(ctx, SECTION), say('console.organization.wasChanged'));
  }

  private async editPage(
    ctx: PageContext,
    states: Partial<Record<'profile' | 'billing' | 'notices' | 'agents', FormState>>,
  ): Promise<Answer> {
    const organization = await this.organizations.byId(ctx.organizationId);
    const state = formOf(valuesOf(organization));
    const settings = await this.notices.list(ctx.organizationId);
    const { profile = state, billing = state, notices = noticesOf(settings), agents = rulesOf(organization) } = states;
    const status = (profile.problem ?? billing.problem ?? notices.problem ?? agents.problem)?.status ?? 200;
    const own = <OrganizationForms ctx={ctx} profile={profile} billing={billing} forgets={organization.forgetsPeople} />;
    const others = [<NoticesForm ctx={ctx} state={notices} settings={settings} />, <AgentsForm ctx={ctx} state={agents} />];
    return page(say('console.organization.editTitle'), [own, ...others], status);
  }
}
