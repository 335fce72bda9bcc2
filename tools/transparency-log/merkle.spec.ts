import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { isConsistent, isIncluded, leafOf, rootByDefinition } from './fixtures/verify-by-the-book.js';
import { GrowingRoot, leafHash, MerkleTree, rootOver, TILE } from './merkle.js';

const hashOf = (name: string): Buffer => createHash('sha256').update(name).digest();

/** A tree over leaves in memory, with tiles as they are stored. */
function treeOver(leaves: readonly Buffer[]): MerkleTree {
  const levels = [leaves];
  while (levels.at(-1)!.length >= TILE) {
    const below = levels.at(-1)!;
    const whole = Math.floor(below.length / TILE);
    levels.push(Array.from({ length: whole }, (_none, at) => rootOver(below.slice(at * TILE, (at + 1) * TILE))));
  }
  return new MerkleTree((height, tile) => Promise.resolve(levels[height]!.slice(tile * TILE, (tile + 1) * TILE)));
}

const LEAVES = Array.from({ length: 66_000 }, (_none, at) => hashOf(`leaf ${at}`));

// The published test vectors of Certificate Transparency, of which these are the data and the roots.
const DATA = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
const ROOTS = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

it('the roots are those of the published test vectors', async () => {
  const leaves = DATA.map(leafHash);
  for (const [at, root] of ROOTS.entries()) {
    expect((await treeOver(leaves).root(at + 1)).toString('hex')).toBe(root);
    expect(rootByDefinition(leaves.slice(0, at + 1)).toString('hex')).toBe(root);
  }
});

it('a row is the leaf of its hash', () => {
  expect(leafHash('ff00')).toEqual(leafOf(Buffer.of(255, 0)));
});

it('the root of any size is that of the definition, also across tiles, and that of leaves given one by one', async () => {
  const tree = treeOver(LEAVES);
  for (const size of [1, 2, 3, 255, 256, 257, 511, 512, 513, 1000, 65_537]) {
    const growing = new GrowingRoot();
    for (const leaf of LEAVES.slice(0, size)) growing.add(leaf);
    const expected = rootByDefinition(LEAVES.slice(0, size)).toString('hex');
    expect((await tree.root(size)).toString('hex'), `size ${size}`).toBe(expected);
    expect(growing.root().toString('hex'), `size ${size}`).toBe(expected);
  }
});

/** Sizes and places, the same in each run. */
function* drawn(count: number): Generator<{ small: number; size: number }> {
  let state = 20_261_128;
  const next = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  for (let at = 0; at < count; at += 1) {
    const size = 1 + next(at % 2 === 0 ? 600 : LEAVES.length);
    yield { small: 1 + next(size), size };
  }
}

it('each row is proven to a verifier of its own, and no other row by the same proof', async () => {
  const tree = treeOver(LEAVES);
  for (const { small, size } of drawn(120)) {
    const [index, root] = [small - 1, await tree.root(size)];
    const path = await tree.inclusionPath(index, size);
    expect(isIncluded(LEAVES[index]!, index, size, path, root), `${index} of ${size}`).toBe(true);
    expect(isIncluded(hashOf('another'), index, size, path, root)).toBe(false);
    if (size > 1) expect(isIncluded(LEAVES[index]!, (index + 1) % size, size, path, root)).toBe(false);
  }
});

it('a longer log is proven to begin with the shorter one, and a rewritten one is not', async () => {
  const tree = treeOver(LEAVES);
  const rewritten = treeOver(LEAVES.with(0, hashOf('rewritten')));
  for (const { small, size } of drawn(60)) {
    const [old, now] = [[small, await tree.root(small)] as const, [size, await tree.root(size)] as const];
    expect(isConsistent(old, now, await tree.consistencyPath(small, size)), `${small} of ${size}`).toBe(true);
    const other = [size, await rewritten.root(size)] as const;
    expect(isConsistent(old, other, await rewritten.consistencyPath(small, size)), `${small} of ${size}`).toBe(false);
  }
});
