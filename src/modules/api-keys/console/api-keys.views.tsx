import type { ScopeGroup } from '../../../api/access/scope-groups.js';
import type { FormState } from '../../../api/console/form.js';
import { type PageContext, pathOf } from '../../../api/console/page-context.js';
import { CheckGroups } from '../../../api/console/parts/check-groups.js';
import { Badge, Confirm, Copyable, Facts, Time } from '../../../api/console/parts/facts.js';
import { AreaField, type Choice, ConsoleForm, SelectField, TextField } from '../../../api/console/parts/fields.js';
import { Pager, Table } from '../../../api/console/parts/list.js';
import { OverlapField } from '../../../api/console/parts/overlap-field.js';
import { ScopeList } from '../../../api/console/parts/scope-list.js';
import { Problem } from '../../../kernel/problems.js';
import type { UserRole } from '../../../kernel/roles.js';
import type { PageOf } from '../../../store/tenant/page.js';
import type { ApiKey } from '../api-key.entity.js';
import { prefixOf } from '../key-format.js';

/** Keys can do more than most people may, so they are not for everybody. */
export const KEYS_ROLE: UserRole = 'admin';

const RECENTLY_MS = 3_600_000;

/** A key as the list and its page see it, at one time. */
export interface SeenKey {
  readonly row: ApiKey;
  readonly now: Date;
}

const isOver = ({ row: { revokedAt, expiresAt }, now }: SeenKey): boolean =>
  revokedAt !== null || (expiresAt !== null && Date.parse(expiresAt) <= now.getTime());

function Status({ seen }: { seen: SeenKey }) {
  if (seen.row.revokedAt) return <Badge tone="bad">Revoked</Badge>;
  if (isOver(seen)) return <Badge>Expired</Badge>;
  return <Badge tone="good">Active</Badge>;
}

const Masked = ({ row: { environment, last4 } }: { row: ApiKey }) => <code>{`${prefixOf(environment)}…${last4}`}</code>;
const Expiry = ({ ctx, row }: { ctx: PageContext; row: ApiKey }) => (row.expiresAt ? <Time ctx={ctx} at={row.expiresAt} /> : <>Never</>);
const addressesOf = ({ ipAllowlist }: ApiKey): string => (ipAllowlist.length === 0 ? 'Everywhere' : ipAllowlist.join(', '));

export function KeyList({ ctx, found, now }: { ctx: PageContext; found: PageOf<ApiKey>; now: Date }) {
  return (
    <>
      <p>
        A program calls the API with a key. A key works in one environment: these are for the {ctx.environment} data of{' '}
        {ctx.organization.name}.
      </p>
      <Table
        caption="API keys"
        rows={found.rows}
        empty={<p>There is no key for the {ctx.environment} data yet. Without one, no program can call the API.</p>}
        columns={[
          ['Name', (row) => <a href={pathOf(ctx, 'keys', row.id)}>{row.name}</a>],
          ['Key', (row) => <Masked row={row} />],
          ['Status', (row) => <Status seen={{ row, now }} />],
          ['Scopes', (row) => row.scopes.length, 'number'],
          ['Allowed IP addresses', addressesOf],
          ['Last used', (row) => <LastUse ctx={ctx} row={row} />],
          ['Expires', (row) => <Expiry ctx={ctx} row={row} />],
        ]}
      />
      <Pager ctx={ctx} counted={found} />
    </>
  );
}

const LastUse = ({ ctx, row: { lastUsedAt, lastUsedFrom } }: { ctx: PageContext; row: ApiKey }) => (
  <>
    <Time ctx={ctx} at={lastUsedAt} /> {lastUsedFrom === null ? null : <span class="hint">from {lastUsedFrom}</span>}
  </>
);

export function KeyView({ ctx, seen, groups }: { ctx: PageContext; seen: SeenKey; groups: readonly ScopeGroup[] }) {
  const { row } = seen;
  return (
    <>
      <Facts
        facts={[
          ['Name', row.name],
          ['Key', <Masked row={row} />],
          ['Status', <Status seen={seen} />],
          ['Allowed IP addresses', addressesOf(row)],
          ['Last used', <LastUse ctx={ctx} row={row} />],
          ['Expires', <Expiry ctx={ctx} row={row} />],
          ...(row.revokedAt ? [['Revoked', <Time ctx={ctx} at={row.revokedAt} />] as const] : []),
          ['Created', <Time ctx={ctx} at={row.createdAt} />],
          ['Id', <code>{row.id}</code>],
        ]}
      />
      {isOver(seen) ? <p class="hint">This key no longer works and cannot be changed.</p> : <Steps ctx={ctx} seen={seen} />}
      <h2>Permissions</h2>
      {groups.length === 0 ? <p>Nothing but ask who it is.</p> : null}
      <ScopeList groups={groups} />
    </>
  );
}

function Steps({ ctx, seen: { row, now } }: { ctx: PageContext; seen: SeenKey }) {
  const isInUse = row.lastUsedAt !== null && now.getTime() - Date.parse(row.lastUsedAt) < RECENTLY_MS;
  return (
    <div class="steps">
      <a class="button" href={pathOf(ctx, 'keys', row.id, 'edit')}>
        Edit
      </a>
      <Confirm
        ctx={ctx}
        action={pathOf(ctx, 'keys', row.id, 'rotate')}
        label="Rotate"
        question="You get a new key with the same name, scopes and addresses. The old one works for as long as you choose here."
        submit="Make the new key"
      >
        <OverlapField label="The old key still works for" />
      </Confirm>
      <Confirm
        ctx={ctx}
        action={pathOf(ctx, 'keys', row.id, 'revoke')}
        label="Revoke"
        question={
          isInUse ? (
            <strong>
              This key was used within the last hour. A program that still has it will be refused. Rotate the key instead to give it time.
            </strong>
          ) : (
            'The key stops working everywhere within a second. This cannot be undone.'
          )
        }
        submit="Revoke the key"
      />
    </div>
  );
}

/** The only page that ever shows a key. */
export function IssuedKeyView({ ctx, id, apiKey, baseUrl }: { ctx: PageContext; id: string; apiKey: string; baseUrl: string }) {
  return (
    <>
      <p class="warning" role="status">
        Copy the key now and keep it where your program finds it. It is not shown again.
      </p>
      <Copyable label="The API key" text={apiKey} />
      <h2>Try it</h2>
      <p>This line in a terminal answers what the key is and what it may do.</p>
      <Copyable label="A line to try the key" text={`curl ${baseUrl}/v1/auth/context -H 'X-API-Key: ${apiKey}'`} />
      <p>
        <a class="button plain" href={pathOf(ctx, 'keys', id)}>
          I have copied it
        </a>
      </p>
    </>
  );
}

const DAY_MS = 86_400_000;

/** For how long a new key works, in milliseconds; empty: until it is revoked. */
const EXPIRIES: readonly Choice[] = [
  ['', 'Never'],
  [String(30 * DAY_MS), 'In 30 days'],
  [String(90 * DAY_MS), 'In 90 days'],
  [String(365 * DAY_MS), 'In a year'],
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
        label="Name"
        hint="What uses the key, such as the program or the server."
        required
        maxLength={200}
      />
      {isNew ? <SelectField state={state} name="expiresIn" label="Expires" choices={EXPIRIES} /> : null}
      <AreaField
        state={state}
        name="ipAllowlist"
        label="Addresses that it works from"
        hint={
          <>
            One address or network (CIDR) on each line; empty: everywhere. Yours is <code>{ctx.ipAddress}</code>.
          </>
        }
        rows={3}
      />
      <h2>Permissions</h2>
      <CheckGroups
        state={state}
        name="scopes"
        all={{ name: 'allScopes', label: 'Everything', hint: 'All that the API can do today. What is added later, the key may not do.' }}
        groups={groups.map(choicesOf)}
      />
    </ConsoleForm>
  );
}

const choicesOf = ({ title, scopes }: ScopeGroup) => ({
  title,
  choices: scopes.map(({ scope, sentence }): Choice => [scope, sentence]),
});

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

/** undefined: the key does not expire. */
export function expiryOf({ form }: PageContext): number | undefined {
  const chosen = form.text('expiresIn');
  if (!EXPIRIES.some(([value]) => value === chosen)) throw Problem.invalidField('expiresIn', 'not_allowed', 'must be one of the choices');
  return chosen === '' ? undefined : Number(chosen);
}
