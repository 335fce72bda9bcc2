import { valueIn, type FormState } from '../../../api/console/form.js';
import { pathOf, type PageContext } from '../../../api/console/page-context.js';
import { Badge, Facts, Time } from '../../../api/console/parts/facts.js';
import { CheckField, ConsoleForm, SelectField, TextField, type Choice } from '../../../api/console/parts/fields.js';
import { COUNTRY_CODES } from '../../../kernel/codes.js';
import { isAtLeast } from '../../../kernel/roles.js';
import type { NoticeSetting } from '../notices/notice-settings.service.js';
import type { OrganizationDto, OrganizationLimitsDto } from '../organization.dto.js';
import type { Organization } from '../organization.entity.js';
import { noticesInWords } from './notices.views.js';

const countryNames = new Intl.DisplayNames('en', { type: 'region' });
const COUNTRIES: readonly Choice[] = COUNTRY_CODES.map((code): Choice => [code, countryNames.of(code) ?? code]).sort(([, a], [, b]) =>
  a.localeCompare(b, 'en'),
);
const TIME_ZONES = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])];

/** The one that is stored may be a name that Intl does not list, since it has newer ones. */
const timeZonesWith = (current: string): Choice[] =>
  [...new Set([...TIME_ZONES, current])].filter(Boolean).map((name) => [name, name.replaceAll('_', ' ')]);

interface Seen {
  readonly ctx: PageContext;
  readonly organization: OrganizationDto;
  readonly notices: readonly NoticeSetting[];
}

export function OrganizationView({ ctx, organization, notices }: Seen) {
  const { id, name, slug, plan, country, timeZone, billingCycleAnchor, redactCounterparties, limits, createdAt, updatedAt } = organization;
  const { requireSecondFactor } = organization;
  return (
    <>
      <Facts
        facts={[
          ['Name', name],
          ['Short name', <code>{slug}</code>],
          ['Plan', <Badge>{plan}</Badge>],
          ['Country', country && (countryNames.of(country) ?? country)],
          ['Time zone', timeZone],
          ['Billing anchor', billingCycleAnchor],
          [
            'Counterparties',
            redactCounterparties ? 'Replaced by tokens unless recognised as organisations' : 'Readable unless recognised as people',
          ],
          ['Second factor', requireSecondFactor ? 'Required for all members' : 'Up to each member'],
          ['Mail to owners', noticesInWords(notices)],
          ['Id', <code>{id}</code>],
          ['Created', <Time ctx={ctx} at={createdAt} />],
          ['Changed', <Time ctx={ctx} at={updatedAt} />],
        ]}
      />
      {isAtLeast(ctx.user.role, 'admin') ? (
        <p>
          <a class="button" href={pathOf(ctx, 'organization', 'edit')}>
            Edit
          </a>
        </p>
      ) : null}
      <h2>Limits</h2>
      <Limits limits={limits} />
    </>
  );
}

function Limits({ limits }: { limits: OrganizationLimitsDto }) {
  const shown = (count: number): string => count.toLocaleString('en');
  return (
    <>
      <p>What the plan and this installation allow. Limits of records are for each environment.</p>
      <Facts
        facts={[
          ['Requests', `${shown(limits.requestsPerMinute)} a minute, ${shown(limits.burst)} at once`],
          ['API keys', shown(limits.apiKeys)],
          ['Webhook endpoints', limits.webhooks === 0 ? 'Not in this plan' : shown(limits.webhooks)],
          ['Applications', shown(limits.applications)],
          ['Categories', shown(limits.expenseCategories)],
          ['Report configurations', shown(limits.reportConfigurations)],
          ['Bank statements', shown(limits.bankStatements)],
          ['Members', `${shown(limits.members)} in the organization`],
        ]}
      />
    </>
  );
}

export const valuesOf = ({ name, country, timeZone, billingCycleAnchor, redactCounterparties, requireSecondFactor }: Organization) => ({
  name,
  country,
  timeZone,
  billingCycleAnchor,
  redactCounterparties: redactCounterparties ? 'yes' : null,
  requireSecondFactor: requireSecondFactor ? 'yes' : null,
});

export function OrganizationForms({ ctx, profile, billing }: { ctx: PageContext; profile: FormState; billing: FormState }) {
  const back = pathOf(ctx, 'organization');
  return (
    <>
      <ConsoleForm ctx={ctx} state={profile} action={pathOf(ctx, 'organization', 'edit')} submit="Save" cancel={back}>
        <TextField state={profile} name="name" label="Name" required maxLength={200} autocomplete="organization" />
        <SelectField state={profile} name="country" label="Country" choices={[['', 'Not given'], ...COUNTRIES]} />
        <SelectField
          state={profile}
          name="timeZone"
          label="Time zone"
          hint="Pages show times in this zone."
          choices={timeZonesWith(valueIn(profile, 'timeZone'))}
        />
        <CheckField
          state={profile}
          name="redactCounterparties"
          label="Replace counterparties of bank statements by tokens"
          hint="Unless they are recognised as organisations. It is in force for statements that are redacted from now on."
        />
      </ConsoleForm>
      {ctx.user.role === 'owner' ? (
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
      ) : null}
    </>
  );
}
