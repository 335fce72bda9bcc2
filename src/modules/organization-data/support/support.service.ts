import { Injectable } from '@nestjs/common';
import { type Actor, changeContext } from '../../../kernel/context.js';
import { firstIdOf } from '../../../kernel/ids.js';
import { Problem } from '../../../kernel/problems.js';
import { Clock } from '../../../kernel/time.js';
import { AuditRecorder } from '../../../store/audit/audit-recorder.js';
import { Database } from '../../../store/database/database.js';
import { UnitOfWork } from '../../../store/database/unit-of-work.js';
import { JobRegistry } from '../../../store/jobs/job-registry.js';
import { type QuestionAbout, type QuestionAcross, QUESTIONS } from './questions.js';

export type Answer = Readonly<Record<string, string | number | null>>;

/** What operators ask instead of writing SQL. What they look at of an organization stands in its audit log. */
@Injectable()
export class SupportService {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditRecorder,
    private readonly clock: Clock,
    private readonly registry: JobRegistry,
  ) {}

  /** About an organization, or about one of its records. */
  async ask(actor: Actor, question: QuestionAbout, organizationId: string, id: string = organizationId): Promise<Answer[]> {
    await this.unitOfWork.run(changeContext(organizationId, actor), (ctx) => {
      this.audit.record(ctx, { action: 'organization.looked_at', resourceId: id, changes: { question: { from: null, to: question } } });
      return Promise.resolve();
    });
    return this.database.rows<Answer>(...QUESTIONS[question].bind({ organizationId }, { id }));
  }

  async askAbout(actor: Actor, question: QuestionAbout, id: string): Promise<Answer[]> {
    const [found] = await this.database.rows<{ organizationId: string }>(...QUESTIONS.owner.bind({ id }));
    if (!found) throw Problem.notFound('record with this id');
    return this.ask(actor, question, found.organizationId, id);
  }

  /** About all organizations: counts and ids. `id` is that of a call. */
  askAcross(question: QuestionAcross, id = ''): Promise<Answer[]> {
    return this.database.rows<Answer>(...QUESTIONS[question].bind({ id }));
  }

  /** The jobs with a time of day, each with its last day: how often it is done, and how often it failed last and is open. */
  async dailyJobs(): Promise<Answer[]> {
    const last = new Map((await this.askAcross('dailyJobs')).map((row) => [row.job, row]));
    const none = { day: null, done: 0, open: 0, failed: 0, error: null, finished: null };
    return this.registry.daily.map(({ id, at, zone }) => ({ job: id, at, zone, ...none, ...last.get(id) }));
  }

  /** For somebody who is not of the installation. */
  async bundle(): Promise<Readonly<Record<'queues' | 'tables', Answer[]>>> {
    return { queues: await this.askAcross('queues'), tables: await this.askAcross('tables') };
  }

  top(lastMs: number): Promise<Answer[]> {
    return this.askAcross('top', firstIdOf(new Date(this.clock.now().getTime() - lastMs)));
  }
}
