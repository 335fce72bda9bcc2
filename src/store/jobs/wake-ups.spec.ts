import { expect, it } from 'vitest';
import { createLog } from '../../kernel/log.js';
import { Settings } from '../../kernel/settings/settings.js';
import type { Execution } from './job-registry.js';
import { LocalWakeUps, nameOf } from './wake-ups.js';

const settings = Settings.from({ LOG_LEVEL: 'silent' });

/** Wake-ups for one job, whose executions last until `end` is called. */
function openJob() {
  const executions: Execution[] = [];
  let end = () => undefined as void;
  const run = (_key?: string, execution?: Execution) => {
    executions.push(execution!);
    return new Promise<void>((resolve) => (end = resolve));
  };
  const wakeUps = new LocalWakeUps(createLog(settings));
  wakeUps.register({ id: 'job', summary: '', everyMs: 1000, run });
  const endOne = () => new Promise((resolve) => (end(), setImmediate(resolve)));
  return { wakeUps, executions, endOne };
}

it('an execution that looks for work once more when the job is woken is not followed by another one', async () => {
  const { wakeUps, executions, endOne } = openJob();
  wakeUps.wake('job', 'key');
  let told = 0;
  executions[0]!.onWoken = () => (told += 1) > 0;
  wakeUps.wake('job', 'key');
  wakeUps.tell(nameOf('job', 'key'));
  wakeUps.tell(nameOf('job', 'another key'));
  await endOne();
  expect([told, executions.length]).toEqual([2, 1]);
  wakeUps.wake('job', 'key');
  expect(executions).toHaveLength(2);
  await endOne();
});

it('one that is about to end, or does not listen, is followed by another one that is not listened to for it', async () => {
  const { wakeUps, executions, endOne } = openJob();
  wakeUps.wake('job', 'key');
  executions[0]!.onWoken = () => false;
  wakeUps.wake('job', 'key');
  await endOne();
  expect(executions).toHaveLength(2);
  expect(executions[1]!.onWoken).toBeUndefined();
  wakeUps.wake('job', 'key');
  await endOne();
  expect(executions).toHaveLength(3);
  // What is only told starts nothing.
  wakeUps.tell(nameOf('job', 'key'));
  await endOne();
  expect(executions).toHaveLength(3);
});
