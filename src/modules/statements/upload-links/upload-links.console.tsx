import { Param } from '@nestjs/common';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { formOf, type FormState } from '../../../api/console/form.js';
import { goTo, page, type Answer } from '../../../api/console/page.js';
import { PageCtx, pathOf, type PageContext } from '../../../api/console/page-context.js';
import { pageNumberIn, PAGE_SIZE } from '../../../api/console/parts/list.js';
import { ONCE_FIELD, orAgain } from '../../../api/console/performer.js';
import { Problem } from '../../../kernel/problems.js';
import { Clock } from '../../../kernel/time.js';
import { ProjectsService } from '../../projects/index.js';
import { UploadLinksService, type NewUploadLink } from './upload-links.service.js';
import { IssuedLinkView, LINK_BOUNDS, LinkForm, LinkList } from './upload-links.views.js';

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
    return page('Upload links', <LinkList ctx={ctx} found={found} names={names} now={this.clock.now()} />);
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
      return page('Your upload link', <IssuedLinkView ctx={ctx} issued={issued} />);
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
