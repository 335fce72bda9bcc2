import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../kernel/context.js';
import { newId } from '../../kernel/ids.js';
import { later } from '../../kernel/time.js';
import { DatabaseClock } from '../database/database-clock.js';
import type { Unit, WriteContext } from '../database/unit-of-work.js';
import { Implements } from '../discovery/ports.js';
import { Job } from '../jobs/job.decorator.js';
import { WakeUps } from '../jobs/wake-ups.js';
import { EncryptedColumns, Secrets } from '../secrets/secrets.js';
import { FileStoreAway, FileStoreCalls, LONGEST_PUT_MS } from './file-store-calls.js';
import { FileScanner } from './file-scanner.js';
import type { FileToStore } from './file-store.js';
import { DATA_KEY_BYTES, seal, unseal } from '../../../tools/sealed-files/index.js';
import { type FileOf, type FilePlace, type KeptFile, StoredFilesRepository } from './stored-files.repository.js';

export type { FileOf, KeptFile };

const REMOVE_FILES = 'files.remove';
/** How long a file waits for the transaction that claims it. Longer than any transaction takes. */
const CLAIMED_WITHIN_MS = 3_600_000;

type NewFile = FileOf & { readonly parts: () => readonly Uint8Array[] };
/** A file that is in the store, and that no transaction has claimed yet. */
export type PlacedFile = FilePlace;

const keyOf = ({ organizationId, environment, kind, id }: FilePlace): string => `${organizationId}/${environment}/${kind}/${id}`;
const boundTo = (organizationId: string, id: string): string => `file ${organizationId} ${id}`;

/** Put there before the transaction that refers to them. A job deletes what nobody claims. Without a store, nothing asks the database. */
@Implements(EncryptedColumns)
export class StoredFiles implements EncryptedColumns {
  readonly encrypted = [{ table: 'stored_files', column: 'data_key', key: ['organization_id', 'id'], owner: boundTo }];

  constructor(
    private readonly calls: FileStoreCalls,
    private readonly files: StoredFilesRepository,
    private readonly secrets: Secrets,
    private readonly wakeUps: WakeUps,
    private readonly clock: DatabaseClock,
    private readonly scanner: FileScanner,
  ) {}

  get isUsed(): boolean {
    return this.calls.store !== undefined;
  }

  /** Of files that others have sent, before anything is done with them. */
  requireClean({ organizationId }: Tenant, files: readonly Buffer[]): Promise<void> {
    return this.scanner.requireClean(organizationId, files);
  }

  /** Where Postgres keeps new files, `work` gets none. Not to be called in a transaction: a store may take long. */
  async placing<T>(tenant: Tenant, files: readonly NewFile[], work: (placed: readonly PlacedFile[]) => Promise<T>): Promise<T> {
    if (this.calls.store?.takesNewFiles !== true) return work([]);
    const placed: PlacedFile[] = [];
    try {
      for (const { parts, ...of } of files) placed.push(await this.place(tenant, of, parts()));
      return await work(placed);
    } catch (error) {
      await this.release(placed);
      throw error;
    }
  }

  /** In the transaction that refers to the file. */
  async claim(ctx: WriteContext, { id }: PlacedFile): Promise<void> {
    if (!(await this.files.claim(ctx, id))) throw new FileStoreAway('The file was put into the store too long ago.');
  }

  /** The parts of a file, decrypted while they are read. undefined if Postgres has the file. Resolves when the store has answered. */
  async open(tenant: Tenant, of: FileOf): Promise<AsyncGenerator<Buffer> | undefined> {
    const found = this.isUsed ? await this.files.find(tenant, of) : undefined;
    return found && this.openKept(found);
  }

  /** The same for a file that was found before. undefined if it was removed since. */
  async openIfKept(file: KeptFile): Promise<AsyncGenerator<Buffer> | undefined> {
    try {
      return await this.openKept(file);
    } catch (error) {
      const { id } = (await this.files.find(file, file)) ?? {};
      if (id === file.id) throw error;
      return undefined;
    }
  }

  /** For a file that Postgres does not have: refuses if it is in a store that is not there any more. */
  async requireNoneElsewhere(tenant: Tenant, { kind, ownerId }: FileOf): Promise<void> {
    if (!this.isUsed && (await this.files.has(tenant, kind, ownerId, { going: false })))
      throw new FileStoreAway('This file is in a file store that no extension of this installation offers.');
  }

  /** Removes the files of an owner when the transaction has committed. */
  async retire(ctx: WriteContext, { kind, ownerId }: FileOf): Promise<void> {
    if (this.isUsed) this.removeAfter(ctx, await this.files.retire(ctx, kind, ownerId));
  }

  /** The same for one file of an owner. */
  async retireOne(ctx: WriteContext, of: FileOf): Promise<void> {
    if (this.isUsed) this.removeAfter(ctx, await this.files.retireOne(ctx, of));
  }

  /** The same for all files of an environment, also where they are in a store that is not there any more. */
  async retireEnvironment(ctx: WriteContext): Promise<void> {
    this.removeAfter(ctx, await this.files.retireEnvironment(ctx));
  }

  private removeAfter({ unit }: WriteContext, retired: number): void {
    if (retired > 0) unit.afterCommit.push(() => this.wakeUps.wake(REMOVE_FILES));
  }

  /** The same without a transaction. */
  async retireNow(tenant: Tenant, { kind, ownerId }: FileOf): Promise<void> {
    if (this.isUsed && (await this.files.retire(tenant, kind, ownerId)) > 0) this.wakeUps.wake(REMOVE_FILES);
  }

  /** Whether the store still has files of an owner, also those that are being removed. */
  async has(tenant: Tenant, { kind, ownerId }: FileOf, unit: Unit): Promise<boolean> {
    return this.isUsed && this.files.has(tenant, kind, ownerId, { unit, going: true });
  }

  private async openKept(file: KeptFile): Promise<AsyncGenerator<Buffer>> {
    const path = keyOf(file);
    const bytes = await this.calls.open(file.organizationId, path);
    if (!bytes) throw new Error(`The file ${path} is missing in the store.`);
    return unseal(bytes, this.secrets.decryptBytes(file.dataKey, boundTo(file.organizationId, file.id)), path);
  }

  private async place({ organizationId, environment }: Tenant, of: FileOf, parts: readonly Uint8Array[]): Promise<PlacedFile> {
    const id = newId();
    const key = randomBytes(DATA_KEY_BYTES);
    const dataKey = this.secrets.encryptBytes(key, boundTo(organizationId, id));
    const place: KeptFile = { organizationId, environment, id, ...of, dataKey };
    const path = keyOf(place);
    const file = toStore(await seal(parts, key, path));
    await this.files.coming(place, file.bytes, later(this.clock, CLAIMED_WITHIN_MS));
    await this.calls.put(organizationId, (store, signal) => store.put(path, file, signal));
    return place;
  }

  /** After a transaction that has failed: files that it has claimed after all are kept. */
  private async release(placed: readonly PlacedFile[]): Promise<void> {
    if (placed.length === 0) return;
    const ids = placed.map(({ id }) => id);
    const wake = (): void => this.wakeUps.wake(REMOVE_FILES);
    // If this fails, the job finds them later.
    await this.files.release(placed[0]!, ids).then(wake, () => undefined);
  }
}

function toStore(pieces: readonly Buffer[]): FileToStore {
  const hash = createHash('sha256');
  for (const piece of pieces) hash.update(piece);
  const bytes = pieces.reduce((sum, { length }) => sum + length, 0);
  return { bytes, sha256: hash.digest('hex'), read: () => Readable.from(pieces, { objectMode: false }) };
}

const EVERY_MS = 60_000;
/** A call that was cut off may still have an effect in the store. */
const PUT_IS_OVER_MS = 2 * LONGEST_PUT_MS;
const LOOKS_AGAIN_MS = 1000;

/** Removes files from the store of an extension: first there, then the row that knows them. */
@Injectable()
export class FileRemoval {
  constructor(
    private readonly calls: FileStoreCalls,
    private readonly files: StoredFilesRepository,
    private readonly clock: DatabaseClock,
  ) {}

  @Job({
    id: REMOVE_FILES,
    summary: 'Removes files from a file store: those that were deleted, and those that no transaction has claimed within an hour.',
    everyMs: EVERY_MS,
  })
  async removeDue(): Promise<void> {
    while (this.calls.store) {
      const due = await this.files.due();
      if (due.length === 0) return;
      for (const file of due) if (await this.files.take(file)) await this.remove(file);
    }
  }

  /** All files of an organization. Throws unless all are gone. */
  async removeAll(organizationId: string): Promise<void> {
    while (await this.files.hasAny(organizationId)) {
      if (!this.calls.store) throw new FileStoreAway('It has files in a file store that no extension of this installation offers.');
      await this.files.retireAll(organizationId, later(this.clock, -PUT_IS_OVER_MS));
      const next = await this.files.findNext(organizationId);
      for (const file of next) await this.remove(file);
      // What is left is being put.
      if (next.length === 0) await delay(LOOKS_AGAIN_MS);
    }
  }

  private async remove(file: FilePlace): Promise<void> {
    await this.calls.remove(file.organizationId, keyOf(file));
    await this.files.removed(file);
  }
}

/** For operators: whether the files that the database says are in a store can be read there. */
@Injectable()
export class FileExamination {
  constructor(
    private readonly calls: FileStoreCalls,
    private readonly repository: StoredFilesRepository,
    private readonly files: StoredFiles,
  ) {}

  /** What was found, in words. Throws if a file cannot be read. */
  async examine(): Promise<string> {
    const count = await this.repository.countKept();
    if (!this.calls.store) {
      if (count === 0) return 'Postgres has all files';
      throw new Error(`${count} are in a file store that no extension of this installation offers: add the extension again.`);
    }
    const newest = await this.repository.newestKept();
    if (!newest) return 'the file store has none yet';
    const parts = await this.files.openIfKept(newest);
    // The first part shows that store and keys are right. A file may be large.
    await parts?.next();
    await parts?.return(undefined);
    return `${count} are in the file store, and the newest can be read`;
  }
}
