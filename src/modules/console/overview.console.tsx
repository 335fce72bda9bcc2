import { ConsoleSection, Page } from '../../api/console/declarations.js';
import { FirstStep, OverviewPanel } from '../../api/console/ports.js';
import { page, type Answer, PageCtx, pathOf, type PageContext } from '../../api/console/page.js';
import { Badge, Band } from '../../api/console/parts/facts.js';
import { say, told } from '../../api/console/say.js';
import { Ports } from '../../store/discovery/ports.js';

interface CheckedStep {
  readonly step: FirstStep;
  readonly isDone: boolean;
}

const byOrder = (a: { order: number }, b: { order: number }): number => a.order - b.order;

@ConsoleSection({ path: '', label: 'Overview' })
export class OverviewConsole {
  constructor(private readonly ports: Ports) {}

  @Page({ route: 'GET /', role: 'member' })
  async show(@PageCtx() ctx: PageContext): Promise<Answer> {
    const steps = [...this.ports.all(FirstStep)].filter((step) => step.isFor?.(ctx) ?? true).sort(byOrder);
    const panels = [...this.ports.all(OverviewPanel)].sort(byOrder);
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
