import { ConsoleSection, Page } from '../../api/console/declarations.js';
import { Frame } from '../../api/console/frame.js';
import { page, type Answer, PageCtx, pathOf, type PageContext, goTo, formOf } from '../../api/console/page.js';
import { Badge, Band, Part } from '../../api/console/parts/facts.js';
import { TextField } from '../../api/console/parts/fields.js';
import { FirstStep, OverviewPanel, type Found, SearchSource } from '../../api/console/ports.js';
import { say, told } from '../../api/console/say.js';
import { isShown } from '../../api/console/shown.js';
import { DocumentSource } from '../../api/operation/document-source.js';
import { isUuid } from '../../kernel/ids.js';
import { Ports } from '../../store/discovery/ports.js';

interface CheckedStep {
  readonly step: FirstStep;
  readonly isDone: boolean;
}

const byOrder = (a: { order: number }, b: { order: number }): number => a.order - b.order;

@ConsoleSection({ path: '', label: 'Overview', shows: 'names' })
export class OverviewConsole {
  constructor(
    private readonly ports: Ports,
    private readonly frame: Frame,
  ) {}

  @Page({ route: 'GET /', role: 'member' })
  async show(@PageCtx() ctx: PageContext): Promise<Answer> {
    const isFor = (step: FirstStep): boolean => (step.isFor?.(ctx) ?? true) && this.frame.isOpen(ctx, pathOf(ctx, step.path)) !== false;
    const steps = [...this.ports.all(FirstStep)].filter(isFor).sort(byOrder);
    const panels = [...this.ports.all(OverviewPanel)].filter(({ shows }) => isShown({ hidden: ctx.hidden }, shows)).sort(byOrder);
    const [checked, found] = await Promise.all([
      Promise.all(steps.map(async (step): Promise<CheckedStep> => ({ step, isDone: await step.isDone(ctx) }))),
      Promise.all(panels.map((panel) => panel.show(ctx))),
    ]);
    const shown = found.filter((panel) => panel !== null);
    const figures = shown.flatMap((panel) => panel.figures ?? []);
    return page(
      say('console.overview.title'),
      <>
        <FirstSteps ctx={ctx} steps={checked} />
        {figures.length > 0 ? <Band figures={figures} /> : null}
        {shown.map(({ body }) => body)}
      </>,
    );
  }
}

function FirstSteps({ ctx, steps }: { ctx: PageContext; steps: readonly CheckedStep[] }) {
  if (steps.every(({ isDone }) => isDone)) return null;
  return (
    <section>
      <h2>{say('console.overview.start')}</h2>
      <ol class="checklist">
        {steps.map(({ step, isDone }) => (
          <li>
            {isDone ? <Badge tone="good">{say('console.overview.done')}</Badge> : <Badge>{say('console.overview.toDo')}</Badge>}
            <a href={pathOf(ctx, step.path)}>{told(step.title)}</a>
            {isDone ? null : <p class="hint">{told(step.about)}</p>}
          </li>
        ))}
      </ol>
    </section>
  );
}

const LONGEST = 200;

interface Group {
  readonly label: string;
  readonly found: readonly Found[];
}

function Results({ text, groups }: { text: string; groups: readonly Group[] }) {
  if (text === '') return null;
  if (groups.length === 0) return <p role="status">{say('console.search.none', { text })}</p>;
  return (
    <>
      {groups.map(({ label, found }) => (
        <Part title={label}>
          <ul class="found">
            {found.map(({ title, about, path }) => (
              <li>
                <a href={path}>{title}</a> <span class="hint">{about}</span>
              </li>
            ))}
          </ul>
        </Part>
      ))}
    </>
  );
}

@ConsoleSection({ path: 'search', label: 'Search', shows: 'names' })
export class SearchConsole {
  constructor(
    private readonly ports: Ports,
    private readonly frame: Frame,
  ) {}

  @Page({ route: 'GET /', role: 'member' })
  async show(@PageCtx() ctx: PageContext): Promise<Answer> {
    const text = (ctx.query.get('q') ?? '').trim().slice(0, LONGEST);
    const groups = text === '' ? [] : await this.find(ctx, text);
    const all = groups.flatMap(({ found }) => found);
    if (isUuid(text) && all.length === 1) return goTo(all[0]!.path);
    const search = (
      <form class="filters" role="search" aria-label={say('console.search.thisPage')} action={pathOf(ctx, 'search')}>
        <TextField state={formOf({ q: text })} name="q" label={say('console.search.field')} type="search" maxLength={LONGEST} />
        <button class="plain">{say('console.search.title')}</button>
      </form>
    );
    return page(
      say('console.search.title'),
      <>
        {search}
        <Results text={text} groups={groups} />
      </>,
    );
  }

  private async find(ctx: PageContext, text: string): Promise<readonly Group[]> {
    const sources = [...this.ports.all(SearchSource)]
      .filter(({ shows }) => isShown({ hidden: ctx.hidden }, shows))
      .sort((one, other) => one.order - other.order);
    const records = sources.map(async (source) => ({ label: told(source.label), found: await source.find(ctx, text) }));
    const word = text.toLowerCase();
    const has = ({ title }: { readonly title: string }): boolean => title.toLowerCase().includes(word);
    const sections = this.frame.sectionsFor(ctx);
    const actions = sections.flatMap(({ adds, path }) => (adds ? [{ title: told(adds), path: pathOf(ctx, path, 'new') }] : []));
    const pages = sections.map(({ label, path }) => ({ title: told(label), path: pathOf(ctx, path) }));
    const guides = (await this.ports.only(DocumentSource)?.guides()) ?? [];
    const found = [
      ...(await Promise.all(records)),
      { label: say('console.search.actions'), found: actions.filter(has) },
      { label: say('console.search.pages'), found: pages.filter(has) },
      {
        label: say('console.search.guides'),
        found: guides.filter(has).map(({ name, title, about }) => ({ title, about, path: `/guides/${name}` })),
      },
    ];
    const isOpen = ({ path }: Pick<Found, 'path'>): boolean => this.frame.isOpen(ctx, path) !== false;
    return found.map((group) => ({ ...group, found: group.found.filter(isOpen) })).filter((group) => group.found.length > 0);
  }
}
