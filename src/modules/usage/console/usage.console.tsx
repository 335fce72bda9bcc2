import { Injectable } from '@nestjs/common';
import { ConsoleSection, Page } from '../../../api/console/declarations.js';
import { OverviewPanel } from '../../../api/console/overview.js';
import { type PageContext, PageCtx, pathOf } from '../../../api/console/page-context.js';
import { type Answer, page } from '../../../api/console/page.js';
import { Bars } from '../../../api/console/parts/bars.js';
import { Facts, Time } from '../../../api/console/parts/facts.js';
import type { Panel } from '../../../api/console/record-panel.js';
import { Table } from '../../../api/console/parts/list.js';
import * as say from '../../../api/console/say.js';
import { Implements } from '../../../store/discovery/ports.js';
import type { UsageSummaryCapabilityDto, UsageSummaryDto } from '../usage.dto.js';
import { type UsageByDay, UsageService } from '../usage.service.js';

function RequestsByDay({ byDay: { days } }: { byDay: UsageByDay }) {
  const sum = (kind: 'succeeded' | 'failed'): number => days.reduce((total, day) => total + day[kind], 0);
  const [succeeded, failed] = [sum('succeeded'), sum('failed')];
  if (succeeded + failed === 0) return <div class="empty">No request was made in this period yet.</div>;
  const legend = [
    ['good', `${say.count(succeeded)} succeeded`],
    ['bad', `${say.count(failed)} failed`],
  ] as const;
  const bars = days.map((day) => ({
    label: say.day(day.day),
    mark: say.day(day.day).replace(/ \d{4}$/, ''),
    parts: [{ tone: 'good', value: day.succeeded } as const, { tone: 'bad', value: day.failed } as const],
  }));
  return <Bars title="Requests by day (UTC)" bars={bars} legend={legend} />;
}

function UsageView({ ctx, summary, byDay }: { ctx: PageContext; summary: UsageSummaryDto; byDay: UsageByDay }) {
  const { billingPeriod, capabilities, total, rateLimit } = summary;
  return (
    <>
      <p>
        Requests to the API with keys and tokens of this environment. The billing period is{' '}
        {say.period(billingPeriod.start, lastDayOf(billingPeriod.end))} (UTC).
      </p>
      <RequestsByDay byDay={byDay} />
      <h2>By capability</h2>
      <Table<UsageSummaryCapabilityDto>
        caption="Requests of this period by capability"
        rows={capabilities.filter((capability) => capability.total > 0)}
        empty={<p>No request was made in this period yet.</p>}
        columns={[
          ['Capability', ({ capability }) => capability.replaceAll('_', ' ')],
          ['Reads', ({ reads }) => say.count(reads), 'number'],
          ['Writes', ({ writes }) => say.count(writes), 'number'],
          ['Failed', ({ failed }) => say.count(failed), 'number'],
          ['All', (row) => say.count(row.total), 'number'],
        ]}
      />
      <p class="hint">{say.count(total)} in all. A request may take up to a second to appear.</p>
      <h2>Rate limit</h2>
      <Facts
        facts={[
          ['Plan', rateLimit.tier],
          ['Requests a minute', say.count(rateLimit.limit)],
          ['Requests left now', say.count(rateLimit.remaining)],
          ['Resets at', <Time ctx={ctx} at={rateLimit.resetAt} />],
        ]}
      />
    </>
  );
}

/** A period ends before the first day of the next one. */
const lastDayOf = (end: string): string => new Date(Date.parse(end) - 1).toISOString().slice(0, 10);

@ConsoleSection({ path: 'usage', label: 'Usage', tabOf: 'organization', group: 'Organization', order: 4, operation: 'usage.get' })
export class UsageConsole {
  constructor(private readonly usage: UsageService) {}

  @Page({ route: 'GET /', operation: 'usage.get' })
  async show(@PageCtx() ctx: PageContext): Promise<Answer> {
    const [summary, byDay] = await Promise.all([this.usage.summary(ctx), this.usage.byDay(ctx)]);
    return page('Usage', <UsageView ctx={ctx} summary={summary} byDay={byDay} />);
  }
}

/** The requests of this period, on the first page of the console. */
@Injectable()
@Implements(OverviewPanel)
export class UsagePanel extends OverviewPanel {
  readonly order = 40;

  constructor(private readonly usage: UsageService) {
    super();
  }

  async show(ctx: PageContext): Promise<Panel> {
    const byDay = await this.usage.byDay(ctx);
    const body = (
      <section>
        <h2>
          <a href={pathOf(ctx, 'usage')}>Requests this period</a>
        </h2>
        <RequestsByDay byDay={byDay} />
      </section>
    );
    return { body };
  }
}
