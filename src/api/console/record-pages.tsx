import { Param } from '@nestjs/common';
import type { ComponentChildren } from 'preact';
import { Problem } from '../../kernel/problems.js';
import type { ReadContext } from '../../store/database/unit-of-work.js';
import type { TenantRow } from '../../store/database/columns.js';
import type { PageOf, PageRequest } from '../../store/tenant/page.js';
import type { RecordDto } from '../dto/page.js';
import { parameterOf } from '../validation/custom-fields.js';
import type { RecordFields } from '../validation/record-fields.js';
import { type ConsoleDoor, orAgain, type PanelsOfTab } from './console-door.js';
import { Action, Page } from './declarations.js';
import { formOf, type FormState, PageCtx, type PageContext, pathOf, type Answer, goTo, page, titledPage } from './page.js';
import { Band, Facts, LinkButton, type LinksOfTabs, Part, TabLinks } from './parts/facts.js';
import { type Choice, ConsoleForm } from './parts/fields.js';
import { chosenAmong, type Column, Filters, Pager, readList, Table } from './parts/list.js';
import { RangeInputs, readRanges } from './parts/ranges.js';
import { chosenRelated, customName, labelOf, recordBadge, recordBody, recordColumns, recordDefaults } from './parts/record.js';
import { recordFacts, RecordInputs, recordValues, type RelatedBy, seenFields } from './parts/record.js';
import { count, say, told } from './say.js';
import { wordsOf } from './error-words.js';

type NamedRow = TenantRow & { readonly name: string };

interface Declaration<Create extends object, Row extends NamedRow> {
  /** That of the section, and the beginning of the names of its operations. */
  readonly path: string;
  readonly operations: string;
  /** The name of the parameter that has the id: `project_id`. */
  readonly id: string;
  readonly fields: RecordFields<Create, Row>;
  /** What people call one, and all: "project", "Claim projects". */
  readonly one: string;
  readonly all: string;
  /** What one is, above the list. */
  readonly about: string;
  /** What the search looks through; none: a short list has no filters. */
  readonly search?: string;
  /** What the class adds to a page is of this record alone. Without it, people from whom anything is hidden do not get to see it. */
  readonly addsOwn?: true;
  /** What a new form shows instead of the defaults. */
  readonly atFirst?: Readonly<Record<string, string | readonly string[]>>;
}

interface Records<Row> {
  list(ctx: ReadContext, query: PageRequest & Readonly<Record<string, unknown>>): Promise<PageOf<Row>>;
  get(ctx: ReadContext, id: string): Promise<Row>;
}

export type Columns<Row> = readonly Column<Row>[];

/**
 * List, record and forms of an ordinary resource, as its fields are declared. What a resource has besides, its class adds by the methods
 * that are protected here; a page of its own is a method with the same name and declaration.
 */
abstract class RecordSection<Create extends object, Row extends NamedRow> {
  protected abstract readonly of: Declaration<Create, Row>;

  constructor(
    protected readonly records: Records<Row>,
    protected readonly door: ConsoleDoor,
  ) {}

  async list(ctx: PageContext): Promise<Answer> {
    const { path, fields, all, about } = this.of;
    // By searching, what is hidden could be found out.
    const search = ctx.hidden?.isIn(fields.answers) ? undefined : this.of.search;
    const filters = search === undefined ? [] : this.selectsOf(await this.readChoices(ctx));
    const chosen = filters.map(([parameter, , values, name]) => [name, chosenAmong(ctx, parameter, values)]);
    const searched = search === undefined ? undefined : ctx.query.get('search')?.slice(0, 200) || undefined;
    const ranges = await readRanges(ctx, this.door, fields);
    const filter = { search: searched, ...(Object.fromEntries(chosen) as object), ...ranges.asked };
    const found = await readList(ctx, (page) => this.records.list(ctx, { ...page, ...filter }));
    const columns = [
      ...recordColumns<Row>(this.seen(ctx), ctx, path, await this.readRelated(ctx, found.rows)),
      ...(this.showsFurther(ctx) ? this.furtherColumns(ctx) : []),
    ];
    const actions = ctx.can(`${this.of.operations}.create`) ? (
      <>
        {this.listButtons(ctx)}
        <LinkButton to={pathOf(ctx, path, 'new')}>{this.say('new')}</LinkButton>
      </>
    ) : null;
    return titledPage(
      told(all),
      { actions },
      <>
        <p>{told(about)}</p>
        <Filters
          ctx={ctx}
          isHidden={search === undefined && ranges.offered.length === 0}
          {...(search !== undefined && { search: told(search) })}
          selects={filters.map(([parameter, label, values]) => [parameter, label, values] as const)}
        >
          <RangeInputs {...ranges} />
        </Filters>
        <Table caption={told(all)} rows={found.rows} list={{ ctx, counted: found }} empty={<p>{this.say('none')}</p>} columns={columns} />
        <Pager ctx={ctx} counted={found} />
      </>,
    );
  }

  async new(ctx: PageContext): Promise<Answer> {
    const asked = chosenRelated(ctx, await this.readChoices(ctx));
    return this.form(ctx, formOf({ ...recordDefaults(this.of.fields), ...this.of.atFirst, ...asked }));
  }

  create(ctx: PageContext): Promise<Answer> {
    const { path } = this.of;
    const create = async (): Promise<Answer> => {
      const { id } = await this.door.call<RecordDto>(ctx, { body: this.bodyIn(ctx) });
      return goTo(pathOf(ctx, path, id), this.say('created'));
    };
    return orAgain(ctx, create, (state) => this.form(ctx, state));
  }

  async show(ctx: PageContext, id: string): Promise<Answer> {
    const { path } = this.of;
    const fields = this.seen(ctx);
    // At once, so that one packet asks the database for all of it.
    const [whole, panels] = await Promise.all([this.records.get(ctx, id), this.door.readPanels(ctx, path, id)]);
    const row = this.cut(ctx, this.of.fields.withComputed(whole));
    const related = await this.readRelated(ctx, [row]);
    const first = this.firstButtons(ctx, row);
    const actions = (
      <>
        {this.lastButtons(ctx, row)}
        {ctx.can(`${this.of.operations}.update`) ? (
          <a class={first ? 'button plain' : 'button'} href={pathOf(ctx, path, id, 'edit')}>
            {say('console.record.edit')}
          </a>
        ) : null}
        {first}
      </>
    );
    return titledPage(
      row.name,
      { up: [pathOf(ctx, path), told(this.of.all)], badge: recordBadge(fields, row), actions },
      <RecordBody
        ctx={ctx}
        facts={[...(this.showsFurther(ctx) ? this.furtherFacts(ctx, row) : []), ...recordFacts(fields, ctx, row, related)]}
        {...panels}
      >
        {this.showsFurther(ctx) ? this.furtherParts(ctx, row) : null}
      </RecordBody>,
    );
  }

  async edit(ctx: PageContext, id: string): Promise<Answer> {
    this.requireOwnForm(ctx);
    return this.form(ctx, formOf(this.valuesOf(this.cut(ctx, await this.records.get(ctx, id)))), id);
  }

  update(ctx: PageContext, id: string): Promise<Answer> {
    const { path, id: idName } = this.of;
    const update = async (): Promise<Answer> => {
      this.requireOwnForm(ctx);
      // What is not in the form keeps its value.
      const body = this.isCut(ctx) ? recordBody(this.seen(ctx), ctx.form) : this.bodyIn(ctx);
      await this.door.call(ctx, { params: { [idName]: id }, body });
      return goTo(pathOf(ctx, path, id), this.say('changed'));
    };
    return orAgain(ctx, update, (state) => this.form(ctx, state, id));
  }

  /** The records that rows name by their ids, besides those that the fields declare. */
  protected related(_ctx: PageContext, _rows: readonly Row[]): Promise<RelatedBy> {
    return Promise.resolve({});
  }

  /** The same to choose from, with what is chosen. */
  protected choices(_ctx: PageContext, _state?: FormState): Promise<RelatedBy> {
    return Promise.resolve({});
  }

  protected furtherColumns(_ctx: PageContext): Columns<Row> {
    return [];
  }

  protected furtherFacts(_ctx: PageContext, _row: Row): Parameters<typeof Facts>[0]['facts'] {
    return [];
  }

  protected listButtons(_ctx: PageContext): ComponentChildren {
    return null;
  }

  protected furtherParts(_ctx: PageContext, _row: Row): ComponentChildren {
    return null;
  }

  protected firstButtons(_ctx: PageContext, _row: Row): ComponentChildren {
    return null;
  }

  protected lastButtons(_ctx: PageContext, _row: Row): ComponentChildren {
    return null;
  }

  protected furtherInputs(_state: FormState): ComponentChildren {
    return null;
  }

  protected valuesOf(row: Row): Readonly<Record<string, string | readonly string[] | null | undefined>> {
    return recordValues(this.of.fields, row);
  }

  protected bodyIn({ form }: PageContext): object {
    return recordBody(this.of.fields, form);
  }

  protected async form(ctx: PageContext, state: FormState, id?: string): Promise<Answer> {
    const { path } = this.of;
    const fields = id === undefined ? this.of.fields : this.seen(ctx);
    const [title, submit] = id === undefined ? [this.say('new'), this.say('create')] : [this.say('edit'), say('console.record.save')];
    return page(
      title,
      <ConsoleForm ctx={ctx} state={state} submit={submit} cancel={id === undefined ? pathOf(ctx, path) : pathOf(ctx, path, id)}>
        <RecordInputs fields={fields} state={state} related={await this.readChoices(ctx, state)} />
        {this.furtherInputs(state)}
      </ConsoleForm>,
      state.problem?.status,
    );
  }

  private async readRelated(ctx: PageContext, rows: readonly Row[]): Promise<RelatedBy> {
    return { ...(await this.door.related.readNames(ctx, this.seen(ctx), rows)), ...(await this.related(ctx, rows)) };
  }

  private async readChoices(ctx: PageContext, state?: FormState): Promise<RelatedBy> {
    return { ...(await this.door.related.readChoices(ctx, this.of.fields, state)), ...(await this.choices(ctx, state)) };
  }

  private showsFurther(ctx: PageContext): boolean {
    return !ctx.hidden || (this.of.addsOwn === true && !this.isCut(ctx));
  }

  private isCut({ hidden }: PageContext): boolean {
    return hidden !== undefined && hidden.namesIn(this.of.fields.answers).length > 0;
  }

  private cut({ hidden }: PageContext, row: Row): Row {
    return hidden ? hidden.cut(this.of.fields.answers, row) : row;
  }

  private seen(ctx: PageContext): Pick<RecordFields<Create, Row>, 'fields' | 'inputs'> {
    return seenFields(this.of.fields, this.of.fields.answers, ctx);
  }

  /** A form that a class makes itself shows and sends what it likes. */
  private requireOwnForm(ctx: PageContext): void {
    const isOwn = (name: 'bodyIn' | 'valuesOf'): boolean => this[name] !== RecordSection.prototype[name];
    if (this.isCut(ctx) && (isOwn('bodyIn') || isOwn('valuesOf'))) throw new Problem('fields_hidden');
  }

  /** A sentence about one of them: ours have one each, as languages need it. */
  private say(what: 'new' | 'create' | 'created' | 'edit' | 'changed' | 'none'): string {
    const { one, path: kind } = this.of;
    return say(`console.records.${what}`, { kind, one });
  }

  /** The filters of the list: the name in the address, the label, the values, and the name of the filter. */
  private selectsOf(choices: RelatedBy): (readonly [parameter: string, label: string, values: readonly Choice[], name: string])[] {
    const { fields } = this.of;
    const own = fields.filterNames.flatMap((name) => {
      const property = name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
      const parameter = name.replace(/_id$/, '');
      const words = fields.fields.get(property)?.about.people?.words;
      const values = words ? Object.entries(words).map(([value, [word]]): Choice => [value, told(word)]) : choices[property]?.choices;
      const label = wordsOf(parameter);
      return values ? [[parameter, label, values, name] as const] : [];
    });
    const custom = [...fields.inputs].flatMap((named) => {
      const [values, parameter] = [choices[customName(named[0])]?.choices, parameterOf(named[0])];
      return values ? [[parameter, labelOf(named), values, parameter] as const] : [];
    });
    return [...own, ...custom];
  }
}

/** The first tab, and the others. */
const linksOf = (ctx: PageContext, tabs: PanelsOfTab['tabs']): LinksOfTabs => [
  [ctx.path, say('console.frame.overview'), !tabs.some(({ isChosen }) => isChosen)],
  ...tabs.map(
    ({ name, label, count: all, isChosen }) =>
      [`${ctx.path}?tab=${name}`, all === undefined ? label : `${label} ${count(all)}`, isChosen] as const,
  ),
];

interface RecordBodyProps extends PanelsOfTab {
  readonly ctx: PageContext;
  readonly facts: Parameters<typeof Facts>[0]['facts'];
  readonly children: ComponentChildren;
}

/** With parts of other modules: their tabs; on the first one what comes next, the figures, the parts, and the facts beside them. */
function RecordBody({ ctx, facts, panels, tabs, children }: RecordBodyProps) {
  if (panels.length + tabs.length === 0)
    return (
      <>
        <Facts facts={facts} />
        {children}
      </>
    );
  const bodies = panels.map(({ body }) => body);
  const chosen = tabs.find(({ isChosen }) => isChosen);
  const links = <TabLinks label={say('console.frame.tabs')} links={linksOf(ctx, tabs)} />;
  if (chosen)
    return (
      <>
        {links}
        <Part title={chosen.label} action={chosen.add}>
          {chosen.count === 0 ? <div class="empty">{chosen.next.about}</div> : bodies}
        </Part>
      </>
    );
  const figures = panels.flatMap((panel) => panel.figures ?? []);
  const lacking = [...tabs.filter(({ count: total }) => total === 0), ...panels].flatMap(({ next }) => next ?? []);
  const [next] = lacking.sort((one, other) => one.step - other.step);
  return (
    <>
      {tabs.length > 0 ? links : null}
      {next ? (
        <p class="notice">
          {next.about} <a href={next.to}>{next.label}</a>
        </p>
      ) : null}
      {figures.length > 0 ? <Band figures={figures} /> : null}
      <div class="record">
        <div>
          {bodies}
          {children}
        </div>
        <aside>
          <h2>{say('console.record.details')}</h2>
          <Facts facts={facts} />
        </aside>
      </div>
    </>
  );
}

/** The class that a section of the console extends. */
export function RecordPages<Create extends object, Row extends NamedRow>(declaration: Declaration<Create, Row>) {
  const { operations, id: idName } = declaration;
  const does = (what: string): string => `${operations}.${what}`;

  class Pages extends RecordSection<Create, Row> {
    protected override readonly of = declaration;

    @Page({ route: 'GET /', shows: 'fields', operation: does('list') })
    override list(@PageCtx() ctx: PageContext): Promise<Answer> {
      return super.list(ctx);
    }

    @Page({ route: 'GET /new', shows: 'fields', operation: does('create') })
    override new(@PageCtx() ctx: PageContext): Promise<Answer> {
      return super.new(ctx);
    }

    @Action({ route: 'POST /new', shows: 'fields', operation: does('create') })
    override create(@PageCtx() ctx: PageContext): Promise<Answer> {
      return super.create(ctx);
    }

    @Page({ route: `GET /:${idName}`, shows: 'fields', operation: does('get') })
    override show(@PageCtx() ctx: PageContext, @Param(idName) id: string): Promise<Answer> {
      return super.show(ctx, id);
    }

    @Page({ route: `GET /:${idName}/edit`, shows: 'fields', operation: does('update') })
    override edit(@PageCtx() ctx: PageContext, @Param(idName) id: string): Promise<Answer> {
      return super.edit(ctx, id);
    }

    @Action({ route: `POST /:${idName}/edit`, shows: 'fields', operation: does('update') })
    override update(@PageCtx() ctx: PageContext, @Param(idName) id: string): Promise<Answer> {
      return super.update(ctx, id);
    }
  }
  return Pages;
}
