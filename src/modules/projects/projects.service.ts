import { Injectable } from '@nestjs/common';
import type { Seeing } from '../../api/call/hidden-answers.js';
import { Clock, requireOrderedPeriod } from '../../kernel/time.js';
import type { ReadContext, WriteContext } from '../../store/database/unit-of-work.js';
import { brokenConstraint } from '../../store/database/database.js';
import { isUuid } from '../../kernel/ids.js';
import { notFound, Problem } from '../../kernel/problems.js';
import { Ports } from '../../store/discovery/ports.js';
import { Events } from '../../store/events/events.js';
import type { PageOf } from '../../store/tenant/page.js';
import { changedProperties } from '../../kernel/changes.js';
import { MAX_PROJECTS } from '../../kernel/product.js';
import { digestOf, foldText, searchKeyOf } from '../../kernel/text.js';
import { type Days, PeriodGuard } from './period-guard.js';
import { type Project, PROJECT_FIELDS } from './project.entity.js';
import { type CreateClaimProjectDto, ClaimProjectDto, type ListClaimProjectsQuery, type UpdateClaimProjectDto } from './projects.dto.js';
import { ClaimProjectCreated, ClaimProjectUpdated } from './projects.events.js';
import { ProjectsRepository } from './projects.repository.js';
import { RelatedRecords, type SomeRecord } from './related-records.js';

/** More are found by the search of the list. */
export const MAX_CHOICES = 200;

@Injectable()
export class ProjectsService {
  constructor(
    private readonly projects: ProjectsRepository,
    private readonly events: Events,
    private readonly clock: Clock,
    private readonly ports: Ports,
  ) {}

  list(ctx: ReadContext, query: ListClaimProjectsQuery): Promise<PageOf<Project>> {
    const { status, search, client_reference: clientReference } = query;
    return this.projects.page(ctx, query, { status, search, clientReference, ...PROJECT_FIELDS.filters(query) });
  }

  async get(ctx: ReadContext, id: string): Promise<Project> {
    return (await this.projects.get(ctx, id)) ?? missing();
  }

  /** The projects that a record belongs to, by itself or by others, as they stay until the transaction ends. */
  async holdProjects(ctx: WriteContext, record: SomeRecord | undefined): Promise<Project[]> {
    if (typeof record?.projectId === 'string') return [(await this.projects.hold(ctx, record.projectId)) ?? missing()];
    if (!record) return [];
    const related = await Promise.all(this.ports.all(RelatedRecords).map((port) => port.findRelated(ctx, record)));
    const projects = await Promise.all(related.flat().map((one) => this.holdProjects(ctx, one as SomeRecord)));
    return projects.flat();
  }

  /** The newest active projects, for people to choose from: id and label. With the chosen one, whatever its status. */
  async choices(ctx: ReadContext & Seeing, chosen?: string | null): Promise<[id: string, label: string][]> {
    const { rows } = await this.projects.page(ctx, { page: 1, page_size: MAX_CHOICES }, { status: 'active' });
    const isMissed = chosen && isUuid(chosen) && !rows.some(({ id }) => id === chosen);
    const missed = isMissed ? await this.projects.get(ctx, chosen) : undefined;
    return [...rows, missed ?? []].flat().map(labelledFor(ctx));
  }

  /** For people to choose several of: the chosen ones first, then the newest, whatever their status. */
  async choicesOfSeveral(ctx: ReadContext & Seeing, chosen: readonly string[]): Promise<[id: string, label: string][]> {
    const names = await this.names(ctx, chosen.filter(isUuid));
    const { rows } = await this.projects.page(ctx, { page: 1, page_size: MAX_CHOICES });
    return [...new Map([...names, ...rows.map(labelledFor(ctx))])];
  }

  /** The names of projects, by id. */
  names(ctx: ReadContext, ids: readonly (string | null)[]): Promise<ReadonlyMap<string, string>> {
    return this.projects.findNames(ctx, ids, 'name');
  }

  /** The ids as records have them, each once; null: all projects. All are of this environment. */
  async requireExisting(ctx: ReadContext, given: readonly string[] | null = null): Promise<string[] | null> {
    if (given === null) return null;
    const ids = [...new Set(given.map((id) => id.toLowerCase()))].sort();
    if (ids.length === 0 || ids.length > MAX_PROJECTS) {
      const code = ids.length === 0 ? 'required' : 'too_many';
      throw Problem.invalidField('projectIds', code, `must have 1 to ${MAX_PROJECTS} claim projects`);
    }
    const names = await this.names(ctx, ids.filter(isUuid));
    const unknown = ids.find((id) => !names.has(id));
    if (unknown === undefined) return ids;
    const error = {
      field: 'projectIds',
      code: 'related_record_missing',
      message: `contains ${unknown}, the id of no claim project`,
    } as const;
    throw Problem.atField(
      'related_record_missing',
      error,
      (field) => `There is no claim project ${unknown} in this environment (${field}).`,
    );
  }

  async create(ctx: WriteContext, input: CreateClaimProjectDto): Promise<Project> {
    requireOrderedPeriod(input);
    const project = PROJECT_FIELDS.make(ctx, input, this.clock.timestamp());
    const keys = keysOf(project);
    await this.projects.insert(ctx, { ...project, ...keys }).catch((error: unknown) => this.explainDuplicate(ctx, keys, error));
    this.events.append(ctx, ClaimProjectCreated, { before: null, after: ClaimProjectDto.from(project) });
    return project;
  }

  async update(ctx: WriteContext, id: string, input: UpdateClaimProjectDto): Promise<Project> {
    const before = (await this.projects.lock(ctx, id)) ?? missing();
    const after = PROJECT_FIELDS.change(before, input);
    requireOrderedPeriod(after);
    const changed = changedProperties(before, after);
    if (changed.length === 0) return before;
    if (changed.includes('periodStart') || changed.includes('periodEnd'))
      for (const { periodStart: start, periodEnd: end } of [before, after]) await this.requireOpen(ctx, id, { start, end });
    after.updatedAt = this.clock.after(before.updatedAt);
    const keys = keysOf(after);
    await this.projects
      .update(ctx, { ...after, ...keys }, [...changed, 'updatedAt', 'uniqueKey', 'searchKey'])
      .catch((error: unknown) => this.explainDuplicate(ctx, keys, error));
    this.events.append(ctx, ClaimProjectUpdated, { before: ClaimProjectDto.from(before), after: ClaimProjectDto.from(after) });
    return after;
  }

  /**
   * Writes another module's record that belongs to this project, or to none. The project is looked up and the record is written at
   * the same time, so the check costs no round trip. If the project does not exist, the error rolls the transaction back.
   */
  async writeRelated(ctx: WriteContext, projectId: string | null | undefined, write: () => Promise<void>): Promise<void> {
    if (projectId === null || projectId === undefined) return write();
    const [project, written] = await Promise.allSettled([this.projects.get(ctx, projectId), write()]);
    if (project.status === 'rejected') throw project.reason;
    if (!project.value) throw Problem.relatedMissing('projectId', 'claim project');
    if (written.status === 'rejected') throw written.reason;
  }

  /** Refuses a change of what belongs to the project and to days that are locked. */
  async requireOpen(ctx: WriteContext, projectId: string, period: Days): Promise<void> {
    for (const guard of this.ports.all(PeriodGuard)) await guard.requireOpen(ctx, projectId, period);
  }

  private async explainDuplicate(ctx: WriteContext, { uniqueKey }: ReturnType<typeof keysOf>, error: unknown): Promise<never> {
    if (brokenConstraint(error) !== 'claim_projects_unique') throw error;
    throw Problem.alreadyUsed(['name', 'clientReference'], 'project', await this.projects.idOfUnique(ctx, uniqueKey), error);
  }
}

/** What people choose by, as far as they may see it. */
const labelledFor =
  ({ hidden }: Seeing) =>
  (row: Project): [id: string, label: string] => {
    const { id, name, clientReference } = hidden ? hidden.cut(ClaimProjectDto, row) : row;
    return [id, clientReference ? `${name} (${clientReference})` : name];
  };

function keysOf(row: Project): Required<Pick<Project, 'uniqueKey' | 'searchKey'>> {
  const { name, clientReference } = row;
  const searchKey = searchKeyOf(name, clientReference, ...PROJECT_FIELDS.searched(row));
  return { uniqueKey: digestOf(foldText(name), clientReference), searchKey };
}

const missing = (): never => notFound('There is no claim project with this id.');
