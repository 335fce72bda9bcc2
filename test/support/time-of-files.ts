import { afterAll } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** The seconds of processor of this process from before the file was imported until its last test had ended. */
    processor?: number;
  }
}

const before = process.cpuUsage();
afterAll(({}, file) => {
  const { user, system } = process.cpuUsage(before);
  file.meta.processor = (user + system) / 1e6;
});
