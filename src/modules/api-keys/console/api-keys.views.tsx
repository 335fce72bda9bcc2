import type { ScopeGroup } from '../../../api/access/scopes.js';
import { type FormState, type PageContext, pathOf } from '../../../api/console/page.js';
import { CheckGroups } from '../../../api/console/parts/check-groups.js';
import { Badge, Confirm, Copyable, Facts, LinkButton, Time } from '../../../api/console/parts/facts.js';
import { AreaField, type Choice, ConsoleForm, SelectField, TextField } from '../../../api/console/parts/fields.js';
import { Pager, Table } from '../../../api/console/parts/list.js';
import { OverlapField } from '../../../api/console/parts/overlap-field.js';
import { ScopeList } from '../../../api/console/parts/scope-list.js';
import { say, told } from '../../../api/console/say.js';
import { Filled, FIRST } from '../../../api/wording/page-wording.js';
import { Problem } from '../../../kernel/problems.js';
import type { UserRole } from '../../../kernel/roles.js';
import type { PageOf } from '../../../store/tenant/page.js';
import type { ApiKey } from '../api-key.entity.js';
import { prefixOf } from '../key-format.js';

/** Keys can do more than most people may, so they are not for everybody. */
export const KEYS_ROLE: UserRole = 'admin';
const RECENTLY_MS = 3_600_000;

export interface SeenKey {
  readonly row: ApiKey;
  readonly now: Date;
}

const isOver = ({ row: { revokedAt, expiresAt }, now }: SeenKey): boolean =>
  revokedAt !== null || (expiresAt !== null && Date.parse(expiresAt) <= now.getTime());

function Status({ seen }: { seen: SeenKey }) {
  if (seen.row.revokedAt) return <Badge tone="bad">{say('console.apiKeys.revoked')}</Badge>;
  if (isOver(seen)) return <Badge>{say('console.apiKeys.expired')}</Badge>;
  return <Badge tone="good">{say('console.apiKeys.active')}</Badge>;
}

const Masked = ({ row: { environment, last4 } }: { row: ApiKey }) => <code>{`${prefixOf(environment)}…${last4}`}</code>;
const Expiry = ({ ctx, row }: { ctx: PageContext; row: ApiKey }) =>
  row.expiresAt ? <Time ctx={ctx} at={row.expiresAt} /> : <>{say('console.apiKeys.never')}</>;
const addressesOf = ({ ipAllowlist }: ApiKey): string => ipAllowlist.join(', ') || say('console.apiKeys.everywhere');

export function KeyList({ ctx, found, now }: { ctx: PageContext; found: PageOf<ApiKey>; now: Date }) {
  return (
    <>
      <p>{say('console.apiKeys.about', { environment: ctx.environment, organization: ctx.organization.name })}</p>
      <Table
        caption={told('API keys')}
        rows={found.rows}
        empty={<p>{say('console.apiKeys.empty', { environment: ctx.environment })}</p>}
        columns={[
          [say('console.apiKeys.name'), (row) => <a href={pathOf(ctx, 'keys', row.id)}>{row.name}</a>],
          [say('console.apiKeys.key'), (row) => <Masked row={row} />],
          [say('console.apiKeys.status'), (row) => <Status seen={{ row, now }} />],
          [say('console.apiKeys.scopes'), (row) => row.scopes.length, 'number'],
          [say('console.apiKeys.addresses'), addressesOf],
          [say('console.apiKeys.lastUsed'), (row) => <LastUse ctx={ctx} row={row} />],
          [say('console.apiKeys.expires'), (row) => <Expiry ctx={ctx} row={row} />],
        ]}
      />
      <Pager ctx={ctx} counted={found} />
    </>
  );
}

const LastUse = ({ ctx, row: { lastUsedAt, lastUsedFrom } }: { ctx: PageContext; row: ApiKey }) => (
  <>
    <Time ctx={ctx} at={lastUsedAt} />{' '}
    {lastUsedFrom === null ? null : <span class="hint">{say('console.apiKeys.from', { address: lastUsedFrom })}</span>}
  </>
);

export function KeyView({ ctx, seen, groups }: { ctx: PageContext; seen: SeenKey; groups: readonly ScopeGroup[] }) {
  const { row } = seen;
  return (
    <>
      <Facts
        facts={[
          [say('console.apiKeys.name'), row.name],
          [say('console.apiKeys.key'), <Masked row={row} />],
          [say('console.apiKeys.status'), <Status seen={seen} />],
          [say('console.apiKeys.addresses'), addressesOf(row)],
          [say('console.apiKeys.lastUsed'), <LastUse ctx={ctx} row={row} />],
          [say('console.apiKeys.expires'), <Expiry ctx={ctx} row={row} />],
          ...(row.revokedAt ? [[say('console.apiKeys.revoked'), <Time ctx={ctx} at={row.revokedAt} />] as const] : []),
          [say('console.apiKeys.created'), <Time ctx={ctx} at={row.createdAt} />],
          [say('console.apiKeys.id'), <code>{row.id}</code>],
        ]}
      />
      {isOver(seen) ? <p class="hint">{say('console.apiKeys.over')}</p> : <Steps ctx={ctx} seen={seen} />}
      <h2>{say('console.apiKeys.permissions')}</h2>
      {groups.length === 0 ? <p>{say('console.apiKeys.nothing')}</p> : null}
      <ScopeList groups={groups} />
    </>
  );
}

function Steps({ ctx, seen: { row, now } }: { ctx: PageContext; seen: SeenKey }) {
  const isInUse = row.lastUsedAt !== null && now.getTime() - Date.parse(row.lastUsedAt) < RECENTLY_MS;
  return (
    <div class="steps">
      <LinkButton to={pathOf(ctx, 'keys', row.id, 'edit')}>{say('console.apiKeys.edit')}</LinkButton>
      <Confirm
        ctx={ctx}
        action={pathOf(ctx, 'keys', row.id, 'rotate')}
        label={say('console.apiKeys.rotate')}
        question={say('console.apiKeys.rotateQuestion')}
        submit={say('console.apiKeys.rotateSubmit')}
      >
        <OverlapField label={say('console.apiKeys.overlap')} />
      </Confirm>
      <Confirm
        ctx={ctx}
        action={pathOf(ctx, 'keys', row.id, 'revoke')}
        label={say('console.apiKeys.revoke')}
        question={isInUse ? <strong>{say('console.apiKeys.inUse')}</strong> : say('console.apiKeys.revokeQuestion')}
        submit={say('console.apiKeys.revokeSubmit')}
      />
    </div>
  );
}

/** The only page that ever shows a key. */
export function IssuedKeyView({ ctx, id, apiKey, baseUrl }: { ctx: PageContext; id: string; apiKey: string; baseUrl: string }) {
  return (
    <>
      <p class="warning" role="status">
        {say('console.apiKeys.copyNow')}
      </p>
      <Copyable label={say('console.apiKeys.theKey')} text={apiKey} />
      <h2>{say('console.apiKeys.try')}</h2>
      <p>{say('console.apiKeys.tryAbout')}</p>
      <Copyable label={say('console.apiKeys.tryLine')} text={`curl ${baseUrl}/v1/auth/context -H 'X-API-Key: ${apiKey}'`} />
      <p>
        <LinkButton plain to={pathOf(ctx, 'keys', id)}>
          {say('console.apiKeys.copied')}
        </LinkButton>
      </p>
    </>
  );
}

const DAY_MS = 86_400_000;

/** For how long a new key works, in milliseconds; empty: until it is revoked. */
const expiries = (): readonly Choice[] => [
  ['', say('console.apiKeys.never')],
  ...[30, 90, 365].map((days): Choice => [String(days * DAY_MS), say('console.apiKeys.inDays', { days })]),
];

interface KeyFormProps {
  readonly ctx: PageContext;
  readonly state: FormState;
  readonly groups: readonly ScopeGroup[];
  readonly submit: string;
  readonly cancel: string;
  /** An expiry is chosen once. */
  readonly isNew?: boolean;
}

export function KeyForm({ ctx, state, groups, submit, cancel, isNew = false }: KeyFormProps) {
  return (
    <ConsoleForm ctx={ctx} state={state} submit={submit} cancel={cancel}>
      <TextField
        state={state}
        name="name"
        label={say('console.apiKeys.name')}
        hint={say('console.apiKeys.nameHint')}
        required
        maxLength={200}
      />
      {isNew ? <SelectField state={state} name="expiresIn" label={say('console.apiKeys.expires')} choices={expiries()} /> : null}
      <AreaField
        state={state}
        name="ipAllowlist"
        label={say('console.apiKeys.worksFrom')}
        hint={<Filled text={say('console.apiKeys.worksFromHint', { address: FIRST })} parts={[<code>{ctx.ipAddress}</code>]} />}
        rows={3}
      />
      <h2>{say('console.apiKeys.permissions')}</h2>
      <CheckGroups
        state={state}
        name="scopes"
        all={{ name: 'allScopes', label: say('console.apiKeys.all'), hint: say('console.apiKeys.allHint') }}
        groups={groups.map(choicesOf)}
      />
    </ConsoleForm>
  );
}

const choicesOf = ({ title, scopes }: ScopeGroup) => ({ title, choices: scopes.map(({ scope, sentence }): Choice => [scope, sentence]) });

/** What the form says of a key. A key that may do nothing is a slip. */
export function keyFieldsOf({ form }: PageContext) {
  const scopes = form.isChecked('allScopes') ? ('all' as const) : form.list('scopes');
  if (scopes.length === 0) throw Problem.invalidField('scopes', 'required', 'must have at least one: choose what the key may do');
  return {
    name: form.text('name').trim(),
    scopes,
    ipAllowlist: form
      .text('ipAllowlist')
      .split(/[\s,]+/)
      .filter(Boolean),
  };
}

export function expiryOf({ form }: PageContext): number | undefined {
  const chosen = form.text('expiresIn');
  if (!expiries().some(([value]) => value === chosen)) throw Problem.invalidField('expiresIn', 'not_allowed', 'must be one of the choices');
  return chosen === '' ? undefined : Number(chosen);
}
