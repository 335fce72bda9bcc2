import { Param } from '@nestjs/common';
import { ConsoleDoor } from '../../../api/console/console-door.js';
import { Action, ConsoleSection } from '../../../api/console/declarations.js';
import { type Answer, type FormState, goTo, PageCtx, type PageContext, pathOf } from '../../../api/console/page.js';
import { Confirm } from '../../../api/console/parts/facts.js';
import { AreaField } from '../../../api/console/parts/fields.js';
import { RecordPages } from '../../../api/console/record-pages.js';
import { say } from '../../../api/console/say.js';
import { parsedJson } from '../../../kernel/json.js';
import { STATEMENT_LAYOUT_FIELDS, shownLayout, type StatementLayout } from '../layouts/statement-layout.entity.js';
import { StatementLayoutsService } from '../layouts/statement-layouts.service.js';

const SECTION = 'layouts';

@ConsoleSection({ path: SECTION, label: 'Layouts', adds: 'New layout', tabOf: 'statements', operation: 'statement_layouts.list' })
export class LayoutsConsole extends RecordPages({
  path: SECTION,
  operations: 'statement_layouts',
  id: 'layout_id',
  fields: STATEMENT_LAYOUT_FIELDS,
  one: 'layout',
  all: 'Layouts',
  about: 'A layout says how the tables of one bank are read that are not recognised.',
}) {
  constructor(layouts: StatementLayoutsService, door: ConsoleDoor) {
    super(layouts, door);
  }

  @Action({ route: 'POST /:layout_id/delete', shows: 'nothing', operation: 'statement_layouts.delete' })
  async delete(@PageCtx() ctx: PageContext, @Param('layout_id') id: string): Promise<Answer> {
    await this.door.call(ctx, { params: { layout_id: id } });
    return goTo(pathOf(ctx, SECTION), say('console.layouts.deleted'));
  }

  protected override lastButtons(ctx: PageContext, { id, name }: StatementLayout) {
    const action = pathOf(ctx, SECTION, id, 'delete');
    const question = say('console.layouts.deleteAbout', { name });
    const words = { label: say('console.layouts.delete'), question, submit: say('console.layouts.deleteNow') };
    return ctx.can('statement_layouts.delete') ? <Confirm ctx={ctx} action={action} {...words} /> : null;
  }

  protected override furtherInputs(state: FormState) {
    const words = { label: say('console.layouts.asJson'), hint: say('console.layouts.asJsonHint') };
    return <AreaField state={state} name="layout" {...words} rows={12} required />;
  }

  protected override valuesOf(row: StatementLayout) {
    return { ...super.valuesOf(row), layout: JSON.stringify(shownLayout(row).layout, null, 2) };
  }

  protected override bodyIn(ctx: PageContext) {
    const layout = ctx.form.text('layout');
    // A text that is no JSON is refused by the operation.
    return { ...super.bodyIn(ctx), layout: parsedJson(layout, () => layout) };
  }
}
