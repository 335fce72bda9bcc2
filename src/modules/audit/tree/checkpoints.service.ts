import { Injectable } from '@nestjs/common';
import { Settings } from '../../../kernel/settings/settings.js';
import { Clock } from '../../../kernel/time.js';
import { Job } from '../../../store/jobs/job.decorator.js';
import type { ChainedRow, ChainFault, ChainHead } from '../audit-chain.js';
import type { AuditPosition } from '../audit.repository.js';
import { SealingService } from '../sealing.service.js';
import type { AuditCheckpoint, AuditKey, AuditTile } from './checkpoint.entity.js';
import { AuditKeys, CheckpointsRepository } from './checkpoints.repository.js';
import type { AuditWitness } from './witness.entity.js';
import { WitnessesRepository } from './witnesses.repository.js';
import {
  cosignatureIn,
  GrowingRoot,
  leafHash,
  MerkleTree,
  openNote,
  type ReadTile,
  rootOver,
  signedNote,
  TILE,
  verifierKey,
  witnessOf,
} from '../../../../tools/transparency-log/index.js';

const ORGANIZATIONS_AT_ONCE = 100;
const TILES_AT_ONCE = 32;

/**
 * Beside the chain, which can only be checked from its start, each log has a tree: it proves a single row, and that a later log begins
 * with an earlier one, by a few hashes. Whole tiles of it are stored and never change; what comes after the last is read from the log.
 */
@Injectable()
export class Checkpoints {
  constructor(
    private readonly checkpoints: CheckpointsRepository,
    private readonly keys: AuditKeys,
    private readonly witnesses: WitnessesRepository,
    private readonly sealing: SealingService,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  @Job({ id: 'audit.checkpoint', summary: 'Signs a checkpoint of each audit log that has grown.', everyMs: 60_000 })
  async signAll(): Promise<void> {
    const failures: unknown[] = [];
    let grown: string[] = [];
    do {
      // A log that cannot be signed, since it was damaged, must not be in the way of those behind it.
      grown = await this.checkpoints.grown(ORGANIZATIONS_AT_ONCE, grown.at(-1));
      for (const organizationId of grown) await this.sign(organizationId).catch((error: unknown) => failures.push(error));
    } while (grown.length === ORGANIZATIONS_AT_ONCE);
    if (failures.length > 0) throw failures[0];
  }

  /** A checkpoint of all that is logged, which is signed now if it was not before; undefined if nothing was ever logged. */
  async current(organizationId: string): Promise<AuditCheckpoint | undefined> {
    await this.sealing.sealOrganization(organizationId);
    await this.sign(organizationId);
    return this.checkpoints.newest(organizationId);
  }

  newest(organizationId: string): Promise<AuditCheckpoint | undefined> {
    return this.checkpoints.newest(organizationId);
  }

  /** The newest one and its tree; undefined if nothing was ever logged. */
  async open(organizationId: string, isAgain = false): Promise<OpenCheckpoint | undefined> {
    const [checkpoint, { tree, size }] = await Promise.all([this.checkpoints.newest(organizationId), this.readTree(organizationId)]);
    if (!checkpoint || checkpoint.size <= size) return checkpoint && { checkpoint, tree };
    if (isAgain) throw new Error(`The audit log of ${organizationId} ends before its newest checkpoint: rows were removed.`);
    // Another process has signed meanwhile what this one has not read.
    return this.open(organizationId, true);
  }

  /** The same after all that is logged by now was signed. */
  async openCurrent(organizationId: string): Promise<OpenCheckpoint | undefined> {
    await this.current(organizationId);
    return this.open(organizationId);
  }

  async consistency({ organizationId, size }: AuditCheckpoint, old: number): Promise<readonly Buffer[]> {
    return (await this.readTree(organizationId)).tree.consistencyPath(old, size);
  }

  originOf(organizationId: string): string {
    const { host, pathname } = new URL(this.settings.publicUrl);
    return `${host}${pathname.replace(/\/$/, '')}/audit/${organizationId}`;
  }

  /** All that have ever signed, the newest last. */
  publicKeys(): Promise<Pick<AuditKey, 'publicKey' | 'createdAt'>[]> {
    return this.keys.all();
  }

  /** What each key is published as, for the log of an organization. */
  async verifierKeys(organizationId: string): Promise<string[]> {
    return (await this.keys.all()).map(({ publicKey }) => verifierKey(this.originOf(organizationId), publicKey));
  }

  /** What checks checkpoints, those stored and one that was kept elsewhere, while the rows of the log are read from its start. */
  async check(organizationId: string, kept?: string): Promise<CheckedCheckpoints> {
    const keys = (await this.keys.all()).map(({ publicKey }) => publicKey);
    const head = kept === undefined ? undefined : openNote(kept, keys);
    const isOurs = head === undefined || head.origin === this.originOf(organizationId);
    if (kept !== undefined && (!head || !isOurs))
      throw new Error('It is no checkpoint of this log, or no key of this service has signed it.');
    const witnesses = await this.witnesses.ofOrganization(organizationId);
    return new CheckedCheckpoints(this.checkpoints, { organizationId, keys, witnesses, kept: head && { size: head.size, note: kept! } });
  }

  private async sign(organizationId: string): Promise<void> {
    const { tree, size } = await this.readTree(organizationId);
    if (size === 0 || (await this.checkpoints.newest(organizationId))?.size === size) return;
    const note = signedNote({ origin: this.originOf(organizationId), size, root: await tree.root(size) }, await this.keys.pair());
    await this.checkpoints.add({ organizationId, size, note, createdAt: this.clock.timestamp() });
  }

  /** Stores the tiles that have become whole. */
  private async readTree(organizationId: string): Promise<{ tree: MerkleTree; size: number }> {
    let last = await this.checkpoints.lastTile(organizationId);
    let tiles = last ? last.tile + 1 : 0;
    for (;;) {
      const leaves = await this.checkpoints.leaves(organizationId, last, TILES_AT_ONCE * TILE);
      let from = 0;
      for (; leaves.length - from >= TILE; from += TILE, tiles += 1) {
        const hashes = leaves.slice(from, from + TILE).map(({ hash }) => leafHash(hash));
        const { createdAt, id } = leaves[from + TILE - 1]!;
        last = { tile: tiles, createdAt, id };
        await this.addTile(organizationId, { hashes, last });
      }
      if (leaves.length === TILES_AT_ONCE * TILE) continue;
      const tail = leaves.slice(from).map(({ hash }) => leafHash(hash));
      const readTile: ReadTile = async (level, tile) => {
        if (level > 0) return this.checkpoints.roots(organizationId, level - 1, tile);
        return tile < tiles ? (await this.checkpoints.tileLeaves(organizationId, tile))! : tail;
      };
      return { tree: new MerkleTree(readTile), size: tiles * TILE + tail.length };
    }
  }

  /** With the tile above, if it has become whole, and so on. */
  private async addTile(organizationId: string, { hashes, last }: { hashes: readonly Buffer[]; last: LastRow }): Promise<void> {
    const about = { organizationId, createdAt: this.clock.timestamp() };
    const leaves = { hashes: Buffer.concat(hashes), lastCreatedAt: last.createdAt, lastId: last.id };
    const rows: AuditTile[] = [{ ...about, ...leaves, level: 0, tile: last.tile, root: rootOver(hashes) }];
    for (let { tile } = last; (tile + 1) % TILE === 0; tile = Math.floor(tile / TILE)) {
      const { level, root } = rows.at(-1)!;
      const before = (await this.checkpoints.roots(organizationId, level, Math.floor(tile / TILE))).slice(0, TILE - 1);
      const above = { hashes: null, lastCreatedAt: null, lastId: null, level: level + 1, tile: Math.floor(tile / TILE) };
      rows.push({ ...about, ...above, root: rootOver([...before, root]) });
    }
    // That of the leaves last: a process that ends before it is followed by one that begins at the same place.
    for (const row of rows.toReversed()) await this.checkpoints.addTile(row);
  }
}

export type OpenCheckpoint = { readonly checkpoint: AuditCheckpoint; readonly tree: MerkleTree };
type LastRow = AuditPosition & { readonly tile: number };

interface Checked {
  readonly organizationId: string;
  readonly keys: readonly Buffer[];
  readonly witnesses: readonly AuditWitness[];
  readonly kept: Pick<AuditCheckpoint, 'size' | 'note'> | undefined;
}

/** Who else has signed that the first rows of a log are these, and when. */
export interface Witnessed {
  readonly witness: string;
  readonly rows: number;
  readonly at: string;
}

/** Every checkpoint must have been signed by one of the keys, and have the root over the rows that it counts. */
class CheckedCheckpoints {
  proven = 0;
  readonly witnessed: Witnessed[] = [];
  private readonly growing = new GrowingRoot();
  private last = 0;

  constructor(
    private readonly stored: CheckpointsRepository,
    private readonly about: Checked,
  ) {}

  /** The first fault, when these rows follow those that were given before. */
  async faultIn(rows: readonly ChainedRow[]): Promise<ChainFault | null> {
    const { organizationId, keys, kept } = this.about;
    const signed = await this.stored.between(organizationId, this.last + 1, this.last + rows.length);
    for (const { id, hash } of rows) {
      this.growing.add(leafHash(hash));
      this.last += 1;
      for (const { note } of [...signed, ...(kept ? [kept] : [])].filter(({ size }) => size === this.last)) {
        const head = openNote(note, keys);
        if (!head || head.size !== this.last || !head.root.equals(this.growing.root())) return contradicted(this.last, id);
        this.proven += 1;
        this.noteWitnesses(note);
      }
    }
    return null;
  }

  /** Of the newest checkpoint that each has signed, if it is this one. */
  private noteWitnesses(note: string): void {
    for (const { verifierKey: key, size, line } of this.about.witnesses) {
      const signed = size === this.last && line !== null ? cosignatureIn(line, note, witnessOf(key)!) : undefined;
      const isKnown = this.witnessed.some(({ witness, rows }) => witness === signed?.witness && rows === size);
      if (signed && !isKnown) this.witnessed.push({ witness: signed.witness, rows: size, at: signed.at.toISOString() });
    }
  }

  /** The kept one, if the log has ended before the end that it has seen. */
  get beyond(): ChainHead[] {
    return this.about.kept ? [{ sequence: this.about.kept.size, hash: '' }] : [];
  }
}

const contradicted = (sequence: number, id: string): ChainFault => ({
  sequence,
  id,
  kind: 'altered',
  message: `The first ${sequence} rows are not those of the checkpoint that was signed of them, or it has no signature of ours.`,
});
