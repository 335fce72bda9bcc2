// Runs the job that JOB names once, in a process of its own.
import 'reflect-metadata';
import { createContext } from '../../dist/src/program/app.js';
import { createLog } from '../../dist/src/kernel/log.js';
import { Settings } from '../../dist/src/kernel/settings/settings.js';
import { JobRegistry } from '../../dist/src/store/jobs/job-registry.js';

const settings = Settings.from({ ...process.env, LOG_LEVEL: 'warn' });
const app = await createContext(settings, createLog(settings));
await app.init();
const job = app.get(JobRegistry).jobs.find(({ id }) => id === process.env.JOB);
await job.run();
await app.close();
