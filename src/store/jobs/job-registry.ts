import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { isDeclared } from '../../kernel/declare-event.js';
import { localTime } from '../../kernel/time.js';
import { methodsOf } from '../discovery/methods-of.js';
import { type DailyJobDeclaration, type DailyTurn, jobOf, type JobDeclaration, type OrganizationTurn } from './job.decorator.js';

/** What an execution of a job may know about itself. */
export interface Execution {
  /** Called when the job is woken meanwhile. Returns whether the execution looks for work once more: else another one follows it. */
  onWoken?: () => boolean;
}

export interface RegisteredJob extends JobDeclaration {
  /** A key limits the job to one of many things, such as a webhook endpoint; without a key it handles all of them. */
  readonly run: (key?: string, execution?: Execution) => Promise<void>;
}

export interface RegisteredDailyJob extends DailyJobDeclaration {
  /** With an organization and an environment if the zone is theirs. */
  readonly run: (run: DailyTurn | OrganizationTurn) => Promise<void>;
}

/** The zone of a job that runs for each organization at its own time. */
export const OF_ORGANIZATIONS = 'organization';

/** All jobs, found by their `@Job` at start. The process does not start with a bad declaration. */
@Injectable()
export class JobRegistry implements OnModuleInit {
  readonly jobs: RegisteredJob[] = [];
  /** Those with a time of day. */
  readonly daily: RegisteredDailyJob[] = [];

  constructor(private readonly discovery: DiscoveryService) {}

  onModuleInit(): void {
    for (const { instance } of this.discovery.getProviders()) this.readProvider(instance);
    const problems = jobProblems([...this.jobs, ...this.daily]);
    if (problems.length > 0) throw new Error(`Bad declarations:\n  ${problems.join('\n  ')}`);
  }

  private readProvider(instance: unknown): void {
    if (typeof instance !== 'object' || instance === null) return;
    for (const [, handler] of methodsOf(Object.getPrototypeOf(instance) as object | null)) {
      const declaration = jobOf(handler);
      if (!declaration) continue;
      const run = (...given: unknown[]): Promise<void> => handler.apply(instance, given) as Promise<void>;
      if ('at' in declaration) this.daily.push({ ...declaration, run });
      else this.jobs.push({ ...declaration, run });
    }
  }
}

export function jobProblems(jobs: readonly (JobDeclaration | DailyJobDeclaration)[]): string[] {
  const ids = jobs.map(({ id }) => id);
  const repeated = [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))];
  return [
    ...jobs.flatMap(timeProblems),
    ...jobs.flatMap(({ id, emits = [] }) =>
      emits.flatMap((event) => {
        if (!isDeclared(event)) return [`The job ${id} emits an event that is not declared.`];
        return event.status === 'emitted' ? [] : [`The job ${id} emits ${event.kind}, which is ${event.status}.`];
      }),
    ),
    ...repeated.map((id) => `The job id ${id} is declared twice.`),
  ];
}

function timeProblems(job: JobDeclaration | DailyJobDeclaration): string[] {
  if ('at' in job === 'everyMs' in job) return [`The job ${job.id} needs either everyMs or at.`];
  if (!('at' in job)) return [];
  if (!/^(?:[01]\d|2[0-3]):[0-5]\d$/.test(job.at)) return [`The job ${job.id} is at ${job.at}, which is no time of day.`];
  return job.zone === OF_ORGANIZATIONS || isZone(job.zone) ? [] : [`The job ${job.id} is in ${job.zone}, which is no time zone.`];
}

function isZone(zone: string): boolean {
  try {
    return localTime(new Date(0), zone).length === 2;
  } catch {
    return false;
  }
}
