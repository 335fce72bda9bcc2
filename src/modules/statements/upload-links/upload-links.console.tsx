import { Param } from '@nestjs/common';
import { ConsoleDoor, orAgain } from '../../../api/console/console-door.js';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { formOf, PageCtx, pathOf, goTo, page, titledPage } from '../../../api/console/page.js';
import type { FormState, PageContext, Answer } from '../../../api/console/page.js';
import { Badge, Confirm, Copyable, LinkButton, Time, type Tone, Note, PlainLink, Sentence } from '../../../api/console/parts/facts.js';
import { AreaField, type Choice, ConsoleForm, SelectField, TextField } from '../../../api/console/parts/fields.js';
import { PAGE_SIZE, pageNumberIn, Pager, Table } from '../../../api/console/parts/list.js';
import { customColumns, recordBody, RecordInputs } from '../../../api/console/parts/record.js';
import { count, say, told } from '../../../api/console/say.js';
import { FIRST, offeredLanguages } from '../../../api/wording/page-wording.js';
import { Clock } from '../../../kernel/time.js';
import type { PageOf } from '../../../store/tenant/page.js';
import { ProjectsService } from '../../projects/index.js';
import { ProjectLink } from '../console/statements.console.js';
import { type LinkState, stateOf, type UploadLink } from './upload-link.entity.js';
import { LINK_BOUNDS, UPLOAD_LINK_FIELDS, type UploadLinkDetailsDto, UploadLinkDto } from './upload-links.dto.js';
import { UploadLinksService } from './upload-links.service.js';

const TONES: Record<LinkState, Tone> = { open: 'good', used: 'plain', expired: 'plain', withdrawn: 'bad' };

interface ListProps {
  readonly ctx: PageContext;
  readonly found: PageOf<UploadLink>;
  readonly names: ReadonlyMap<string, string>;
  readonly now: Date;
}

function LinkList({ ctx, found, names, now }: ListProps) {
  return (
    <>
      <p>{say('console.statements.links.about')}</p>
      <Table
        caption={say('console.statements.links.title')}
        rows={found.rows}
        empty={<p>{say('console.statements.links.none')}</p>}
        columns={[
          [say('report.fields.project'), ({ projectId }) => <ProjectLink ctx={ctx} id={projectId} names={names} />],
          [say('console.statements.links.note'), ({ note }) => note],
          [say('console.statements.links.state'), (link) => <State of={stateOf(link, now)} />],
          [
            say('console.statements.links.received'),
            ({ filesTaken, maxFiles }) => say('console.statements.links.taken', { taken: count(filesTaken), most: count(maxFiles) }),
            'number',
          ],
          [say('console.statements.links.madeBy'), ({ creatorName }) => creatorName],
          [say('console.statements.links.expires'), ({ expiresAt }) => <Time ctx={ctx} at={expiresAt} />],
          ...customColumns(UPLOAD_LINK_FIELDS, ctx, (link: UploadLink) => UploadLinkDto.from(link, now)),
          [say('console.statements.links.withdraw'), (link) => (stateOf(link, now) === 'open' ? <Withdraw ctx={ctx} link={link} /> : null)],
        ]}
      />
      <Pager ctx={ctx} counted={found} />
    </>
  );
}

const State = ({ of: state }: { of: LinkState }) => <Badge tone={TONES[state]}>{say(`console.statements.links.states.${state}`)}</Badge>;

const Withdraw = ({ ctx, link }: { ctx: PageContext; link: UploadLink }) => (
  <Confirm
    ctx={ctx}
    action={pathOf(ctx, 'statements', 'links', link.id, 'withdraw')}
    label={say('console.statements.links.withdraw')}
    question={say('console.statements.links.withdrawAbout')}
    submit={say('console.statements.links.withdrawNow')}
  />
);

function LinkForm({ ctx, state, projects }: { ctx: PageContext; state: FormState; projects: readonly Choice[] }) {
  const create = <a href={pathOf(ctx, 'projects', 'new')}>{say('console.statements.links.createProject')}</a>;
  if (projects.length === 0)
    return (
      <div class="empty">
        <Sentence text={say('console.statements.links.noProject', { create: FIRST })} parts={[create]} />
      </div>
    );
  const project = { state, name: 'projectId', label: say('report.fields.project'), hint: say('console.statements.links.projectHint') };
  const languages: readonly Choice[] = [['', say('console.statements.links.ofBrowser')], ...offeredLanguages()];
  const of = (name: 'note' | 'days' | 'maxFiles' | 'language') => ({ state, name, label: say(`console.statements.links.labels.${name}`) });
  return (
    <ConsoleForm ctx={ctx} state={state} submit={say('console.statements.links.make')} cancel={pathOf(ctx, 'statements', 'links')}>
      <SelectField {...project} choices={projects} />
      <AreaField {...of('note')} hint={say('console.statements.links.noteHint', { count: LINK_BOUNDS.note })} rows={4} />
      <SelectField {...of('language')} hint={say('console.statements.links.languageHint')} choices={languages} />
      <TextField {...of('days')} hint={say('console.statements.links.daysHint', { most: LINK_BOUNDS.days })} type="number" required />
      <TextField
        {...of('maxFiles')}
        hint={say('console.statements.links.filesHint', { most: LINK_BOUNDS.maxFiles })}
        type="number"
        required
      />
      <RecordInputs fields={UPLOAD_LINK_FIELDS} state={state} />
    </ConsoleForm>
  );
}

/** The only page that ever shows a link. */
function IssuedLinkView({ ctx, issued, language }: { ctx: PageContext; issued: UploadLinkDetailsDto; language: string }) {
  const { maxFiles, expiresAt, address } = issued;
  return (
    <>
      <Note tone="warning">{say('console.statements.links.copy')}</Note>
      <Copyable label={say('console.statements.links.address')} text={language === '' ? address : `${address}?lang=${language}`} />
      <Sentence
        text={say('console.statements.links.whoHasIt', { count: maxFiles, until: FIRST })}
        parts={[<Time ctx={ctx} at={expiresAt} />]}
      />
      <p>
        <PlainLink to={pathOf(ctx, 'statements', 'links')} label={say('console.statements.links.copied')} />
      </p>
    </>
  );
}

const chosenLanguage = ({ form }: PageContext): string =>
  offeredLanguages().find(([language]) => language === form.text('language'))?.[0] ?? '';

const SECTION = ['statements', 'links'];

/** Where a user asks a client for statements. After the statements' own section, so that the navigation shows that one. */
@ConsoleSection({ path: SECTION.join('/'), label: 'Upload links', order: 3, shows: [UploadLinkDto] })
export class UploadLinksConsole {
  constructor(
    private readonly links: UploadLinksService,
    private readonly projects: ProjectsService,
    private readonly door: ConsoleDoor,
    private readonly clock: Clock,
  ) {}

  @Page({ route: 'GET /', operation: 'upload_links.list' })
  async list(@PageCtx() ctx: PageContext): Promise<Answer> {
    const found = await this.links.list(ctx, { page: pageNumberIn(ctx), page_size: PAGE_SIZE });
    const ids = found.rows.map(({ projectId }) => projectId);
    const names = await this.projects.names(ctx, ids);
    const actions = <LinkButton to={pathOf(ctx, 'statements', 'links', 'new')}>{say('console.statements.links.new')}</LinkButton>;
    const beside = { up: [pathOf(ctx, 'statements'), told('Statements')], actions } as const;
    const list = <LinkList ctx={ctx} found={found} names={names} now={this.clock.now()} />;
    return titledPage(say('console.statements.links.title'), beside, list);
  }

  @Page({ route: 'GET /new', operation: 'upload_links.create' })
  new(@PageCtx() ctx: PageContext): Promise<Answer> {
    return this.form(ctx, formOf({ projectId: ctx.query.get('project'), days: '14', maxFiles: '20' }));
  }

  @Action({ route: 'POST /new', operation: 'upload_links.create' })
  make(@PageCtx() ctx: PageContext): Promise<Answer> {
    const make = async (): Promise<Answer> => {
      const issued = await this.door.call<UploadLinkDetailsDto>(ctx, { body: wantedBy(ctx) });
      return page(say('console.statements.links.yours'), <IssuedLinkView ctx={ctx} issued={issued} language={chosenLanguage(ctx)} />);
    };
    return orAgain(ctx, make, (state) => this.form(ctx, state));
  }

  @Action({ route: 'POST /:link_id/withdraw', operation: 'upload_links.update' })
  async withdraw(@PageCtx() ctx: PageContext, @Param('link_id') id: string): Promise<Answer> {
    await this.door.call(ctx, { params: { link_id: id }, body: { withdraw: true } });
    return goTo(pathOf(ctx, ...SECTION), say('console.statements.links.withdrawn'));
  }

  private async form(ctx: PageContext, state: FormState): Promise<Answer> {
    const projects = await this.projects.choices(ctx, state.values('projectId')[0]);
    return page(say('console.statements.links.new'), <LinkForm ctx={ctx} state={state} projects={projects} />, state.problem?.status);
  }
}

/** What is no number is refused by the operation. */
function wantedBy({ form }: PageContext): object {
  const numberIn = (field: string): unknown => (/^\d{1,9}$/.test(form.text(field).trim()) ? Number(form.text(field)) : form.text(field));
  return {
    projectId: form.id('projectId'),
    note: form.text('note').replaceAll('\r\n', '\n').trim(),
    days: numberIn('days'),
    maxFiles: numberIn('maxFiles'),
    ...recordBody(UPLOAD_LINK_FIELDS, form),
  };
}
