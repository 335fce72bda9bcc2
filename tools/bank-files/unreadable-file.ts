/** Why a file is not read. Code and message may be shown to everybody: they name places, never contents. */
export class UnreadableFile extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

export function fail(code: string, message: string): never {
  throw new UnreadableFile(code, message);
}
