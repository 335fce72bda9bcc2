import { pathOf, type PageContext } from '../../../api/console/page-context.js';
import { Badge, Confirm, Copyable, Facts, Time } from '../../../api/console/parts/facts.js';
import { SelectField, type Choice } from '../../../api/console/parts/fields.js';
import { Table } from '../../../api/console/parts/list.js';
import { formOf } from '../../../api/console/form.js';
import type { ApiKey } from '../api-key.entity.js';
import { prefixOf } from '../key-format.js';

const HOUR_MS = 3_600_000;
/** How long the old key goes on working. */
const OVERLAPS: readonly Choice[] = [
  ['24', 'For a day'],
  ['1', 'For an hour'],
  ['168', 'For a week'],
  ['0', 'Not at all'],
];

const nameOf = ({ environment, last4 }: ApiKey): string => `${prefixOf(environment)}…${last4}`;
const isOver = ({ revokedAt, expiresAt }: ApiKey, now: string): boolean => revokedAt !== null || (expiresAt !== null && expiresAt <= now);

function State({ apiKey, now }: { apiKey: ApiKey; now: string }) {
  if (apiKey.revokedAt) return <Badge tone="bad">Revoked</Badge>;
  return isOver(apiKey, now) ? <Badge tone="bad">Expired</Badge> : <Badge tone="good">Active</Badge>;
}

export function KeyList({ ctx, keys, now }: { ctx: PageContext; keys: readonly ApiKey[]; now: string }) {
  return (
    <>
      <p>Programs use a key to call the API for {ctx.environment} data.</p>
      <p>
        <a class="button" href={pathOf(ctx, 'keys', 'new')}>
          New API key
        </a>
      </p>
      <Table
        caption="API keys"
        rows={[...keys].reverse()}
        empty={<p>No key is here yet. A program needs one to call the API.</p>}
        columns={[
          ['Name', (key) => <a href={pathOf(ctx, 'keys', key.id)}>{key.name}</a>],
          ['Key', (key) => <code>{nameOf(key)}</code>],
          ['State', (key) => <State apiKey={key} now={now} />],
          ['Last used', (key) => <Time ctx={ctx} at={key.lastUsedAt} />],
          ['Expires', (key) => <Time ctx={ctx} at={key.expiresAt} />],
        ]}
      />
    </>
  );
}

export function KeyView({ ctx, apiKey, now }: { ctx: PageContext; apiKey: ApiKey; now: string }) {
  const { id, scopes, ipAllowlist, lastUsedAt, expiresAt, createdAt } = apiKey;
  return (
    <>
      <Facts
        facts={[
          ['Key', <code>{nameOf(apiKey)}</code>],
          ['State', <State apiKey={apiKey} now={now} />],
          ['Scopes', scopes.length === 0 ? null : scopes.join(', ')],
          ['Allowed addresses', ipAllowlist.length === 0 ? 'All' : ipAllowlist.join(', ')],
          ['Last used', <Time ctx={ctx} at={lastUsedAt} />],
          ['Expires', <Time ctx={ctx} at={expiresAt} />],
          ['Created', <Time ctx={ctx} at={createdAt} />],
          ['Id', <code>{id}</code>],
        ]}
      />
      {isOver(apiKey, now) ? null : <KeySteps ctx={ctx} apiKey={apiKey} now={now} />}
    </>
  );
}

function KeySteps({ ctx, apiKey: { id, lastUsedAt }, now }: { ctx: PageContext; apiKey: ApiKey; now: string }) {
  const isInUse = lastUsedAt !== null && Date.parse(now) - Date.parse(lastUsedAt) < HOUR_MS;
  return (
    <div class="steps">
      <a class="button" href={pathOf(ctx, 'keys', id, 'edit')}>
        Edit
      </a>
      <Confirm
        ctx={ctx}
        action={pathOf(ctx, 'keys', id, 'rotate')}
        label="Rotate"
        question="A new key with the same scopes is made, and shown once."
        submit="Make the new key"
      >
        <SelectField state={formOf({ hours: '24' })} name="hours" label="The old key goes on working" choices={OVERLAPS} />
      </Confirm>
      <Confirm
        ctx={ctx}
        action={pathOf(ctx, 'keys', id, 'revoke')}
        label="Revoke"
        question={
          <>
            {isInUse ? <strong>The key was used in the last hour: something will stop working. </strong> : null}
            The key stops working within a second, for good.
          </>
        }
        submit="Revoke the key"
      />
    </div>
  );
}

export function IssuedKeyView({ ctx, id, apiKey, baseUrl }: { ctx: PageContext; id: string; apiKey: string; baseUrl: string }) {
  return (
    <>
      <p class="warning">Copy the key now. It is not stored, and not shown again.</p>
      <Copyable label="The key" text={apiKey} />
      <h2>Try it</h2>
      <Copyable label="A first call" text={`curl ${baseUrl}/v1/auth/context -H 'X-API-Key: ${apiKey}'`} />
      <p>
        <a class="button" href={pathOf(ctx, 'keys', id)}>
          Done
        </a>
      </p>
    </>
  );
}
