export interface Failure {
  readonly code: string;
  readonly message: string;
}

/** Thrown by a job that cannot do its work. Code and message are shown to everybody: they name places, never contents. */
export class JobFailure extends Error implements Failure {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

export function fail(code: string, message: string): never {
  throw new JobFailure(code, message);
}
