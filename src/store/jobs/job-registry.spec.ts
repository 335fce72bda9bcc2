import { Injectable, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { expect, it } from 'vitest';
import { declareEvent, type EventDeclaration } from '../../kernel/declare-event.js';
import { DiscoveryModule } from '../store.module.js';
import { Job, jobOf, type OrganizationTurn } from './job.decorator.js';
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

it('a job has either an interval or a time of day in a time zone', () => {
  const daily = { id: 'rooms.count', summary: 'Counts.', at: '02:00', zone: 'organization' } as const;
  expect(jobProblems([daily, { ...daily, id: 'rooms.paint', zone: 'Europe/Berlin' }])).toEqual([]);
  expect(
    jobProblems([
      { ...job, ...daily },
      { id: 'rooms.idle', summary: 'Idles.' } as never,
      { ...daily, id: 'rooms.late', at: '25:00' },
      { ...daily, id: 'rooms.far', zone: 'Europe/Atlantis' },
      { ...daily, id: job.id },
      job,
    ]),
  ).toEqual([
    'The job rooms.count needs either everyMs or at.',
    'The job rooms.idle needs either everyMs or at.',
    'The job rooms.late is at 25:00, which is no time of day.',
    'The job rooms.far is in Europe/Atlantis, which is no time zone.',
    'The job id rooms.sweep is declared twice.',
  ]);
});

it('neither both nor a time that is not of a day compiles, nor an organization for a job that runs once for all', () => {
  const text = { id: 'rooms.count', summary: 'Counts.' };
  class Counter {
    // @ts-expect-error: both
    @Job({ ...text, everyMs: 1000, at: '02:00', zone: 'UTC' })
    both(): Promise<void> {
      return Promise.resolve();
    }
    // @ts-expect-error: no time of day
    @Job({ ...text, at: '2 am', zone: 'UTC' })
    wrong(): Promise<void> {
      return Promise.resolve();
    }
    // @ts-expect-error: it is told of no organization
    @Job({ ...text, at: '02:00', zone: 'UTC' })
    once({ organizationId }: OrganizationTurn): Promise<void> {
      return Promise.resolve(void organizationId);
    }
    @Job({ ...text, at: '02:00', zone: 'organization' })
    each({ organizationId }: OrganizationTurn): Promise<void> {
      return Promise.resolve(void organizationId);
    }
  }
  expect(jobOf(Reflect.get(Counter.prototype, 'each'))).toMatchObject({ at: '02:00' });
});
