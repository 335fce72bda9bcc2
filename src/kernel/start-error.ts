/** Why a process does not start, or a command cannot be done: one line that says what to do. */
export class StartError extends Error {}
