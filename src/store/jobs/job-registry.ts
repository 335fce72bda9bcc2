import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { isDeclared } from '../../kernel/declare-event.js';
import { methodsOf } from '../discovery/methods-of.js';
import { jobOf, type JobDeclaration } from './job.decorator.js';

/** What an execution of a job may know about itself. */
export interface Execution {
  /** Called when the job is woken meanwhile. Returns whether the execution looks for work once more: else another one follows it. */
  onWoken?: () => boolean;
}

export interface RegisteredJob extends JobDeclaration {
  /** A key limits the job to one of many things, such as a webhook endpoint; without a key it handles all of them. */
  readonly run: (key?: string, execution?: Execution) => Promise<void>;
}

/** All jobs, found by their `@Job` at start. The process does not start with a bad declaration. */
@Injectable()
export class JobRegistry implements OnModuleInit {
  readonly jobs: RegisteredJob[] = [];

  constructor(private readonly discovery: DiscoveryService) {}

  onModuleInit(): void {
    for (const { instance } of this.discovery.getProviders()) this.readProvider(instance);
    const problems = jobProblems(this.jobs);
    if (problems.length > 0) throw new Error(`Bad declarations:\n  ${problems.join('\n  ')}`);
  }

  private readProvider(instance: unknown): void {
    if (typeof instance !== 'object' || instance === null) return;
    for (const [, handler] of methodsOf(Object.getPrototypeOf(instance) as object | null)) {
      const declaration = jobOf(handler);
      if (declaration) this.jobs.push({ ...declaration, run: (...given) => handler.apply(instance, given) as Promise<void> });
    }
  }
}

export function jobProblems(jobs: readonly JobDeclaration[]): string[] {
  const ids = jobs.map(({ id }) => id);
  const repeated = [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))];
  return [
    ...jobs.flatMap(({ id, emits = [] }) =>
      emits.flatMap((event) => {
        if (!isDeclared(event)) return [`The job ${id} emits an event that is not declared.`];
        return event.status === 'emitted' ? [] : [`The job ${id} emits ${event.kind}, which is ${event.status}.`];
      }),
    ),
    ...repeated.map((id) => `The job id ${id} is declared twice.`),
  ];
}
