import { connect } from 'node:net';
import { Injectable } from '@nestjs/common';
import { FairShare } from '../../kernel/fair-share.js';
import { Log } from '../../kernel/log.js';
import { Problem, unavailable } from '../../kernel/problems.js';
import { Settings } from '../../kernel/settings/settings.js';

const CLAMD_PORT = 3310;
/** Until it answers. Calls end after 25 seconds by default. */
const WITHIN_MS = 15_000;
/** clamd has ten threads by default. */
const SCANS = { capacity: 8, share: 4, maxWaiting: 32, maxWaitMs: 5000 };
const ANSWER_MAX = 500;

/** Asks the malware scanner of the operator about files that others have sent. A file that was not scanned is not kept. */
@Injectable()
export class FileScanner {
  private readonly shares = new FairShare({ what: 'Scans of files', ...SCANS });

  constructor(
    private readonly settings: Settings,
    private readonly log: Log,
  ) {}

  async requireClean(organizationId: string, files: readonly Buffer[]): Promise<void> {
    const { fileScanner } = this.settings;
    if (fileScanner === undefined || files.length === 0) return;
    const giveBack = await this.shares.take(organizationId).catch((error: unknown) => {
      throw unavailable('The scanner of files is busy at the moment.', error);
    });
    try {
      for (const file of files) refuseFound(await askClamd(new URL(fileScanner), file).catch((error: unknown) => this.away(error)));
    } finally {
      giveBack();
    }
  }

  private away(error: unknown): never {
    this.log.warn({ err: error }, 'a file could not be scanned');
    throw unavailable('Files cannot be scanned at the moment, and are not kept without it.', error);
  }
}

function refuseFound(answer: string): void {
  const found = /^stream: (.+) FOUND$/.exec(answer)?.[1];
  if (found !== undefined) throw new Problem('validation_failed', { detail: `A file has malware in it, its scanner says: ${found}.` });
}

/** By its protocol for streams. Resolves to what it says of the file, and rejects if that is neither `OK` nor `FOUND`. */
function askClamd({ hostname, port }: URL, file: Buffer): Promise<string> {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(file.length);
  return new Promise((resolve, reject) => {
    let said = '';
    let failure: Error | undefined;
    const socket = connect(Number(port || CLAMD_PORT), hostname.replace(/^\[|\]$/g, ''));
    const timer = setTimeout(() => socket.destroy(new Error(`It took longer than ${WITHIN_MS} ms.`)), WITHIN_MS);
    socket.on('data', (bytes) => (said = (said + bytes.toString('latin1')).slice(0, ANSWER_MAX)));
    socket.on('error', (error) => (failure = error));
    socket.on('close', () => {
      clearTimeout(timer);
      const answer = said.replace(/\0$/, '');
      if (/^stream: (?:OK|.+ FOUND)$/.test(answer)) resolve(answer);
      else reject(new Error(`The scanner says: ${answer}`, { cause: failure }));
    });
    for (const part of ['zINSTREAM\0', length, file, Buffer.alloc(length.length)]) socket.write(part);
  });
}
