import type { ComponentChildren } from 'preact';
import { formOf, type FormState, pathOf, type PageContext } from '../../../api/console/page.js';
import { Copyable, Facts, LinkButton, Time, Note, PlainLink, Sentence } from '../../../api/console/parts/facts.js';
import { ConsoleForm, FormFields, SelectField, TextField, type Choice } from '../../../api/console/parts/fields.js';
import { allOr, Filters, Table } from '../../../api/console/parts/list.js';
import { wordsOf } from '../../../api/console/error-words.js';
import { count, say, told, wordingNow } from '../../../api/console/say.js';
import { FIRST } from '../../../api/wording/page-wording.js';
import { ACTOR_TYPES } from '../../../kernel/context.js';
import { isAtLeast } from '../../../kernel/roles.js';
import type { ChainVerdict } from '../audit-chain.js';
import type { AuditEventDto } from '../audit.dto.js';
import { EXPORT_MAX, type EventPage, writtenHead, writtenPosition } from '../audit.service.js';

const FILES = { jsonl: 'JSON Lines', csv: 'CSV' };
const actorChoices = (): readonly Choice[] => ACTOR_TYPES.map((type) => [type, say(`console.audit.actors.${type}`)]);
const hrefWith = (path: string, query: URLSearchParams): string => (query.size === 0 ? path : `${path}?${query.toString()}`);

/** With test data only a part of the log is shown, as with a test key. */
const WhichPart = ({ ctx }: { ctx: PageContext }) =>
  ctx.environment === 'live' ? (
    <p>{say('console.audit.aboutLive')}</p>
  ) : (
    <Sentence
      text={say('console.audit.aboutTest', { live: FIRST })}
      parts={[<a href={pathOf({ environment: 'live' }, 'audit')}>{say('console.audit.liveData')}</a>]}
    />
  );

function filtersOf({ query }: PageContext): URLSearchParams {
  const filters = new URLSearchParams(query);
  filters.delete('before');
  return filters;
}

export const EventActions = ({ ctx }: { ctx: PageContext }) => (
  <>
    <PlainLink to={hrefWith(pathOf(ctx, 'audit', 'export'), filtersOf(ctx))} label={say('console.audit.export')} />
    {isAtLeast(ctx.user.role, 'owner') && [
      <PlainLink to={pathOf(ctx, 'audit', 'destinations')} label={say('console.audit.destinations.title')} />,
      <PlainLink to={pathOf(ctx, 'audit', 'witnesses')} label={say('console.audit.witnesses.title')} />,
    ]}
    <LinkButton to={pathOf(ctx, 'audit', 'verify')}>{say('console.audit.verify')}</LinkButton>
  </>
);

/** `claim_project.created` is "Claim project created". */
export const actionInWords = (action: string): string => wordsOf(action.replaceAll('.', '_'));

/** What a name of the API is called within a sentence: `clientReference` is "client reference". */
function nameInWords(name: string): string {
  const words = wordsOf(name);
  return wordingNow().language.startsWith('de') ? words : words.replace(/^.(?!\p{Lu})/u, (first) => first.toLowerCase());
}

const MAX_FIELDS = 3;

/** The first fields that were changed. What was made has all of its fields. */
function fieldsInWords({ action, changes }: AuditEventDto): string {
  const names = Object.keys(changes).map(nameInWords);
  if (/\.(?:created|imported|invited|registered)$/.test(action)) return '';
  const first = names.slice(0, MAX_FIELDS);
  return say('console.audit.fields', { names: first.join(', '), more: names.length - first.length });
}

export function EventList({ ctx, found: { events, next } }: { ctx: PageContext; found: EventPage }) {
  const state = formOf(Object.fromEntries(ctx.query));
  return (
    <>
      <WhichPart ctx={ctx} />
      <Filters ctx={ctx} selects={[['actor', say('console.audit.by'), actorChoices()]]}>
        <PrefixField state={state} />
        <TextField state={state} name="since" label={say('console.audit.since')} type="date" />
        <TextField state={state} name="until" label={say('console.audit.until')} type="date" />
      </Filters>
      <Table
        caption={say('console.audit.events')}
        rows={events}
        empty={<p>{say('console.audit.noEvents')}</p>}
        columns={[
          [say('console.audit.when'), ({ occurredAt }) => <Time ctx={ctx} at={occurredAt} />],
          [
            say('console.audit.action'),
            ({ id, action }) => (
              <a href={pathOf(ctx, 'audit', id)} title={action}>
                {actionInWords(action)}
              </a>
            ),
          ],
          [say('console.audit.by'), ({ actor }) => actor.name],
          [say('console.record.changed'), fieldsInWords],
          [say('console.audit.number'), ({ sequence }) => count(sequence), 'number'],
        ]}
      />
      <Pages ctx={ctx} next={next} />
    </>
  );
}

const PrefixField = ({ state }: { state: FormState }) => (
  <TextField state={state} name="action" label={say('console.audit.actionPrefix')} placeholder="claim_project." maxLength={120} />
);

function Pages({ ctx, next }: { ctx: PageContext; next: EventPage['next'] }) {
  const older = filtersOf(ctx);
  if (next) older.set('before', writtenPosition(next));
  return (
    <nav class="pager" aria-label={say('console.list.pages')}>
      {ctx.query.has('before') ? (
        <a rel="first" href={hrefWith(ctx.path, filtersOf(ctx))}>
          {say('console.audit.newest')}
        </a>
      ) : null}
      {next ? (
        <a rel="next" href={hrefWith(ctx.path, older)}>
          {say('console.audit.older')}
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
          [say('console.audit.when'), <Time ctx={ctx} at={occurredAt} seconds />],
          [say('console.audit.action'), <code>{action}</code>],
          [say('console.audit.by'), say('console.audit.actor', { name: actor.name, type: actor.type })],
          [say('console.audit.actorId'), actor.id && <code>{actor.id}</code>],
          [say('console.audit.record'), nameInWords(resource.type)],
          [say('console.audit.recordId'), <code>{resource.id}</code>],
          [say('console.frame.environment'), say('console.audit.environments', { environment: environment ?? 'both' })],
          [say('console.audit.ipAddress'), ipAddress],
          [say('console.audit.requestId'), requestId && <code>{requestId}</code>],
        ]}
      />
      <h2>{say('console.audit.changes')}</h2>
      <Table<Changed>
        caption={say('console.audit.whatChanged')}
        rows={Object.entries(changes)}
        empty={<p>{say('console.audit.noChanges')}</p>}
        columns={[
          [say('console.audit.field'), ([field]) => <code>{field}</code>],
          [say('console.audit.from'), ([, { from }]) => <Value of={from} />],
          [say('console.audit.to'), ([, { to }]) => <Value of={to} />],
        ]}
      />
      <h2>{say('console.audit.inLog')}</h2>
      <Facts
        facts={[
          [say('console.audit.number'), count(sequence)],
          [say('console.audit.added'), <Time ctx={ctx} at={createdAt} />],
          [say('console.record.id'), <code>{id}</code>],
          ['Hash', <code>{hash}</code>],
          [say('console.audit.previousHash'), <code>{previousHash}</code>],
        ]}
      />
    </>
  );
}

/** As the API has it, with blanks where lines may end. */
function Value({ of: value }: { of: unknown }): ComponentChildren {
  if (value === null || value === undefined) return <span class="hint">{say('console.parts.none')}</span>;
  return <code>{typeof value === 'string' ? value : JSON.stringify(value, null, 1).replace(/\s+/g, ' ')}</code>;
}

export const ExportForm = ({ ctx, state }: { ctx: PageContext; state: FormState }) => (
  <>
    <p>{say('console.audit.aboutExport', { most: count(EXPORT_MAX) })}</p>
    <ConsoleForm ctx={ctx} state={state} submit={say('console.audit.export')} cancel={pathOf(ctx, 'audit')}>
      <SelectField state={state} name="format" label={say('console.audit.format')} choices={Object.entries(FILES)} />
      <SelectField state={state} name="actor" label={say('console.audit.by')} choices={allOr(actorChoices())} />
      <PrefixField state={state} />
      <TextField state={state} name="since" label={say('console.audit.since')} type="date" />
      <TextField state={state} name="until" label={say('console.audit.until')} type="date" hint={say('console.audit.untilHint')} />
    </ConsoleForm>
  </>
);

export type Verified = { readonly verdict: ChainVerdict } | { readonly tooMany: number };

export const VerifyView = ({ ctx, state, verified }: { ctx: PageContext; state: FormState; verified: Verified | undefined }) => (
  <>
    <p>{say('console.audit.aboutVerify')}</p>
    {verified && <Result verified={verified} />}
    <ConsoleForm ctx={ctx} state={state} submit={say('console.audit.verify')} cancel={pathOf(ctx, 'audit')}>
      <TextField state={state} name="head" label={say('console.audit.noted')} hint={say('console.audit.notedHint')} />
    </ConsoleForm>
  </>
);

/** What both checks find wrong, without its numbers and ids. */
const FAULTS = [
  'Row {0} is not a valid audit event: its id, sequence or hashes have the wrong type.',
  'Row {0} is missing: row {1} is followed by row {2} ({3}).',
  'Row {0} ({1}) is out of order: it follows row {2}.',
  'Row {0} ({1}) was changed: its content does not match its hash.',
  'Row {0} ({1}) does not match the hash of row {2}: one of the two was replaced.',
  'Row {0} ({1}) does not match the known head: this row or rows before it were replaced.',
  'Row {0} is missing: the end of the log was removed.',
  'Rows {0} to {1} are missing: the end of the log was removed.',
  'The recorded head of the log is row {0}, but the log ends at row {1}: one of the two was changed.',
];

function faultInWords(message: string): string {
  const values: string[] = [];
  const text = message.replace(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\d+/g, (value) => `{${values.push(value) - 1}}`);
  return told(text).replace(/\{(\d)\}/g, (_all, index: string) => values[Number(index)]!);
}

const textsOfScript = () => ({
  reading: say('console.audit.here.reading'),
  soFar: say('console.audit.here.soFar', { events: '{0}' }),
  failed: say('console.audit.here.failed', { reason: '{0}' }),
  answered: say('console.audit.here.answered', { status: '{0}' }),
  cut: say('console.audit.here.cut'),
  head: say('console.audit.here.head'),
  fault: say('console.audit.fault', { fault: '{0}', events: '{1}' }),
  verified: say('console.audit.here.verified', { events: '{0}', head: '{1}' }),
  faults: Object.fromEntries(FAULTS.map((text) => [text, told(text)])),
});

interface Scripts {
  readonly start: string;
  readonly verifier: string;
}

type Here = { readonly ctx: PageContext; readonly to: string; readonly scripts: Scripts; readonly texts: object } & {
  readonly words: 'here' | 'prove';
  readonly children?: ComponentChildren;
};

/** Shown by its script, where the browser can compute hashes. */
const InBrowser = ({ ctx, to, scripts, texts, words, children }: Here) => (
  <form
    method="post"
    action={to}
    class="fields"
    data-script={scripts.start}
    data-verifier={scripts.verifier}
    data-texts={JSON.stringify(texts)}
    hidden
  >
    <FormFields ctx={ctx} />
    <h2>{say(`console.audit.${words}.title`)}</h2>
    <Sentence
      text={say(`console.audit.${words}.about`, { script: FIRST })}
      parts={[<a href={scripts.verifier}>{say('console.audit.here.read')}</a>]}
    />
    {children}
    <p>
      <button class="plain">{say(`console.audit.${words}.verify`)}</button>
    </p>
    <p>
      <output />
    </p>
  </form>
);

export const VerifyHere = ({ ctx, scripts }: { ctx: PageContext; scripts: Scripts }) => (
  <InBrowser
    ctx={ctx}
    to={pathOf({ environment: 'live' }, 'audit', 'verify', 'rows')}
    scripts={scripts}
    texts={textsOfScript()}
    words="here"
  />
);

export const ProveHere = ({ ctx, id, scripts }: { ctx: PageContext; id: string; scripts: Scripts }) => (
  <InBrowser
    ctx={ctx}
    to={pathOf(ctx, 'audit', id, 'proof')}
    scripts={scripts}
    words="prove"
    texts={{
      answered: say('console.audit.here.answered', { status: '{0}' }),
      failed: say('console.audit.prove.failed', { reason: '{0}' }),
      fault: say('console.audit.prove.fault'),
      proven: say('console.audit.prove.proven', { number: '{0}', events: '{1}', signers: '{2}' }),
    }}
  >
    <TextField state={formOf()} name="key" label={say('console.audit.prove.key')} hint={say('console.audit.prove.keyHint')} />
  </InBrowser>
);

function Result({ verified }: { verified: Verified }) {
  if ('tooMany' in verified) return <Note tone="warning">{say('console.audit.tooMany', { count: verified.tooMany })}</Note>;
  const { rows, head, fault } = verified.verdict;
  if (fault) return <Note tone="error">{say('console.audit.fault', { fault: faultInWords(fault.message), events: count(rows) })}</Note>;
  return (
    <>
      <Note tone="notice">{say('console.audit.valid', { count: rows })}</Note>
      <Copyable text={writtenHead(head)} label={say('console.audit.head')} />
    </>
  );
}
