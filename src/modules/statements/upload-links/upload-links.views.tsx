import type { FormState } from '../../../api/console/form.js';
import { pathOf, type PageContext } from '../../../api/console/page-context.js';
import { Badge, Confirm, Copyable, Time, type Tone } from '../../../api/console/parts/facts.js';
import { AreaField, ConsoleForm, SelectField, TextField, type Choice } from '../../../api/console/parts/fields.js';
import { Pager, Table } from '../../../api/console/parts/list.js';
import type { PageOf } from '../../../store/tenant/page.js';
import { stateOf, type LinkState, type UploadLink } from './upload-link.entity.js';
import type { IssuedUploadLink } from './upload-links.service.js';

/** The most that a link may have. */
export const LINK_BOUNDS = { note: 500, days: 30, maxFiles: 100 };

const STATES: Record<LinkState, readonly [label: string, tone: Tone]> = {
  open: ['Open', 'good'],
  used: ['Used', 'plain'],
  expired: ['Expired', 'plain'],
  withdrawn: ['Withdrawn', 'bad'],
};

interface ListProps {
  readonly ctx: PageContext;
  readonly found: PageOf<UploadLink>;
  readonly names: ReadonlyMap<string, string>;
  readonly now: Date;
}

export function LinkList({ ctx, found, names, now }: ListProps) {
  return (
    <>
      <p>By an upload link, a client sends you bank statements of one project. They need no account, and see nothing of yours.</p>
      <p>
        <a class="button" href={pathOf(ctx, 'statements', 'links', 'new')}>
          New upload link
        </a>
      </p>
      <Table
        caption="Upload links"
        rows={found.rows}
        empty={<p>No upload link was made yet.</p>}
        columns={[
          ['Project', ({ projectId }) => <a href={pathOf(ctx, 'projects', projectId)}>{names.get(projectId) ?? projectId}</a>],
          ['Note', ({ note }) => note],
          ['State', (link) => <State of={stateOf(link, now)} />],
          ['Received', ({ filesTaken, maxFiles }) => `${filesTaken} of ${maxFiles}`, 'number'],
          ['Made by', ({ creatorName }) => creatorName],
          ['Expires', ({ expiresAt }) => <Time ctx={ctx} at={expiresAt} />],
          ['Withdraw', (link) => (stateOf(link, now) === 'open' ? <Withdraw ctx={ctx} link={link} /> : null)],
        ]}
      />
      <Pager ctx={ctx} counted={found} />
    </>
  );
}

const State = ({ of: state }: { of: LinkState }) => <Badge tone={STATES[state][1]}>{STATES[state][0]}</Badge>;

const Withdraw = ({ ctx, link }: { ctx: PageContext; link: UploadLink }) => (
  <Confirm
    ctx={ctx}
    action={pathOf(ctx, 'statements', 'links', link.id, 'withdraw')}
    label="Withdraw"
    question="The link stops working at once. What was received by it stays."
    submit="Withdraw the link"
  />
);

export function LinkForm({ ctx, state, projects }: { ctx: PageContext; state: FormState; projects: readonly Choice[] }) {
  if (projects.length === 0)
    return (
      <div class="empty">
        <p>
          A link is for one project, and there is no active one. <a href={pathOf(ctx, 'projects', 'new')}>Create a project</a> first.
        </p>
      </div>
    );
  return (
    <ConsoleForm ctx={ctx} state={state} submit="Make the link" cancel={pathOf(ctx, 'statements', 'links')}>
      <SelectField
        state={state}
        name="projectId"
        label="Project"
        hint="The statements become part of it. Its name is not shown to the client."
        choices={projects}
      />
      <AreaField
        state={state}
        name="note"
        label="Note for the client"
        hint={`What you need, such as “All accounts, January to March”. At most ${LINK_BOUNDS.note} characters.`}
        rows={4}
      />
      <TextField state={state} name="days" label="Days until it expires" hint={`1 to ${LINK_BOUNDS.days}.`} type="number" required />
      <TextField
        state={state}
        name="maxFiles"
        label="Files that it takes"
        hint={`1 to ${LINK_BOUNDS.maxFiles}. Each file of a ZIP archive counts.`}
        type="number"
        required
      />
    </ConsoleForm>
  );
}

/** The only page that ever shows a link. */
export const IssuedLinkView = ({ ctx, issued: { link, address } }: { ctx: PageContext; issued: IssuedUploadLink }) => (
  <>
    <p class="warning" role="status">
      Copy the link now and send it to your client. It is not shown again.
    </p>
    <Copyable label="The upload link" text={address} />
    <p>
      Whoever has it can send {link.maxFiles} files until <Time ctx={ctx} at={link.expiresAt} />. It is used up when they say that they are
      finished, or have sent as many.
    </p>
    <p>
      <a class="button plain" href={pathOf(ctx, 'statements', 'links')}>
        I have copied it
      </a>
    </p>
  </>
);
