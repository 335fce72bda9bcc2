import { Param } from '@nestjs/common';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { formOf, type FormState } from '../../../api/console/form.js';
import { goTo, page, type Answer } from '../../../api/console/page.js';
import { PageCtx, pathOf, type PageContext } from '../../../api/console/page-context.js';
import { chosenIn, pageNumberIn, PAGE_SIZE } from '../../../api/console/parts/list.js';
import { orAgain, ConsoleDoor } from '../../../api/console/console-door.js';
import { WIDGET_STATUSES } from '../widget.entity.js';
import type { SampleWidgetDto } from '../widgets.dto.js';
import { WidgetsService } from '../widgets.service.js';
import { WidgetForm, WidgetList, WidgetView, valuesOf } from './widgets.views.js';

const SECTION = 'sample-widgets';

@ConsoleSection({ path: SECTION, label: 'Sample widgets', group: 'Claims', order: 50, operation: 'sample_widgets.list' })
export class WidgetsConsole {
  constructor(
    private readonly widgets: WidgetsService,
    private readonly door: ConsoleDoor,
  ) {}

  @Page({ route: 'GET /', operation: 'sample_widgets.list' })
  async list(@PageCtx() ctx: PageContext): Promise<Answer> {
    const search = ctx.query.get('search')?.slice(0, 200) || undefined;
    const status = chosenIn(ctx, 'status', WIDGET_STATUSES);
    const found = await this.widgets.list(ctx, { page: pageNumberIn(ctx), page_size: PAGE_SIZE, search, status });
    return page('Sample widgets', <WidgetList ctx={ctx} found={found} />);
  }

  @Page({ route: 'GET /new', operation: 'sample_widgets.create' })
  new(@PageCtx() ctx: PageContext): Answer {
    return newPage(ctx, formOf({ status: 'active' }));
  }

  @Action({ route: 'POST /new', operation: 'sample_widgets.create' })
  create(@PageCtx() ctx: PageContext): Promise<Answer> {
    const create = async (): Promise<Answer> => {
      const given = { body: fieldsOf(ctx) };
      const { id } = await this.door.call<SampleWidgetDto>(ctx, given);
      return goTo(pathOf(ctx, SECTION, id), 'It was created.');
    };
    return orAgain(ctx, create, (state) => newPage(ctx, state));
  }

  @Page({ route: 'GET /:widget_id', operation: 'sample_widgets.get' })
  async show(@PageCtx() ctx: PageContext, @Param('widget_id') id: string): Promise<Answer> {
    const row = await this.widgets.get(ctx, id);
    return page(row.name, <WidgetView ctx={ctx} row={row} />);
  }

  @Page({ route: 'GET /:widget_id/edit', operation: 'sample_widgets.update' })
  async edit(@PageCtx() ctx: PageContext, @Param('widget_id') id: string): Promise<Answer> {
    return editPage(ctx, formOf(valuesOf(await this.widgets.get(ctx, id))));
  }

  @Action({ route: 'POST /:widget_id/edit', operation: 'sample_widgets.update' })
  update(@PageCtx() ctx: PageContext, @Param('widget_id') id: string): Promise<Answer> {
    const update = async (): Promise<Answer> => {
      const given = { params: { widget_id: id }, body: fieldsOf(ctx) };
      await this.door.call<SampleWidgetDto>(ctx, given);
      return goTo(pathOf(ctx, SECTION, id), 'It was changed.');
    };
    return orAgain(ctx, update, (state) => editPage(ctx, state));
  }
}

const newPage = (ctx: PageContext, state: FormState): Answer =>
  page('New', <WidgetForm ctx={ctx} state={state} submit="Create" cancel={pathOf(ctx, SECTION)} />, statusOf(state));

const editPage = (ctx: PageContext, state: FormState): Answer =>
  page('Edit', <WidgetForm ctx={ctx} state={state} submit="Save" cancel={ctx.path.replace(/\/edit$/, '')} />, statusOf(state));

const statusOf = ({ problem }: FormState): number => problem?.status ?? 200;

/** The fields of the form, as the body of the operation. */
const fieldsOf = ({ form }: PageContext) => ({ name: form.text('name'), status: form.text('status') });
