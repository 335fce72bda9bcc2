import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  AuditChainError,
  type AuditEvent,
  AuditProofError,
  Claims,
  openAuditCheckpoint,
  verifyAuditChain,
  verifyAuditConsistency,
  verifyAuditProof,
} from '../../client/src/index.js';
import { startApp, type TestApp } from '../support/app.js';
import { aKey, anOrganization } from '../support/builders.js';
import { LogDatabase } from '../support/audit-log.js';

const PERIOD = { periodStart: '2026-01-01', periodEnd: '2026-12-31' };

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** A live key, which sees the whole log, and some events. */
async function aLog(count = 5) {
  const organization = await anOrganization(app);
  const { key } = await aKey(app, organization.id, { environment: 'live' });
  const claims = new Claims({ apiKey: key, baseUrl: app.url });
  const write = (name: string) =>
    claims.projects.create({ name, ...PERIOD, metadata: { ü: [1.5e300, 'é\u2028', { b: null, a: -0.001 }] } });
  for (let number = 0; number < count; number += 1) await write(`Project ${number}`);
  return { organization, claims, write };
}

async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const breakOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'none',
    (error: unknown) => (error instanceof AuditChainError ? [error.broken, error.sequence] : error),
  );

describe('the export of the audit log', () => {
  it('continues from a stored cursor without losing or repeating an event, even from the middle of a page', async () => {
    const { claims, write } = await aLog();
    const sequences: number[] = [];
    let stored = 'null';
    const readUpTo = async (count: number): Promise<void> => {
      const log = claims.audit.export({ limit: 2, after: JSON.parse(stored) });
      for await (const { sequence } of log) {
        sequences.push(sequence);
        stored = JSON.stringify(log.cursor);
        if (sequences.length >= count) return;
      }
    };
    await readUpTo(3);
    await readUpTo(4);
    await readUpTo(1000);
    const { length } = sequences;
    await readUpTo(1000);
    expect(sequences).toHaveLength(length);
    await write('One more');
    await readUpTo(1000);
    expect(sequences).toEqual(Array.from({ length: length + 1 }, (_none, number) => number + 1));
  });

  it('keeps its filters on every page', async () => {
    const { claims } = await aLog(4);
    const events = await collected(claims.audit.export({ limit: 2, action_prefix: 'claim_project.' }));
    expect(events.map(({ action }) => action)).toEqual(Array(4).fill('claim_project.created'));
  });
});

describe('the chain of an export', () => {
  it('is valid as it streams, and its head is that of the service', async () => {
    const { claims, organization } = await aLog();
    const head = await verifyAuditChain(claims.audit.export({ limit: 2 }));
    expect(head).toEqual(await new LogDatabase(() => app).headAt(organization.id, head.sequence));
  });

  it('can be checked from lines of JSON, with a head of last year, and from where the last check ended', async () => {
    const { claims } = await aLog();
    const events = await collected(claims.audit.export());
    const lines = events.map((event) => JSON.stringify(event));
    const middle = await verifyAuditChain(`${lines.slice(0, 3).join('\n')}\n`.split('\n'));
    const end = await verifyAuditChain(lines, `${middle.sequence}:${middle.hash}`);
    expect(await verifyAuditChain(lines.slice(3), end, { after: middle })).toEqual(end);
  });

  const without = (events: AuditEvent[], index: number) => events.toSpliced(index, 1);
  const changed = (events: AuditEvent[], index: number, change: object) => events.with(index, { ...events[index]!, ...change });
  const rehashed = (events: AuditEvent[], index: number) => {
    const hash = createHash('sha256').update('another event').digest('hex');
    return changed(events, index, { hash });
  };

  it.each([
    ['an event was changed', (events: AuditEvent[]) => changed(events, 2, { occurredAt: '2020-01-01T00:00:00.000Z' }), ['altered', 3]],
    ['a property was added', (events: AuditEvent[]) => changed(events, 2, { added: true }), ['altered', 3]],
    ['an event was removed', (events: AuditEvent[]) => without(events, 2), ['missing', 3]],
    ['the first event was removed', (events: AuditEvent[]) => without(events, 0), ['missing', 1]],
    ['a removal was hidden', (events: AuditEvent[]) => changed(without(events, 2), 2, { sequence: 3 }), ['altered', 3]],
    ['a hash was made up', (events: AuditEvent[]) => rehashed(events, 3), ['altered', 4]],
    ['an event comes twice', (events: AuditEvent[]) => events.toSpliced(2, 0, events[1]!), ['out_of_order', 2]],
    ['a line is no JSON', (events: AuditEvent[]) => [...events.slice(0, 2), 'oops'], ['unreadable', 3]],
  ])('is broken, at the first such place, when %s', async (_what, tampered, expected) => {
    const { claims } = await aLog(3);
    const rows = tampered(await collected(claims.audit.export()));
    expect(await breakOf(verifyAuditChain(rows))).toEqual(expected);
  });

  it('is broken when its end was cut off, or is another one than the head tells', async () => {
    const { claims } = await aLog(3);
    const events = await collected(claims.audit.export());
    const head = await verifyAuditChain(events);
    expect(await breakOf(verifyAuditChain(events.slice(0, -1), head))).toEqual(['missing', head.sequence]);
    expect(await breakOf(verifyAuditChain(events, { ...head, hash: 'f'.repeat(64) }))).toEqual(['altered', head.sequence]);
    await expect(verifyAuditChain(events, 'nonsense')).rejects.toThrow(TypeError);
  });
});

describe('a proof of the audit log', () => {
  it('is verified without the service, for every event, and for no event that was changed', async () => {
    const { claims } = await aLog(7);
    const { note, verifierKeys: keys } = await claims.audit.getCheckpoint();
    const { size, origin } = await openAuditCheckpoint(note, keys);
    for await (const event of claims.audit.export()) {
      const proof = await claims.audit.getProof(event.id);
      expect(await verifyAuditProof(event, proof, keys)).toMatchObject({ size, origin });
      const changed = { ...event, occurredAt: '2020-01-01T00:00:00.000Z' };
      await expect(verifyAuditProof(changed, proof, keys)).rejects.toThrow(AuditProofError);
      const other = { ...proof, hashes: proof.hashes.replace(/^./, (char) => (char === 'A' ? 'B' : 'A')) };
      await expect(verifyAuditProof(event, other, keys)).rejects.toThrow(/not in the log of the checkpoint, or was changed/);
    }
  });

  it('is refused when another key has signed the checkpoint, or it was changed', async () => {
    const { claims } = await aLog(1);
    const { note, verifierKeys: keys } = await claims.audit.getCheckpoint();
    const other = await (await aLog(1)).claims.audit.getCheckpoint();
    await expect(openAuditCheckpoint(note, other.verifierKeys)).rejects.toThrow('None of these keys has signed the checkpoint.');
    await expect(openAuditCheckpoint(note.replace(/\n\d+\n/, '\n1\n'), keys)).rejects.toThrow(AuditProofError);
  });

  it('shows that the log goes on from any earlier checkpoint, and that a rewritten log does not', async () => {
    const { claims, write, organization } = await aLog(1);
    const earlier: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      earlier.push((await claims.audit.getCheckpoint()).note);
      await write(`Later ${count}`);
    }
    const { verifierKeys: keys } = await claims.audit.getCheckpoint();
    const sizeOf = async (note: string): Promise<number> => (await openAuditCheckpoint(note, keys)).size;
    for (const note of earlier) {
      const proof = await claims.audit.getConsistency({ from: await sizeOf(note) });
      expect((await verifyAuditConsistency(note, proof, keys)).size).toBe(await sizeOf(proof.checkpoint.note));
    }
    // Somebody with access to the database changes an event, and has another checkpoint signed.
    const logs = new LogDatabase(() => app);
    await logs.change(organization.id, 1, "hash = repeat('0', 64)");
    await logs.sql('DELETE FROM audit_checkpoints WHERE organization_id = $1', organization.id);
    const forged = await claims.audit.getConsistency({ from: await sizeOf(earlier[2]!) });
    await expect(verifyAuditConsistency(earlier[2]!, forged, keys)).rejects.toThrow('it was rewritten');
  });
});
