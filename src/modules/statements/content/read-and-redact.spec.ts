import { Readable } from 'node:stream';
import { deserialize } from 'node:v8';
import { expect, it } from 'vitest';
import type { StatementLine } from '../../../../tools/bank-files/index.js';
import { keyOf, lineWith } from '../../../../tools/personal-data/fixtures/lines.js';
import type { RedactedLine } from '../../../../tools/personal-data/index.js';
import { SecondRedactor } from '../redaction/second-redactor.js';
import readAndRedact, { type FileToRead, type ReadFile } from './read-and-redact.computation.js';

const LINES = 6000;
const FILE: FileToRead = {
  fileName: 'large.csv',
  options: { today: '2026-11-30' },
  account: { account: '…1234', key: null },
  key: keyOf('r'),
  isRedacted: false,
  redactCounterparties: true,
  decisions: new Map(),
  keepNames: true,
};
const NAMES = ['Erika Mustermann', 'Max Muster', 'Jane Doe', 'Stadtwerke Beispielstadt', 'Nina Zaunberg', 'ACME GmbH'];

function* csv(): Generator<Uint8Array> {
  yield Buffer.from('Date,Counterparty,Description,Amount,Currency\n');
  for (let row = 0; row < LINES; row += 1) {
    const day = String((row % 28) + 1).padStart(2, '0');
    yield Buffer.from(`2026-03-${day},${NAMES[row % NAMES.length]},Invoice ${row} DE89 3704 0044 0532 0130 00,${row}.50,EUR\n`);
  }
}

async function read(secondMib?: number, bytes: Iterable<Uint8Array> = csv()): Promise<{ lines: RedactedLine[]; file: ReadFile }> {
  const outputs = readAndRedact(FILE, Readable.from(bytes), secondMib);
  const lines: RedactedLine[] = [];
  for (;;) {
    const { done, value } = await outputs.next();
    if (done) return { lines, file: { ...value, names: value.names.toSorted((one, other) => one.token.localeCompare(other.token)) } };
    lines.push(...(deserialize(value.lines) as RedactedLine[]));
  }
}

it('two threads redact a file as one does: the same lines in the order of the file, the same counts and names', async () => {
  const [one, two] = [await read(), await read(256)];
  expect(one.lines).toHaveLength(LINES);
  expect(one.file.redaction.counts).toMatchObject({ person: (LINES / NAMES.length) * 4, iban: LINES });
  expect(one.file.names.map(({ times }) => times)).toEqual(Array(4).fill(LINES / NAMES.length));
  expect(two).toEqual(one);
});

it('what goes wrong in the second thread is told to all who wait for it', async () => {
  const second = new SecondRedactor({ key: keyOf('r'), redactCounterparties: true }, 256);
  const noLine = [null] as unknown as StatementLine[];
  const waiting = [second.redact(noLine), second.redact([lineWith({})])];
  expect(second.isFree).toBe(false);
  const ended = await Promise.allSettled([...waiting, second.finish()]);
  expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect((ended[0] as PromiseRejectedResult).reason).toMatchObject({ name: 'TypeError' });
  await second.end();
});

it('a file that cannot be read ends both', async () => {
  function* broken(): Generator<Uint8Array> {
    yield* csv();
    yield Buffer.from('2026-03-01,Jane Doe,Rent,no amount,EUR\n');
  }
  const [one, two] = await Promise.allSettled([read(undefined, broken()), read(256, broken())]);
  expect([one.status, two.status]).toEqual(['rejected', 'rejected']);
  expect((two as PromiseRejectedResult).reason).toEqual((one as PromiseRejectedResult).reason);
});
