import { createHash } from 'node:crypto';

// The tree of RFC 6962 (section 2.1) over the hashes of the rows of a log: the row with the sequence n is its leaf n - 1.

/** Neighbouring hashes that are read together. */
export const TILE = 256;
const TILE_HEIGHT = 8;

const sha256 = (...parts: readonly Uint8Array[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

export const leafHash = (rowHash: string): Buffer => sha256(Buffer.of(0), Buffer.from(rowHash, 'hex'));
const nodeHash = (left: Buffer, right: Buffer): Buffer => sha256(Buffer.of(1), left, right);

/** The root over neighbouring hashes, of which there are a power of two. */
export function rootOver(hashes: readonly Buffer[]): Buffer {
  let level = hashes;
  while (level.length > 1) level = Array.from({ length: level.length / 2 }, (_none, at) => nodeHash(level[2 * at]!, level[2 * at + 1]!));
  return level[0]!;
}

/** The 256 hashes of a tile, or those that there are: leaves at level 0, and roots over the tiles of the level below at the others. */
export type ReadTile = (level: number, tile: number) => Promise<readonly Buffer[]>;

export class MerkleTree {
  private readonly tiles = new Map<string, Promise<readonly Buffer[]>>();

  constructor(private readonly readTile: ReadTile) {}

  root(size: number): Promise<Buffer> {
    return this.rangeRoot(0, size);
  }

  /** The hashes that lead from a leaf to the root over the first `size` leaves. */
  async inclusionPath(leaf: number, size: number, from = 0): Promise<Buffer[]> {
    if (size === 1) return [];
    const half = largestBelow(size);
    return joined(
      leaf < half
        ? [this.inclusionPath(leaf, half, from), this.rangeRoot(from + half, size - half)]
        : [this.inclusionPath(leaf - half, size - half, from + half), this.rangeRoot(from, half)],
    );
  }

  /** The hashes that show that the first `size` leaves begin with the first `old`. */
  async consistencyPath(old: number, size: number, from = 0, isKnown = true): Promise<Buffer[]> {
    if (old === size) return isKnown ? [] : [await this.rangeRoot(from, size)];
    const half = largestBelow(size);
    return joined(
      old <= half
        ? [this.consistencyPath(old, half, from, isKnown), this.rangeRoot(from + half, size - half)]
        : [this.consistencyPath(old - half, size - half, from + half, false), this.rangeRoot(from, half)],
    );
  }

  private async rangeRoot(from: number, count: number): Promise<Buffer> {
    const half = largestBelow(count);
    if (half * 2 === count || count === 1) return this.subtreeRoot(from, count);
    return nodeHash(...(await Promise.all([this.subtreeRoot(from, half), this.rangeRoot(from + half, count - half)])));
  }

  /** Of leaves that are a power of two, and begin at a multiple of that. */
  private async subtreeRoot(from: number, count: number): Promise<Buffer> {
    const level = Math.floor(Math.log2(count) / TILE_HEIGHT);
    const [first, width] = [from / TILE ** level, count / TILE ** level];
    const tile = Math.floor(first / TILE);
    const key = `${level} ${tile}`;
    if (!this.tiles.has(key)) this.tiles.set(key, this.readTile(level, tile));
    const hashes = await this.tiles.get(key)!;
    return rootOver(hashes.slice(first % TILE, (first % TILE) + width));
  }
}

/** All tiles of a path are asked for at once. */
async function joined([path, last]: [Promise<Buffer[]>, Promise<Buffer>]): Promise<Buffer[]> {
  const [before, beside] = await Promise.all([path, last]);
  return [...before, beside];
}

/** The largest power of two below a number; of 1 it is 1. */
function largestBelow(count: number): number {
  let power = 1;
  while (power * 2 < count) power *= 2;
  return power;
}

/** The root over leaves that are given one after the other. Keeps a hash for each bit of their number. */
export class GrowingRoot {
  private readonly whole: { readonly hash: Buffer; readonly leaves: number }[] = [];

  add(leaf: Buffer): void {
    let [hash, leaves] = [leaf, 1];
    for (; this.whole.at(-1)?.leaves === leaves; leaves *= 2) hash = nodeHash(this.whole.pop()!.hash, hash);
    this.whole.push({ hash, leaves });
  }

  root(): Buffer {
    return this.whole.map(({ hash }) => hash).reduceRight((right, left) => nodeHash(left, right));
  }
}
