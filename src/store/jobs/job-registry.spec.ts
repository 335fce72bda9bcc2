import { Injectable, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { expect, it } from 'vitest';
import { declareEvent, type EventDeclaration } from '../../kernel/declare-event.js';
import { DiscoveryModule } from '../store.module.js';
import { Job } from './job.decorator.js';
import { jobProblems, JobRegistry } from './job-registry.js';

const anEvent = (kind: string, status: EventDeclaration['status']) =>
  declareEvent({ kind, status, summary: 'Something happened.', data: Object });
const Swept = anEvent('room.swept', 'emitted');
const Planned = anEvent('room.planned', 'planned');
const job = { id: 'rooms.sweep', summary: 'Sweeps.', everyMs: 1000 };

/** The jobs of a program with these providers. */
async function jobsOf(...providers: Type<unknown>[]) {
  @Module({ imports: [DiscoveryModule], providers: [JobRegistry, ...providers] })
  class Program {}
  const app = await NestFactory.createApplicationContext(Program, { logger: false, abortOnError: false });
  return app.get(JobRegistry).jobs;
}

it('finds jobs at their methods and calls them on their own provider', async () => {
  const swept: unknown[] = [];
  @Injectable()
  class Sweeper {
    @Job(job)
    sweep(): Promise<void> {
      swept.push(this);
      return Promise.resolve();
    }
  }
  const jobs = await jobsOf(Sweeper);
  expect(jobs).toMatchObject([{ id: 'rooms.sweep', everyMs: 1000 }]);
  await jobs[0]!.run();
  expect(swept[0]).toBeInstanceOf(Sweeper);
  await expect(jobsOf(Sweeper, class Again extends Sweeper {})).rejects.toThrow('The job id rooms.sweep is declared twice.');
});

it('accepts a job that emits a declared event', () => {
  expect(jobProblems([{ ...job, emits: [Swept] }])).toEqual([]);
});

it('refuses a job id that is declared twice', () => {
  expect(jobProblems([job, job])).toEqual(['The job id rooms.sweep is declared twice.']);
});

it('refuses a job that emits an undeclared event or a planned one', () => {
  expect(jobProblems([{ ...job, emits: [{ ...Swept }, Planned] }])).toEqual([
    'The job rooms.sweep emits an event that is not declared.',
    'The job rooms.sweep emits room.planned, which is planned.',
  ]);
});
