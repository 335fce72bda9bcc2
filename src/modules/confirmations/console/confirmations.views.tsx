import { type FormState, type PageContext, pathOf } from '../../../api/console/page.js';
import { wordsOf } from '../../../api/console/error-words.js';
import { ActionButton, Badge, Facts, Note, Time } from '../../../api/console/parts/facts.js';
import { ConsoleForm, TextField } from '../../../api/console/parts/fields.js';
import { Table } from '../../../api/console/parts/list.js';
import { say } from '../../../api/console/say.js';
import type { RegisteredOperation } from '../../../api/operation/operation.js';
import { PasskeyButton, type Security } from '../../users/index.js';
import type { Confirmation } from '../confirmation.entity.js';
import type { Shown } from '../confirmations.service.js';

type ListProps = { ctx: PageContext; rows: readonly Confirmation[]; summaryOf: (row: Confirmation) => string };

/** As the tool says it: the API speaks English. */
const inEnglish = (summary: string) => <span lang="en">{summary}</span>;

export const ConfirmationList = ({ ctx, rows, summaryOf }: ListProps) => (
  <>
    <p>{say('console.confirmations.about')}</p>
    <Table
      caption={say('console.confirmations.title')}
      rows={rows}
      empty={<p>{say('console.confirmations.none')}</p>}
      columns={[
        [say('console.confirmations.what'), (row) => <a href={pathOf(ctx, 'confirmations', row.id)}>{inEnglish(summaryOf(row))}</a>],
        [say('console.confirmations.by'), ({ askedBy }) => askedBy],
        [say('console.confirmations.until'), ({ expiresAt }) => <Time ctx={ctx} at={expiresAt} />],
      ]}
    />
  </>
);

interface ViewProps {
  readonly ctx: PageContext;
  readonly state: FormState;
  readonly row: Confirmation;
  readonly operation: RegisteredOperation;
  readonly sent: Shown;
  readonly isOpen: boolean;
  /** Of somebody who shows once more who they are. */
  readonly security: Security | undefined;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const addressOf = ({ method, path }: RegisteredOperation, { params }: Shown): string =>
  `${method} ${path.replace(/\{(\w+)\}/g, (_braces, name: string) => encodeURIComponent(params[name] as string))}`;

export function ConfirmationView({ ctx, state, row, operation, sent, isOpen, security }: ViewProps) {
  const fields = Object.entries({ ...sent.params, ...sent.query, ...(sent.body as object | undefined) });
  const hasAgreed = row.firstAgreedBy === ctx.user.id;
  return (
    <>
      <Facts
        facts={[
          [say('console.confirmations.what'), inEnglish(operation.summary)],
          [say('console.confirmations.by'), row.askedBy],
          [say('console.confirmations.environment'), <Badge>{ctx.environment}</Badge>],
          [say('console.confirmations.until'), <Time ctx={ctx} at={row.expiresAt} />],
          [say('console.confirmations.who'), say(`console.agents.rules.${row.rule}`)],
        ]}
      />
      <Table
        caption={say('console.confirmations.sent')}
        rows={fields}
        empty={<p>{say('console.confirmations.nothing')}</p>}
        columns={[
          [say('console.confirmations.field'), ([name]) => wordsOf(name)],
          [say('console.confirmations.value'), ([, value]) => <code>{textOf(value)}</code>],
        ]}
      />
      <p class="hint">
        <code>{addressOf(operation, sent)}</code> SHA-256 <code>{row.digest.toString('hex')}</code>
      </p>
      {row.firstAgreedBy !== null ? <Note tone="notice">{say('console.confirmations.oneHas', { hasAgreed })}</Note> : null}
      {isOpen ? null : <Note tone="warning">{say('console.confirmations.over')}</Note>}
      {isOpen && !hasAgreed ? <Answers {...{ ctx, state, row, security }} /> : null}
    </>
  );
}

const Answers = ({ ctx, state, row, security }: Pick<ViewProps, 'ctx' | 'state' | 'row' | 'security'>) => (
  <>
    <ConsoleForm ctx={ctx} state={state} action={pathOf(ctx, 'confirmations', row.id, 'agree')} submit={say('console.confirmations.agree')}>
      {security ? <Proof state={state} security={security} /> : null}
    </ConsoleForm>
    <ActionButton ctx={ctx} action={pathOf(ctx, 'confirmations', row.id, 'refuse')} label={say('console.confirmations.refuse')} />
  </>
);

/** A passkey where there is one; else password and code. */
function Proof({ state, security: { passkeys, totp } }: { state: FormState; security: Security }) {
  if (passkeys.length > 0) return <PasskeyButton say={say} label={say('console.confirmations.byPasskey')} />;
  const field = { state, required: true, maxLength: 1024 };
  return (
    <>
      <TextField {...field} name="password" type="password" label={say('console.security.yourPassword')} autocomplete="current-password" />
      {totp ? <TextField {...field} name="code" label={say('signIn.code')} autocomplete="one-time-code" /> : null}
    </>
  );
}
