import type { Settings } from '../kernel/settings/settings.js';

/** Tells a process which of several it is. Set by the process that starts it, not by operators. */
export const PROCESS_NUMBER = 'CLAIMS_PROCESS_NUMBER';

/** Whether a process only starts others. A service with both roles has both as processes, as soon as there are several of either. */
export const startsOthers = ({ role, apiProcesses, workerProcesses }: Settings): boolean =>
  (role !== 'worker' && apiProcesses > 1) || (role !== 'api' && workerProcesses > 1);
