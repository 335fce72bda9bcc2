import type { ComponentChildren } from 'preact';
import { formOf, type FormState } from '../../../api/console/form.js';
import { pathOf, type PageContext } from '../../../api/console/page-context.js';
import { Copyable, Facts, LinkButton, Time } from '../../../api/console/parts/facts.js';
import { ConsoleForm, FormFields, SelectField, TextField, type Choice } from '../../../api/console/parts/fields.js';
import { Filters, Table } from '../../../api/console/parts/list.js';
import { count } from '../../../api/console/say.js';
import { snakeCase } from '../../../kernel/text.js';
import type { ActorType } from '../../../kernel/context.js';
import type { ChainVerdict } from '../audit-chain.js';
import type { AuditEventDto } from '../audit.dto.js';
import { EXPORT_MAX, type EventPage } from '../audit-browsing.service.js';
import { writtenHead, writtenPosition } from './audit-query.js';

const ACTORS: Record<ActorType, string> = { user: 'People', api: 'Programs', system: 'The service and its operators' };
const ACTOR_CHOICES = Object.entries(ACTORS) as unknown as readonly Choice[];

const hrefWith = (path: string, query: URLSearchParams): string => (query.size === 0 ? path : `${path}?${query.toString()}`);

/** With test data only a part of the log is shown, as with a test key. */
const WhichPart = ({ ctx }: { ctx: PageContext }) =>
  ctx.environment === 'live' ? (
    <p>Every change in the organization, and every credential that was refused. The newest is first.</p>
  ) : (
    <p>
      Every change of test data. The newest is first. Changes of the organization itself, such as its members, are shown with{' '}
      <a href={pathOf({ environment: 'live' }, 'audit')}>live data</a>.
    </p>
  );

function filtersOf({ query }: PageContext): URLSearchParams {
  const filters = new URLSearchParams(query);
  filters.delete('before');
  return filters;
}

/** The buttons beside the title. */
export const EventActions = ({ ctx }: { ctx: PageContext }) => (
  <>
    <LinkButton plain to={hrefWith(pathOf(ctx, 'audit', 'export'), filtersOf(ctx))}>
      Export
    </LinkButton>
    <LinkButton to={pathOf(ctx, 'audit', 'verify')}>Verify</LinkButton>
  </>
);

/** `claim_project.created` is "Claim project created". */
export const actionInWords = (action: string): string => {
  const words = action.replace(/[._]/g, ' ');
  return `${words[0]!.toUpperCase()}${words.slice(1)}`;
};

const MAX_FIELDS = 3;

/** The first fields that were changed. What was made has all of its fields. */
function fieldsInWords({ action, changes }: AuditEventDto): string {
  const names = Object.keys(changes).map((name) => snakeCase(name).replaceAll('_', ' '));
  if (/\.(?:created|imported|invited|registered)$/.test(action)) return '';
  const more = names.length - MAX_FIELDS;
  return names.slice(0, MAX_FIELDS).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

export function EventList({ ctx, found: { events, next } }: { ctx: PageContext; found: EventPage }) {
  const state = formOf(Object.fromEntries(ctx.query));
  return (
    <>
      <WhichPart ctx={ctx} />
      <Filters ctx={ctx} selects={[['actor', 'By', ACTOR_CHOICES]]}>
        <TextField state={state} name="action" label="Action begins with" placeholder="claim_project." maxLength={120} />
        <TextField state={state} name="since" label="From (UTC)" type="date" />
        <TextField state={state} name="until" label="To (UTC)" type="date" />
      </Filters>
      <Table
        caption="Audit events"
        rows={events}
        empty={<p>No event is here yet, or none that you searched for.</p>}
        columns={[
          ['When', ({ occurredAt }) => <Time ctx={ctx} at={occurredAt} />],
          [
            'Action',
            ({ id, action }) => (
              <a href={pathOf(ctx, 'audit', id)} title={action}>
                {actionInWords(action)}
              </a>
            ),
          ],
          ['By', ({ actor }) => actor.name],
          ['Changed', fieldsInWords],
          ['Number', ({ sequence }) => count(sequence), 'number'],
        ]}
      />
      <Pages ctx={ctx} next={next} />
    </>
  );
}

function Pages({ ctx, next }: { ctx: PageContext; next: EventPage['next'] }) {
  const older = filtersOf(ctx);
  if (next) older.set('before', writtenPosition(next));
  return (
    <nav class="pager" aria-label="Pages">
      {ctx.query.has('before') ? (
        <a rel="first" href={hrefWith(ctx.path, filtersOf(ctx))}>
          Newest
        </a>
      ) : null}
      {next ? (
        <a rel="next" href={hrefWith(ctx.path, older)}>
          Older
        </a>
      ) : null}
    </nav>
  );
}

type Changed = readonly [field: string, change: { readonly from: unknown; readonly to: unknown }];

export function EventView({ ctx, event }: { ctx: PageContext; event: AuditEventDto }) {
  const { id, action, environment, occurredAt, createdAt, actor, resource, ipAddress, requestId, changes, sequence, previousHash, hash } =
    event;
  return (
    <>
      <Facts
        facts={[
          ['When', <Time ctx={ctx} at={occurredAt} seconds />],
          ['Action', <code>{action}</code>],
          ['By', `${actor.name} (${ACTORS[actor.type].toLowerCase()})`],
          ['Id of the actor', actor.id && <code>{actor.id}</code>],
          ['Record', resource.type.replaceAll('_', ' ')],
          ['Id of the record', <code>{resource.id}</code>],
          ['Environment', environment ?? 'The whole organization'],
          ['IP address', ipAddress],
          ['Request id', requestId && <code>{requestId}</code>],
        ]}
      />
      <h2>Changes</h2>
      <Table<Changed>
        caption="What was changed"
        rows={Object.entries(changes)}
        empty={<p>No field was changed.</p>}
        columns={[
          ['Field', ([field]) => <code>{field}</code>],
          ['From', ([, { from }]) => <Value of={from} />],
          ['To', ([, { to }]) => <Value of={to} />],
        ]}
      />
      <h2>In the log</h2>
      <Facts
        facts={[
          ['Number', count(sequence)],
          ['Added', <Time ctx={ctx} at={createdAt} />],
          ['Id', <code>{id}</code>],
          ['Hash', <code>{hash}</code>],
          ['Hash of the one before', <code>{previousHash}</code>],
        ]}
      />
    </>
  );
}

/** As the API has it, with blanks where lines may end. */
function Value({ of: value }: { of: unknown }): ComponentChildren {
  if (value === null || value === undefined) return <span class="hint">None</span>;
  return <code>{typeof value === 'string' ? value : JSON.stringify(value, null, 1).replace(/\s+/g, ' ')}</code>;
}

export const ExportForm = ({ ctx, state }: { ctx: PageContext; state: FormState }) => (
  <>
    <p>
      The oldest event is first. A file has at most {count(EXPORT_MAX)} events: if it has as many, export again from the day of its last
      one. JSON Lines are the events as the API returns them, with which the chain can be verified; CSV is for spreadsheets.
    </p>
    <ConsoleForm ctx={ctx} state={state} submit="Export" cancel={pathOf(ctx, 'audit')}>
      <SelectField
        state={state}
        name="format"
        label="Format"
        choices={[
          ['jsonl', 'JSON Lines'],
          ['csv', 'CSV'],
        ]}
      />
      <SelectField state={state} name="actor" label="By" choices={[['', 'All'], ...ACTOR_CHOICES]} />
      <TextField state={state} name="action" label="Action begins with" placeholder="claim_project." maxLength={120} />
      <TextField state={state} name="since" label="From (UTC)" type="date" />
      <TextField state={state} name="until" label="To (UTC)" type="date" hint="This day included." />
    </ConsoleForm>
  </>
);

/** What a check found, or how many events were too many for one. */
export type Verified = { readonly verdict: ChainVerdict } | { readonly tooMany: number };

export const VerifyView = ({ ctx, state, verified }: { ctx: PageContext; state: FormState; verified: Verified | undefined }) => (
  <>
    <p>
      Each event has the hash of the one before. The check recomputes the whole chain of the organization, of both environments: an event
      that was changed, removed or added later does not fit.
    </p>
    {verified && <Result verified={verified} />}
    <ConsoleForm ctx={ctx} state={state} submit="Verify" cancel={pathOf(ctx, 'audit')}>
      <TextField
        state={state}
        name="head"
        label="Head that you noted down"
        hint="Left empty, the end of the log cannot be proven. With the head of an earlier check, nothing up to it was removed or replaced."
      />
    </ConsoleForm>
  </>
);

/** Shown by its script, where the browser can compute hashes. */
export const VerifyHere = ({ ctx, scripts }: { ctx: PageContext; scripts: { readonly start: string; readonly verifier: string } }) => (
  <form
    method="post"
    action={pathOf({ environment: 'live' }, 'audit', 'verify', 'rows')}
    class="fields"
    data-script={scripts.start}
    data-verifier={scripts.verifier}
    hidden
  >
    <FormFields ctx={ctx} />
    <h2>Without trusting the service</h2>
    <p>
      Your browser reads the log and recomputes every hash itself, however long the log is. A head that you enter above must be in it. The
      script is short: <a href={scripts.verifier}>read it</a>.
    </p>
    <p>
      <button class="plain">Verify in this browser</button>
    </p>
    <p>
      <output />
    </p>
  </form>
);

function Result({ verified }: { verified: Verified }) {
  if ('tooMany' in verified)
    return (
      <p class="warning" role="status">
        The log has {count(verified.tooMany)} events, too many to verify on a page. Ask the operator to verify it.
      </p>
    );
  const { rows, head, fault } = verified.verdict;
  if (fault)
    return (
      <p class="error" role="alert">
        {fault.message} The {count(rows)} events before it are valid.
      </p>
    );
  return (
    <>
      <p class="notice" role="status">
        The log is valid: {count(rows)} events. Note down its head, outside of this service.
      </p>
      <Copyable text={writtenHead(head)} label="Head of the log" />
    </>
  );
}
