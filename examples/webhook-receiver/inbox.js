// @ts-check
import { mkdir, open, readFile, truncate } from 'node:fs/promises';
import { join } from 'node:path';

/** @typedef {import('@claims-api/client').ClaimsEvent} ClaimsEvent */

/** A file of lines that outlives the process. */
class Lines {
  /** @param {import('node:fs/promises').FileHandle} file */
  constructor(file) {
    this.file = file;
  }

  /**
   * @param {string} path
   * @returns {Promise<{ file: Lines, lines: string[] }>}
   */
  static async open(path) {
    const file = new Lines(await open(path, 'a'));
    const text = await readFile(path, 'utf8');
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    // A line that was begun when the process ended was never promised to anybody.
    if (whole !== text) await truncate(path, Buffer.byteLength(whole));
    return { file, lines: whole.split('\n').slice(0, -1) };
  }

  /** @param {string} line */
  async add(line) {
    await this.file.appendFile(`${line}\n`);
    await this.file.datasync();
  }
}

/** Events in a folder: each is kept once, and worked on one after the other. In production: a table with a unique id. */
export class Inbox {
  /**
   * @param {Lines} received
   * @param {Lines} done
   * @param {(event: ClaimsEvent) => Promise<void>} work
   */
  constructor(received, done, work) {
    this.received = received;
    this.done = done;
    this.work = work;
    /** @type {Map<string, Promise<void>>} */
    this.kept = new Map();
    this.writing = Promise.resolve();
    this.working = Promise.resolve();
  }

  /**
   * Continues with what an earlier process has not finished.
   * @param {string} folder
   * @param {(event: ClaimsEvent) => Promise<void>} work
   */
  static async open(folder, work) {
    await mkdir(folder, { recursive: true });
    const received = await Lines.open(join(folder, 'received.jsonl'));
    const done = await Lines.open(join(folder, 'done.txt'));
    const inbox = new Inbox(received.file, done.file, work);
    const finished = new Set(done.lines);
    for (const line of received.lines) {
      /** @type {ClaimsEvent} */
      const event = JSON.parse(line);
      inbox.kept.set(event.id, Promise.resolve());
      if (!finished.has(event.id)) inbox.begin(event);
    }
    return inbox;
  }

  /**
   * Resolves when the event is kept. One that is there already is not kept again.
   * @param {ClaimsEvent} event
   */
  put(event) {
    const known = this.kept.get(event.id);
    if (known) return known;
    const keeping = this.keep(event);
    this.kept.set(event.id, keeping);
    keeping.then(
      () => this.begin(event),
      () => this.kept.delete(event.id),
    );
    return keeping;
  }

  /** @param {ClaimsEvent} event */
  keep(event) {
    const written = this.writing.then(() => this.received.add(JSON.stringify(event)));
    this.writing = written.catch(() => undefined);
    return written;
  }

  /** @param {ClaimsEvent} event */
  begin(event) {
    this.working = this.working
      .then(() => this.work(event))
      .then(() => this.done.add(event.id))
      // It is tried again when the process starts the next time.
      .catch((error) => console.error('Event', event.id, 'failed:', error));
  }
}
