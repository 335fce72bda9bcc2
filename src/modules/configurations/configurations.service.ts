import { Injectable } from '@nestjs/common';
import { Clock, requireOrderedPeriod } from '../../kernel/time.js';
import type { ReadContext, WriteContext } from '../../store/database/unit-of-work.js';
import { notFound, Problem } from '../../kernel/problems.js';
import { Implements } from '../../store/discovery/ports.js';
import { AuditRecorder } from '../../store/audit/audit-recorder.js';
import { Events } from '../../store/events/events.js';
import type { Counted, PageOf } from '../../store/tenant/page.js';
import { changedProperties, changesBetween } from '../../kernel/changes.js';
import { searchKeyOf } from '../../kernel/text.js';
import { ProjectsService, RelatedRecords, type SomeRecord } from '../projects/index.js';
import { type Configuration, CONFIGURATION_FIELDS, type TestOutcome } from './configuration.entity.js';
import { ReportConfigurationDto } from './configurations.dto.js';
import type { CreateReportConfigurationDto, ListReportConfigurationsQuery, UpdateReportConfigurationDto } from './configurations.dto.js';
import { ReportConfigurationCreated, ReportConfigurationUpdated } from './configurations.events.js';
import { ConfigurationsRepository } from './configurations.repository.js';

/** More are found by the search of the list. */
const MAX_CHOICES = 200;

@Implements(RelatedRecords)
@Injectable()
export class ConfigurationsService implements RelatedRecords {
  constructor(
    private readonly configurations: ConfigurationsRepository,
    private readonly projects: ProjectsService,
    private readonly events: Events,
    private readonly audit: AuditRecorder,
    private readonly clock: Clock,
  ) {}

  list(ctx: ReadContext, query: ListReportConfigurationsQuery): Promise<PageOf<Configuration>> {
    return this.configurations.page(ctx, query, {
      projectId: query.project_id,
      status: query.status,
      search: query.search,
      ...CONFIGURATION_FIELDS.filters(query),
    });
  }

  countsByStatus(ctx: ReadContext, projectId: string): Promise<Counted | undefined> {
    return this.configurations.countsBy(ctx, 'status', projectId);
  }

  async get(ctx: ReadContext, id: string): Promise<Configuration> {
    return (await this.configurations.get(ctx, id)) ?? missing();
  }

  /** The newest configurations that are not archived, for people to choose from: id and label. */
  async choices(ctx: ReadContext): Promise<[id: string, label: string][]> {
    const { rows } = await this.configurations.page(ctx, { page: 1, page_size: MAX_CHOICES });
    return rows.filter(({ status }) => status !== 'archived').map(({ id, name }) => [id, name]);
  }

  names(ctx: ReadContext, ids: readonly (string | null)[]): Promise<ReadonlyMap<string, string>> {
    return this.configurations.findNames(ctx, ids, 'name');
  }

  async findRelated(ctx: ReadContext, { reportConfigurationId: id }: SomeRecord): Promise<readonly Configuration[]> {
    return typeof id === 'string' ? [await this.get(ctx, id)] : [];
  }

  /** The configuration that another module's record refers to, if it refers to one. */
  async related(ctx: WriteContext, id: string | null): Promise<Configuration | null> {
    if (id === null) return null;
    const found = await this.configurations.get(ctx, id);
    if (!found) throw Problem.relatedMissing('reportConfigurationId', 'report configuration');
    return found;
  }

  async setTestOutcome(ctx: WriteContext, id: string, testOutcome: TestOutcome): Promise<void> {
    const found = await this.related(ctx, id);
    await this.configurations.update(ctx, { ...found!, testOutcome }, ['testOutcome']);
    this.audit.record(ctx, {
      action: 'report_configuration.test_outcome_set',
      resourceId: id,
      changes: changesBetween(null, testOutcome),
    });
  }

  /** What becomes of the run that is being queued. Only the test environment has any. */
  async takeTestOutcome(ctx: WriteContext, id: string | null): Promise<TestOutcome | null> {
    return ctx.environment === 'test' && id !== null ? this.configurations.takeTestOutcome(ctx, id) : null;
  }

  async create(ctx: WriteContext, input: CreateReportConfigurationDto): Promise<Configuration> {
    requireOrderedPeriod(input);
    const row = CONFIGURATION_FIELDS.make(ctx, input, this.clock.timestamp());
    await this.projects.writeRelated(ctx, input.projectId, () => this.configurations.insert(ctx, { ...row, searchKey: searchOf(row) }));
    this.events.append(ctx, ReportConfigurationCreated, { before: null, after: ReportConfigurationDto.from(row) });
    return row;
  }

  async update(ctx: WriteContext, id: string, input: UpdateReportConfigurationDto): Promise<Configuration> {
    const before = (await this.configurations.lock(ctx, id)) ?? missing();
    const after = CONFIGURATION_FIELDS.change(before, input);
    requireOrderedPeriod(after);
    const changed = changedProperties(before, after);
    if (changed.length === 0) return before;
    after.updatedAt = this.clock.after(before.updatedAt);
    const write = () => this.configurations.update(ctx, { ...after, searchKey: searchOf(after) }, [...changed, 'updatedAt', 'searchKey']);
    await this.projects.writeRelated(ctx, input.projectId, write);
    this.events.append(ctx, ReportConfigurationUpdated, {
      before: ReportConfigurationDto.from(before),
      after: ReportConfigurationDto.from(after),
    });
    return after;
  }
}

const searchOf = (row: Configuration): string => searchKeyOf(row.name, ...CONFIGURATION_FIELDS.searched(row));

const missing = (): never => notFound('There is no report configuration with this id.');
