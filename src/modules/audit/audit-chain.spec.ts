import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chainOf, chains, json, readBack, text, type Row } from '../../../test/support/audit-chains.js';
import { CHAIN_START, hashOfRow, verifyChain, type ChainHead } from './audit-chain.js';

const foundAt = (sequence: number) => ({ fault: { sequence }, rows: sequence - 1 });
const headOf = (rows: readonly Row[]): ChainHead => (rows.length === 0 ? CHAIN_START : { sequence: rows.length, hash: rows.at(-1)!.hash });

/** A chain and the index of a row in it. */
const chainsWithIndex = (minLength: number) =>
  chains(minLength).chain((rows) => fc.record({ rows: fc.constant(rows), at: fc.nat({ max: rows.length - 1 }) }));

describe('an unchanged chain', () => {
  it('is valid as a whole, and its head is its last row', () => {
    fc.assert(
      fc.property(chains(0), (rows) => {
        expect(verifyChain(rows)).toEqual({ rows: rows.length, head: headOf(rows), fault: null });
      }),
    );
  });

  it('is valid page by page, however it is split', () => {
    fc.assert(
      fc.property(chains(0), fc.array(fc.nat({ max: 8 })), (rows, cuts) => {
        const edges = [0, ...cuts.filter((cut) => cut < rows.length).sort((a, b) => a - b), rows.length];
        let head = CHAIN_START;
        for (let page = 1; page < edges.length; page += 1) {
          const verdict = verifyChain(rows.slice(edges[page - 1], edges[page]), head);
          expect(verdict).toMatchObject({ rows: edges[page]! - edges[page - 1]!, fault: null });
          head = verdict.head;
        }
        expect(head).toEqual(headOf(rows));
      }),
    );
  });

  it('is valid whatever the order of members in a row', () => {
    fc.assert(
      fc.property(chains(1), (rows) => {
        const turned = rows.map((row) => Object.fromEntries(Object.entries(row).reverse()) as Row);
        expect(verifyChain(readBack(turned))).toMatchObject({ rows: rows.length, fault: null });
      }),
    );
  });

  it('contains every head that it ever had', () => {
    fc.assert(
      fc.property(chains(1), (rows) => {
        const heads = rows.map((_row, index) => headOf(rows.slice(0, index + 1)));
        expect(verifyChain(rows, CHAIN_START, [CHAIN_START, ...heads]).fault).toBeNull();
      }),
    );
  });
});

describe('a change is found', () => {
  it('of any member, at its row', () => {
    fc.assert(
      fc.property(chainsWithIndex(1), fc.nat(), json.value, ({ rows, at }, which, value) => {
        const names = Object.keys(rows[at]!);
        const name = names[which % names.length]!;
        const to = name === 'sequence' ? rows[at]!.sequence + (which % 5) + 1 : readBack(value);
        fc.pre(JSON.stringify(to) !== JSON.stringify(rows[at]![name]));
        const altered = rows.with(at, { ...rows[at]!, [name]: to });
        expect(verifyChain(altered)).toMatchObject(foundAt(at + 1));
        expect(verifyChain(altered).head).toEqual(headOf(rows.slice(0, at)));
      }),
    );
  });

  it('when a member is removed or added, at its row', () => {
    fc.assert(
      fc.property(chainsWithIndex(1), text, json.value, ({ rows, at }, name, value) => {
        fc.pre(!Object.hasOwn(rows[at]!, name));
        // A computed name: a literal `__proto__` would set the prototype.
        const added = { ...rows[at]!, [name]: readBack(value) };
        const { environment: _environment, ...less } = rows[at]!;
        for (const row of [added, less as Row])
          expect(verifyChain(rows.with(at, row))).toMatchObject({ ...foundAt(at + 1), fault: { kind: 'altered' } });
      }),
    );
  });

  it('deep inside a row', () => {
    fc.assert(
      fc.property(chainsWithIndex(1), text, json.value, ({ rows, at }, name, value) => {
        const before = rows[at]!.changes as Record<string, unknown>;
        const changes = { ...before, [name]: [readBack(value), 'other'] };
        fc.pre(JSON.stringify(changes) !== JSON.stringify(before));
        expect(verifyChain(rows.with(at, { ...rows[at]!, changes }))).toMatchObject(foundAt(at + 1));
      }),
    );
  });

  it('at the next row when the hash was recomputed, or at a known head when there is no next row', () => {
    fc.assert(
      fc.property(chainsWithIndex(1), ({ rows, at }) => {
        const content = { ...rows[at]!, action: `${rows[at]!.action as string}!` };
        const altered = rows.with(at, { ...content, hash: hashOfRow(content) });
        const isLast = at === rows.length - 1;
        if (isLast) expect(verifyChain(altered).fault).toBeNull();
        else expect(verifyChain(altered)).toMatchObject({ ...foundAt(at + 2), fault: { kind: 'altered' } });
        expect(verifyChain(altered, CHAIN_START, [headOf(rows.slice(0, at + 1))])).toMatchObject({
          ...foundAt(at + 1),
          fault: { kind: 'altered', id: rows[at]!.id },
        });
      }),
    );
  });

  it('at the first known head when all later rows were recomputed', () => {
    fc.assert(
      fc.property(chainsWithIndex(1), fc.nat({ max: 8 }), ({ rows, at }, later) => {
        const known = Math.min(at + later, rows.length - 1);
        const rewritten = chainOf(rows.map((row, index) => (index === at ? { ...row, action: `${row.action as string}!` } : row)));
        expect(verifyChain(rewritten).fault).toBeNull();
        const heads = [headOf(rows), headOf(rows.slice(0, known + 1))];
        expect(verifyChain(rewritten, CHAIN_START, heads)).toMatchObject({ ...foundAt(known + 1), fault: { kind: 'altered' } });
      }),
    );
  });
});

describe('a row', () => {
  it('that is removed is found as a gap', () => {
    fc.assert(
      fc.property(chainsWithIndex(2), ({ rows, at }) => {
        const left = rows.toSpliced(at, 1);
        if (at === rows.length - 1) expect(verifyChain(left)).toMatchObject({ rows: at, fault: null });
        else expect(verifyChain(left)).toMatchObject({ ...foundAt(at + 1), fault: { kind: 'missing', id: rows[at + 1]!.id } });
      }),
    );
  });

  it('that is swapped with another is found at the first of the two', () => {
    fc.assert(
      fc.property(chainsWithIndex(2), fc.nat(), ({ rows, at }, other) => {
        const to = other % rows.length;
        fc.pre(to !== at);
        const swapped = rows.with(at, rows[to]!).with(to, rows[at]!);
        expect(verifyChain(swapped)).toMatchObject({
          ...foundAt(Math.min(at, to) + 1),
          fault: { kind: 'missing', id: rows[Math.max(at, to)]!.id },
        });
      }),
    );
  });

  it('that is swapped with another including their sequences is found at the first of the two', () => {
    fc.assert(
      fc.property(chainsWithIndex(2), fc.nat(), ({ rows, at }, other) => {
        const to = other % rows.length;
        fc.pre(to !== at);
        const moved = (from: number, sequence: number): Row => ({ ...rows[from]!, sequence });
        const swapped = rows.with(at, moved(to, at + 1)).with(to, moved(at, to + 1));
        expect(verifyChain(swapped)).toMatchObject({ ...foundAt(Math.min(at, to) + 1), fault: { kind: 'altered' } });
      }),
    );
  });

  it('that is duplicated is found at the second copy', () => {
    fc.assert(
      fc.property(chainsWithIndex(1), fc.uuid(), ({ rows, at }, id) => {
        const doubled = rows.toSpliced(at + 1, 0, { ...rows[at]!, id });
        expect(verifyChain(doubled)).toMatchObject({ rows: at + 1, fault: { sequence: at + 1, kind: 'out_of_order', id } });
      }),
    );
  });

  it('of another chain is found, even at the same sequence', () => {
    fc.assert(
      fc.property(chainsWithIndex(2), chains(8), ({ rows, at }, others) => {
        const foreign = others[at]!;
        fc.pre(at > 0 && foreign.previousHash !== rows[at]!.previousHash);
        expect(verifyChain(rows.with(at, foreign))).toMatchObject({ ...foundAt(at + 1), fault: { kind: 'altered', id: foreign.id } });
      }),
    );
  });
});
