/** Two transactions wait for each other. */
export const DEADLOCK = '40P01';
/** SQLSTATE of a lock that is not had in time, or never would be. */
export const LOCK_NOT_AVAILABLE: readonly string[] = ['55P03', DEADLOCK];
