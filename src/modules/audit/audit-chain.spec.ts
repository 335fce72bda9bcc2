import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CHAIN_START, hashOfRow, verifyChain, type ChainedRow, type ChainHead } from './audit-chain.js';

/** A row with whatever an export may hold besides the members of the chain. */
type Row = ChainedRow & Record<string, unknown>;

/** Whatever JSON can say, as it is read back: names that mean something elsewhere included. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('__proto__', 'constructor', 'toString', 'hash', 'ﬁ', 'é', 'e\u0301', '\u2028', '💶'),
);
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constant(null),
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.maxSafeInteger(),
    text,
    tie('list'),
    tie('record'),
  ),
  list: fc.array(tie('value'), { maxLength: 4 }),
  record: fc.dictionary(text, tie('value'), { maxKeys: 4 }),
}));
const readBack = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
const contents = fc
  .record({
    id: fc.uuid(),
    environment: fc.constantFrom(null, 'test', 'live'),
    actor: fc.record({ type: fc.constantFrom('api', 'user', 'system'), name: text }),
    action: text,
    changes: json.record,
  })
  .map(readBack);
const chains = (minLength: number) => fc.array(contents, { minLength, maxLength: 8 }).map(chainOf);

function chainOf(rows: readonly { readonly id: string }[]): Row[] {
  let { hash } = CHAIN_START;
  return rows.map((content, index) => {
    const row = { ...content, sequence: index + 1, previousHash: hash };
    hash = hashOfRow(row);
    return { ...row, hash };
  });
}

const placeOf = (sequence: number) => ({ fault: { sequence }, rows: sequence - 1 });
const headOf = (rows: readonly Row[]): ChainHead => (rows.length === 0 ? CHAIN_START : { sequence: rows.length, hash: rows.at(-1)!.hash });

/** A chain and a place in it. */
const places = (minLength: number) =>
  chains(minLength).chain((rows) => fc.record({ rows: fc.constant(rows), at: fc.nat({ max: rows.length - 1 }) }));

describe('a chain that was left alone', () => {
  it('is in order as a whole, and its head is that of its last row', () => {
    fc.assert(
      fc.property(chains(0), (rows) => {
        expect(verifyChain(rows)).toEqual({ rows: rows.length, head: headOf(rows), fault: null });
      }),
    );
  });

  it('is in order page by page, however it is split', () => {
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

  it('is in order wherever its members stand, since their order says nothing', () => {
    fc.assert(
      fc.property(chains(1), (rows) => {
        const turned = rows.map((row) => Object.fromEntries(Object.entries(row).reverse()) as Row);
        expect(verifyChain(readBack(turned))).toMatchObject({ rows: rows.length, fault: null });
      }),
    );
  });

  it('leads through every head that it ever had', () => {
    fc.assert(
      fc.property(chains(1), (rows) => {
        const heads = rows.map((_row, index) => headOf(rows.slice(0, index + 1)));
        expect(verifyChain(rows, CHAIN_START, [CHAIN_START, ...heads]).fault).toBeNull();
      }),
    );
  });
});

describe('a change is found', () => {
  it('of any member, at the row that it is of', () => {
    fc.assert(
      fc.property(places(1), fc.nat(), json.value, ({ rows, at }, which, value) => {
        const names = Object.keys(rows[at]!);
        const name = names[which % names.length]!;
        const to = name === 'sequence' ? rows[at]!.sequence + (which % 5) + 1 : readBack(value);
        fc.pre(JSON.stringify(to) !== JSON.stringify(rows[at]![name]));
        const altered = rows.with(at, { ...rows[at]!, [name]: to });
        expect(verifyChain(altered)).toMatchObject(placeOf(at + 1));
        expect(verifyChain(altered).head).toEqual(headOf(rows.slice(0, at)));
      }),
    );
  });

  it('of a member that is taken away or added', () => {
    fc.assert(
      fc.property(places(1), text, json.value, ({ rows, at }, name, value) => {
        fc.pre(!Object.hasOwn(rows[at]!, name));
        // Computed: written out, the name `__proto__` would be the prototype and no member.
        const added = { ...rows[at]!, [name]: readBack(value) };
        const { environment: _environment, ...less } = rows[at]!;
        for (const row of [added, less as Row])
          expect(verifyChain(rows.with(at, row))).toMatchObject({ ...placeOf(at + 1), fault: { kind: 'altered' } });
      }),
    );
  });

  it('deep within a row', () => {
    fc.assert(
      fc.property(places(1), text, json.value, ({ rows, at }, name, value) => {
        const before = rows[at]!.changes as Record<string, unknown>;
        const changes = { ...before, [name]: [readBack(value), 'other'] };
        fc.pre(JSON.stringify(changes) !== JSON.stringify(before));
        expect(verifyChain(rows.with(at, { ...rows[at]!, changes }))).toMatchObject(placeOf(at + 1));
      }),
    );
  });

  it('at the row after it when the hash was made to fit, and at a head that is known when there is none', () => {
    fc.assert(
      fc.property(places(1), ({ rows, at }) => {
        const content = { ...rows[at]!, action: `${rows[at]!.action as string}!` };
        const altered = rows.with(at, { ...content, hash: hashOfRow(content) });
        const isLast = at === rows.length - 1;
        if (isLast) expect(verifyChain(altered).fault).toBeNull();
        else expect(verifyChain(altered)).toMatchObject({ ...placeOf(at + 2), fault: { kind: 'altered' } });
        expect(verifyChain(altered, CHAIN_START, [headOf(rows.slice(0, at + 1))])).toMatchObject({
          ...placeOf(at + 1),
          fault: { kind: 'altered', id: rows[at]!.id },
        });
      }),
    );
  });

  it('at the first head that is known when all that follows was made to fit', () => {
    fc.assert(
      fc.property(places(1), fc.nat({ max: 8 }), ({ rows, at }, later) => {
        const known = Math.min(at + later, rows.length - 1);
        const rewritten = chainOf(rows.map((row, index) => (index === at ? { ...row, action: `${row.action as string}!` } : row)));
        expect(verifyChain(rewritten).fault).toBeNull();
        const heads = [headOf(rows), headOf(rows.slice(0, known + 1))];
        expect(verifyChain(rewritten, CHAIN_START, heads)).toMatchObject({ ...placeOf(known + 1), fault: { kind: 'altered' } });
      }),
    );
  });
});

describe('a row', () => {
  it('that is taken out leaves a gap, which is found there', () => {
    fc.assert(
      fc.property(places(2), ({ rows, at }) => {
        const left = rows.toSpliced(at, 1);
        if (at === rows.length - 1) expect(verifyChain(left)).toMatchObject({ rows: at, fault: null });
        else expect(verifyChain(left)).toMatchObject({ ...placeOf(at + 1), fault: { kind: 'missing', id: rows[at + 1]!.id } });
      }),
    );
  });

  it('that changes its place with any other is found at the first of the two', () => {
    fc.assert(
      fc.property(places(2), fc.nat(), ({ rows, at }, other) => {
        const to = other % rows.length;
        fc.pre(to !== at);
        const swapped = rows.with(at, rows[to]!).with(to, rows[at]!);
        expect(verifyChain(swapped)).toMatchObject({
          ...placeOf(Math.min(at, to) + 1),
          fault: { kind: 'missing', id: rows[Math.max(at, to)]!.id },
        });
      }),
    );
  });

  it('that changes its place with any other and takes the sequence of that place is found there', () => {
    fc.assert(
      fc.property(places(2), fc.nat(), ({ rows, at }, other) => {
        const to = other % rows.length;
        fc.pre(to !== at);
        const placed = (from: number, sequence: number): Row => ({ ...rows[from]!, sequence });
        const swapped = rows.with(at, placed(to, at + 1)).with(to, placed(at, to + 1));
        expect(verifyChain(swapped)).toMatchObject({ ...placeOf(Math.min(at, to) + 1), fault: { kind: 'altered' } });
      }),
    );
  });

  it('that stands there twice is found at the second', () => {
    fc.assert(
      fc.property(places(1), fc.uuid(), ({ rows, at }, id) => {
        const doubled = rows.toSpliced(at + 1, 0, { ...rows[at]!, id });
        expect(verifyChain(doubled)).toMatchObject({ rows: at + 1, fault: { sequence: at + 1, kind: 'out_of_order', id } });
      }),
    );
  });

  it('of another chain does not fit, also at the same place', () => {
    fc.assert(
      fc.property(places(2), chains(8), ({ rows, at }, others) => {
        const foreign = others[at]!;
        fc.pre(at > 0 && foreign.previousHash !== rows[at]!.previousHash);
        expect(verifyChain(rows.with(at, foreign))).toMatchObject({ ...placeOf(at + 1), fault: { kind: 'altered', id: foreign.id } });
      }),
    );
  });
});
