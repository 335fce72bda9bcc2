/** Why what a worker was to do cannot be done. Code and message are shown to everybody: they name places, never contents. */
export class WorkFailure extends Error {
  constructor(readonly code: string, message: string) {
    super(message);
  }
}
