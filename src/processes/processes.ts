/** Tells a process which of several workers it is. Set by the process that starts it, not by operators. */
export const WORKER_NUMBER = 'CLAIMS_WORKER_NUMBER';
