import { Injectable } from '@nestjs/common';
import { type PageContext, pathOf } from '../../../api/console/page-context.js';
import { type Found, SearchSource } from '../../../api/console/search-source.js';
import { isUuid } from '../../../kernel/ids.js';
import { Implements } from '../../../store/discovery/ports.js';
import { ReportsService } from '../reports.service.js';
import { titleOf } from './reports.views.js';
import { RunNames } from './run-names.js';

/** Reports have no names of their own: they are found by their ids. */
@Implements(SearchSource)
@Injectable()
export class ReportSearch implements SearchSource {
  readonly label = 'Reports';
  readonly order = 50;

  constructor(
    private readonly reports: ReportsService,
    private readonly names: RunNames,
  ) {}

  async find(ctx: PageContext, text: string): Promise<readonly Found[]> {
    if (!isUuid(text) || !ctx.can('claim_reports.list')) return [];
    const run = await this.reports.find(ctx, text);
    return run ? [{ title: titleOf(run, await this.names.read(ctx, [run])), path: pathOf(ctx, 'reports', run.id) }] : [];
  }
}
