import { Param } from '@nestjs/common';
import { orAgain } from '../../../api/console/console-door.js';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { formOf, type FormState, ONCE_FIELD } from '../../../api/console/form.js';
import { type PageContext, PageCtx, pathOf } from '../../../api/console/page-context.js';
import { type Answer, goTo, page, titledPage } from '../../../api/console/page.js';
import { Badge, Confirm, Copyable, LinkButton, Time, type Tone } from '../../../api/console/parts/facts.js';
import { AreaField, type Choice, ConsoleForm, SelectField, TextField } from '../../../api/console/parts/fields.js';
import { PAGE_SIZE, pageNumberIn, Pager, Table } from '../../../api/console/parts/list.js';
import { offeredLanguages } from '../../../api/wording/page-wording.js';
import { Problem } from '../../../kernel/problems.js';
import { Clock } from '../../../kernel/time.js';
import type { PageOf } from '../../../store/tenant/page.js';
import { ProjectsService } from '../../projects/index.js';
import { type LinkState, stateOf, type UploadLink } from './upload-link.entity.js';
import { type IssuedUploadLink, type NewUploadLink, UploadLinksService } from './upload-links.service.js';

/** The most that a link may have. */
const LINK_BOUNDS = { note: 500, days: 30, maxFiles: 100 };

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

function LinkList({ ctx, found, names, now }: ListProps) {
  return (
    <>
      <p>By an upload link, a client sends you bank statements of one project. They need no account, and see nothing of yours.</p>
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

function LinkForm({ ctx, state, projects }: { ctx: PageContext; state: FormState; projects: readonly Choice[] }) {
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
      <SelectField
        state={state}
        name="language"
        label="Language"
        hint="Of the page that the client sees. They can choose another one there."
        choices={[['', 'That of their browser'], ...offeredLanguages()]}
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
const IssuedLinkView = ({ ctx, issued: { link, address }, language }: { ctx: PageContext; issued: IssuedUploadLink; language: string }) => (
  <>
    <p class="warning" role="status">
      Copy the link now and send it to your client. It is not shown again.
    </p>
    <Copyable label="The upload link" text={language === '' ? address : `${address}?lang=${language}`} />
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

const chosenLanguage = ({ form }: PageContext): string =>
  offeredLanguages().find(([language]) => language === form.text('language'))?.[0] ?? '';

const SECTION = ['statements', 'links'];

/** Where a user asks a client for statements. After the statements' own section, so that the navigation shows that one. */
@ConsoleSection({ path: SECTION.join('/'), label: 'Upload links', order: 3 })
export class UploadLinksConsole {
  constructor(
    private readonly links: UploadLinksService,
    private readonly projects: ProjectsService,
    private readonly clock: Clock,
  ) {}

  @Page({ route: 'GET /', role: 'member' })
  async list(@PageCtx() ctx: PageContext): Promise<Answer> {
    const found = await this.links.list(ctx, { page: pageNumberIn(ctx), page_size: PAGE_SIZE });
    const names = await this.projects.names(
      ctx,
      found.rows.map(({ projectId }) => projectId),
    );
    const actions = <LinkButton to={pathOf(ctx, 'statements', 'links', 'new')}>New upload link</LinkButton>;
    const beside = { up: [pathOf(ctx, 'statements'), 'Statements'], actions } as const;
    return titledPage('Upload links', beside, <LinkList ctx={ctx} found={found} names={names} now={this.clock.now()} />);
  }

  @Page({ route: 'GET /new', role: 'member' })
  new(@PageCtx() ctx: PageContext): Promise<Answer> {
    return this.form(ctx, formOf({ projectId: ctx.query.get('project'), days: '14', maxFiles: '20' }));
  }

  @Action({ route: 'POST /new', role: 'member', records: ['upload_link.created'] })
  make(@PageCtx() ctx: PageContext): Promise<Answer> {
    const make = async (): Promise<Answer> => {
      const { id, name } = ctx.user;
      const issued = await this.links.make({ ...ctx.actor, id, name }, wantedBy(ctx));
      return page('Your upload link', <IssuedLinkView ctx={ctx} issued={issued} language={chosenLanguage(ctx)} />);
    };
    return orAgain(ctx, make, (state) => this.form(ctx, state));
  }

  @Action({ route: 'POST /:link_id/withdraw', role: 'member', records: ['upload_link.withdrawn'] })
  async withdraw(@PageCtx() ctx: PageContext, @Param('link_id') id: string): Promise<Answer> {
    await this.links.withdraw(ctx.actor, ctx, id);
    return goTo(pathOf(ctx, ...SECTION), 'The link was withdrawn.');
  }

  private async form(ctx: PageContext, state: FormState): Promise<Answer> {
    const projects = await this.projects.choices(ctx, state.values('projectId')[0]);
    return page('New upload link', <LinkForm ctx={ctx} state={state} projects={projects} />, state.problem?.status);
  }
}

function wantedBy({ form, organizationId, environment }: PageContext): NewUploadLink {
  const note = form.text('note').replaceAll('\r\n', '\n').trim();
  if ([...note].length > LINK_BOUNDS.note)
    throw Problem.invalidField('note', 'too_long', `must have at most ${LINK_BOUNDS.note} characters`);
  const number = (field: 'days' | 'maxFiles'): number => {
    const [text, max] = [form.text(field).trim(), LINK_BOUNDS[field]];
    if (!/^\d{1,9}$/.test(text) || Number(text) < 1 || Number(text) > max)
      throw Problem.invalidField(field, 'out_of_range', `must be a whole number from 1 to ${max}`);
    return Number(text);
  };
  return {
    ...{ organizationId, environment, note, projectId: form.text('projectId') },
    ...{ days: number('days'), maxFiles: number('maxFiles'), once: form.text(ONCE_FIELD) },
  };
}
