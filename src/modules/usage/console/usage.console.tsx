import { ConsoleSection, Page } from '../../../api/console/declarations.js';
import { OverviewPanel, type Panel } from '../../../api/console/ports.js';
import { type PageContext, PageCtx, pathOf, type Answer, page } from '../../../api/console/page.js';
import { Bars } from '../../../api/console/parts/bars.js';
import { Facts, Time } from '../../../api/console/parts/facts.js';
import { Table } from '../../../api/console/parts/list.js';
import { count, day, period, say, told } from '../../../api/console/say.js';
import { isWordingKey } from '../../../api/wording/catalogues.js';
import { Implements } from '../../../store/discovery/ports.js';
import type { UsageSummaryCapabilityDto, UsageSummaryCredentialDto, UsageSummaryDto } from '../usage.dto.js';
import type { DayOfUsage } from '../usage-day.entity.js';
import { UsageService } from '../usage.service.js';

function RequestsByDay({ days }: { days: readonly DayOfUsage[] }) {
  const sum = (kind: 'succeeded' | 'failed'): number => days.reduce((total, one) => total + one[kind], 0);
  const [succeeded, failed] = [sum('succeeded'), sum('failed')];
  if (succeeded + failed === 0) return <div class="empty">{say('console.usage.none')}</div>;
  const legend = [
    ['good', say('console.usage.succeeded', { count: succeeded })],
    ['bad', say('console.usage.failed', { count: failed })],
  ] as const;
  const bars = days.map((one) => ({
    label: day(one.day),
    mark: day(one.day).replace(/ \d{4}$/, ''),
    parts: [{ tone: 'good', value: one.succeeded } as const, { tone: 'bad', value: one.failed } as const],
  }));
  return <Bars title={say('console.usage.byDay')} bars={bars} legend={legend} />;
}

/** Those of extensions have no text of ours. */
function capabilityInWords({ capability }: UsageSummaryCapabilityDto): string {
  const key = `console.usage.capabilities.${capability}`;
  return isWordingKey(key) ? say(key) : capability.replaceAll('_', ' ');
}

/** How many keys and applications the page shows. */
const SHOWN = 50;

function UsageView({ ctx, summary, days }: { ctx: PageContext; summary: UsageSummaryDto; days: readonly DayOfUsage[] }) {
  const { billingPeriod, capabilities, total, credentials, credentialsLeftOut, rateLimit } = summary;
  const others = credentials.length + credentialsLeftOut - SHOWN;
  return (
    <>
      <p>{say('console.usage.about', { period: period(billingPeriod.start, lastDayOf(billingPeriod.end)) })}</p>
      <RequestsByDay days={days} />
      <h2>{say('console.usage.byCapability')}</h2>
      <Table<UsageSummaryCapabilityDto>
        caption={say('console.usage.caption')}
        rows={capabilities.filter((capability) => capability.total > 0)}
        empty={<p>{say('console.usage.none')}</p>}
        columns={[
          [say('console.usage.capability'), capabilityInWords],
          [say('console.usage.reads'), ({ reads }) => count(reads), 'number'],
          [say('console.usage.writes'), ({ writes }) => count(writes), 'number'],
          [say('console.usage.failures'), ({ failed }) => count(failed), 'number'],
          [say('console.usage.all'), (row) => count(row.total), 'number'],
        ]}
      />
      <p class="hint">{say('console.usage.inAll', { count: total })}</p>
      <h2>{say('console.usage.byCredential')}</h2>
      <Table<UsageSummaryCredentialDto>
        caption={say('console.usage.byCredential')}
        rows={credentials.slice(0, SHOWN)}
        empty={<p>{say('console.usage.none')}</p>}
        columns={[
          [say('console.usage.credential'), ({ name }) => name],
          [say('console.usage.kind'), ({ type }) => say(`console.usage.kinds.${type}`)],
          [say('console.usage.all'), ({ calls }) => count(calls), 'number'],
        ]}
      />
      {others > 0 ? <p class="hint">{say('console.usage.leftOut', { count: others })}</p> : null}
      <h2>{say('console.usage.rateLimit')}</h2>
      <Facts
        facts={[
          [say('console.usage.plan'), told(rateLimit.tier)],
          [say('console.usage.aMinute'), count(rateLimit.limit)],
          [say('console.usage.left'), count(rateLimit.remaining)],
          [say('console.usage.resets'), <Time ctx={ctx} at={rateLimit.resetAt} />],
        ]}
      />
    </>
  );
}

/** A period ends before the first day of the next one. */
const lastDayOf = (end: string): string => new Date(Date.parse(end) - 1).toISOString().slice(0, 10);

@ConsoleSection({
  path: 'usage',
  label: 'Usage',
  tabOf: 'organization',
  group: 'Organization',
  order: 4,
  operation: 'usage.get',
  shows: 'nothing',
})
export class UsageConsole {
  constructor(private readonly usage: UsageService) {}

  @Page({ route: 'GET /', operation: 'usage.get' })
  async show(@PageCtx() ctx: PageContext): Promise<Answer> {
    const [summary, days] = await Promise.all([this.usage.summary(ctx), this.usage.byDay(ctx)]);
    return page(say('console.usage.title'), <UsageView ctx={ctx} summary={summary} days={days} />);
  }
}

@Implements(OverviewPanel)
export class UsagePanel extends OverviewPanel {
  readonly order = 40;

  constructor(private readonly usage: UsageService) {
    super();
  }

  async show(ctx: PageContext): Promise<Panel> {
    const body = (
      <section>
        <h2>
          <a href={pathOf(ctx, 'usage')}>{say('console.usage.thisPeriod')}</a>
        </h2>
        <RequestsByDay days={await this.usage.byDay(ctx)} />
      </section>
    );
    return { body };
  }
}
