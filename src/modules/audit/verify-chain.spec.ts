import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as published from '../../../public/verify-chain.js';
import { chainOf, chains, json, readBack, type Row } from '../../../test/support/audit-chains.js';
import { CHAIN_START, commitmentOf, faultAtEnd, hashOfRow, verifyChain, type ChainHead } from './audit-chain.js';

/** What both find: the function that `claims audit verify` uses, and the file that browsers and clients load. */
async function bothFind(rows: readonly Row[], after?: ChainHead, known?: readonly ChainHead[]) {
  const found = verifyChain(rows, after, known);
  expect(await published.verifyChain(streamOf(rows), after, known)).toEqual(found);
  expect(await published.verifyChain(rows, after, known)).toEqual(found);
  return found;
}

async function* streamOf(rows: readonly Row[]): AsyncGenerator<Row> {
  for (const row of rows) yield Promise.resolve(row);
}

const holds = <T>(values: fc.Arbitrary<T>, check: (value: T) => Promise<void>): Promise<void> => fc.assert(fc.asyncProperty(values, check));
const headOf = ({ sequence, hash }: Row): ChainHead => ({ sequence, hash });

/** A chain and two places in it. */
const chainsWithPlaces = chains(2).chain((rows) =>
  fc.record({ rows: fc.constant(rows), at: fc.nat({ max: rows.length - 1 }), other: fc.nat({ max: rows.length - 1 }) }),
);

describe('the verification that is published finds what ours finds', () => {
  it('in an unchanged chain, as a whole and from the middle', () =>
    holds(chainsWithPlaces, async ({ rows, at }) => {
      expect((await bothFind(rows)).fault).toBeNull();
      expect((await bothFind(rows.slice(at + 1), headOf(rows[at]!), rows.map(headOf))).fault).toBeNull();
      expect(published.CHAIN_START).toEqual(CHAIN_START);
    }));

  it('in a chain with a changed member, whatever it becomes', () =>
    holds(fc.tuple(chainsWithPlaces, fc.nat(), json.value), async ([{ rows, at }, which, value]) => {
      const names = Object.keys(rows[at]!);
      const changed = { ...rows[at]!, [names[which % names.length]!]: readBack(value) };
      fc.pre(JSON.stringify(changed) !== JSON.stringify(rows[at]));
      expect((await bothFind(rows.with(at, changed))).rows).toBe(at);
    }));

  it('in a chain whose changed row has a new hash, also at a known head', () =>
    holds(chainsWithPlaces, async ({ rows, at }) => {
      const content = { ...rows[at]!, action: 'changed' };
      const changed = rows.with(at, { ...content, hash: hashOfRow(content) });
      fc.pre(rows[at]!.action !== 'changed');
      if (at < rows.length - 1) expect((await bothFind(changed)).rows).toBe(at + 1);
      expect((await bothFind(changed, CHAIN_START, rows.map(headOf))).rows).toBe(at);
      const rewritten = chainOf(rows.map((row, index) => (index === at ? { ...row, action: 'changed' } : row)));
      expect((await bothFind(rewritten, CHAIN_START, [headOf(rows.at(-1)!)])).fault?.kind).toBe('altered');
    }));

  it('in a chain without one of its rows, also without the last', () =>
    holds(chainsWithPlaces, async ({ rows, at }) => {
      const left = rows.toSpliced(at, 1);
      const { head, fault } = await bothFind(left);
      const known = [headOf(rows.at(-1)!)];
      expect(published.faultAtEnd(known, head)).toEqual(faultAtEnd(known, head));
      expect(fault ?? faultAtEnd(known, head)).toMatchObject({ kind: 'missing', sequence: at + 1 });
    }));

  it('in a chain of which two rows changed places, and with a row twice', () =>
    holds(chainsWithPlaces, async ({ rows, at, other }) => {
      expect((await bothFind(rows.toSpliced(at, 0, rows[at]!))).fault?.kind).toBe('out_of_order');
      fc.pre(at !== other);
      expect((await bothFind(rows.with(at, rows[other]!).with(other, rows[at]!))).rows).toBe(Math.min(at, other));
    }));

  it('in a row whose members are in another order, which is the same row', () =>
    holds(chains(1), async (rows) => {
      const turned = rows.map((row) => readBack(Object.fromEntries(Object.entries(row).reverse())) as Row);
      expect((await bothFind(turned)).fault).toBeNull();
    }));

  it('in a chain with commitments, before and after values are forgotten, and of whatever else becomes of a value or a salt', () =>
    holds(fc.tuple(chains(1), fc.string(), fc.ipV4(), fc.string()), async ([rows, name, ipAddress, other]) => {
      const salts = { 'actor.name': 'ab'.repeat(16), ipAddress: '0c'.repeat(16) };
      const commitments = { 'actor.name': commitmentOf(salts['actor.name'], name), ipAddress: commitmentOf(salts.ipAddress, ipAddress) };
      const committed = rows.map((row) => ({ ...row, actor: { type: 'user', name }, ipAddress, commitments, salts }));
      const chain = chainOf(committed);
      const become = (change: object) => chain.with(0, { ...chain[0]!, ...change });
      const nameless = { type: 'user', name: '(forgotten)' };
      const valid = [chain, become({ ipAddress: null, salts: { 'actor.name': salts['actor.name'] } })];
      valid.push(become({ actor: nameless, ipAddress: null, salts: {} }), become({ actor: nameless, ipAddress: null, salts: undefined }));
      for (const one of valid) expect((await bothFind(one)).fault).toBeNull();
      fc.pre(other !== name && other !== '(forgotten)' && name !== '(forgotten)');
      const changed = [{ actor: { type: 'user', name: other } }, { actor: { type: 'user', name: other }, salts: {} }, { actor: null }];
      const wrong = [{ salts: {} }, { salts: { ...salts, ipAddress: salts['actor.name'] } }, { salts: null }, { commitments: null }];
      const more = [{ commitments: {} }, { commitments: undefined }, { commitments: { ...commitments, action: commitments.ipAddress } }];
      for (const change of [...changed, ...wrong, ...more]) expect((await bothFind(become(change))).rows, JSON.stringify(change)).toBe(0);
    }));
});
