import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { zipped } from '../../../src/modules/statements/formats/fixtures/xlsx.js';
import { MAX_FILE_BYTES } from '../../../tools/bank-files/index.js';
import type { TestApp } from '../../support/app.js';
import { aKey, aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { CANARIES, JANUARY, openStatements, OWN_IBAN, sendStatement, startWorking, STATEMENTS } from '../../support/statements.js';
import { aProject } from '../../support/webhooks.js';

let app: TestApp;
beforeAll(async () => {
  app = await startWorking();
});
afterAll(() => app.close());

const FEED = {
  account: OWN_IBAN,
  currency: 'EUR',
  openingBalance: '100.00',
  closingBalance: '37.60',
  lines: [
    {
      bookedOn: '2026-01-12',
      amount: '-12.40',
      description: 'Coffee for the meeting',
      counterparty: 'Cafe Example GmbH',
      bankReference: '1',
    },
    { bookedOn: '2026-01-31', amount: '-50.00', description: 'Please pay', counterparty: 'Jane Example', bankReference: '2' },
  ],
};

async function open() {
  const statements = await openStatements(app);
  const send = (sent: Parameters<typeof sendStatement>[2] = {}) => sendStatement(app, statements.key, sent);
  const feed = (body: object = FEED, headers: Record<string, string> = {}) => statements.api.post(STATEMENTS, body, headers);
  const count = async () => (await statements.list()).pagination.total;
  return { ...statements, send, feed, count };
}

const placesOf = ({ body }: { body: unknown }) =>
  (body as { errors: { field: string; code: string }[] }).errors.map(({ field, code }) => [field, code]);

describe('a file of a bank', () => {
  it('is imported by a program as by a person: it is read, redacted, and told of when it has come and when it is ready', async () => {
    const { api, send, settled } = await open();
    const project = await aProject(api);
    const sent = await send({ fields: { projectId: project.id } });
    expect([sent.status, sent.headers.get('location')]).toEqual([201, expect.stringContaining(`${STATEMENTS}/${sent.body.id}`)]);
    expect(sent.body).toMatchObject({ fileName: 'january.csv', projectId: project.id, redactionStatus: 'pending' });
    expect(await settled(sent.body.id)).toMatchObject({
      redactionStatus: 'succeeded',
      format: 'csv',
      lineCount: 5,
      certainty: 'plausible',
    });
    const events = await rowsOf<{ kind: string; data: object }>(
      app.databaseUrl,
      'SELECT kind, data FROM events WHERE resource_id = $1 ORDER BY id',
      [sent.body.id],
    );
    expect(events.map(({ kind }) => kind)).toEqual(['bank_statement.received', 'bank_statement.redaction_succeeded']);
    expect(CANARIES.filter((canary) => JSON.stringify(events).includes(canary))).toEqual([]);
  });

  it('is read with what the call says of it: currency, period, account, layout, and the sign of its amounts', async () => {
    const { send, settled } = await open();
    const file = 'Date,Description,Amount\n2026-01-05,Ticket,89.90\n2026-01-07,Hotel,120.00\n';
    const fields = {
      currency: 'CHF',
      periodStart: '2026-01-01',
      periodEnd: '2026-01-31',
      account: OWN_IBAN,
      isInverted: 'true',
      fileName: 'Card',
    };
    const { body } = await send({ file, fields });
    expect(await settled(body.id)).toMatchObject({
      ...{ redactionStatus: 'succeeded', fileName: 'Card', currency: 'CHF', periodStart: '2026-01-01', periodEnd: '2026-01-31' },
      accountLabel: expect.stringContaining(OWN_IBAN.slice(-4)) as string,
    });
    expect(placesOf(await send({ file, fields: { layout: 'No such layout' } }))).toEqual([['layout', 'not_allowed']]);
  });

  it('is refused with the field that is wrong, and nothing is kept', async () => {
    const { key, send, count } = await open();
    expect(placesOf(await send({ fields: { projectID: newId() } }))).toEqual([['projectID', 'unknown_property']]);
    expect(placesOf(await send({ fields: { projectId: 'x', isInverted: 'yes', currency: 'euro' } }))).toEqual([
      ['projectId', 'invalid_uuid'],
      ['currency', 'invalid_currency'],
      ['isInverted', 'wrong_type'],
    ]);
    expect(placesOf(await send({ fields: { periodStart: '2026-01-01' } }))).toEqual([['periodEnd', 'required']]);
    expect((await send({ fields: { projectId: newId() } })).body.code).toBe('related_record_missing');
    expect(placesOf(await send({ file: '' }))).toEqual([['file', 'required']]);
    expect(placesOf(await send({ file: zipped({ 'a.csv': JANUARY }), fileName: 'a.zip' }))).toEqual([['file', 'not_allowed']]);
    for (const [file, fileName] of [
      [JANUARY, 'january.pdf'],
      ['%PDF-1.7', 'january.csv'],
      [JANUARY, 'january.csv.exe'],
    ] as const)
      expect([fileName, placesOf(await send({ file, fileName }))]).toEqual([fileName, [['file', 'not_allowed']]]);
    const tooLarge = await send({ file: Buffer.alloc(MAX_FILE_BYTES + 1, 'x') });
    expect([tooLarge.status, tooLarge.body.code]).toEqual([413, 'body_too_large']);
    const headers = { 'X-API-Key': key, 'Idempotency-Key': newId() };
    const twice = new FormData();
    for (const name of ['file', 'file']) twice.append(name, new Blob([JANUARY]), 'a.csv');
    expect((await fetch(app.url + STATEMENTS, { method: 'POST', headers, body: twice })).status).toBe(400);
    const other = new FormData();
    other.append('statement', new Blob([JANUARY]), 'a.csv');
    const misnamed = await fetch(app.url + STATEMENTS, { method: 'POST', headers, body: other });
    expect(await misnamed.json()).toMatchObject({ errors: [{ field: 'statement', message: 'is not a known file: did you mean file?' }] });
    expect(await count()).toBe(0);
  });

  it('is one statement of a project, however often and at once it is sent; in another project it is another one', async () => {
    const { api, send, count } = await open();
    const sent = await Promise.all(Array.from({ length: 40 }, () => send()));
    expect(new Set(sent.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
    expect(await count()).toBe(1);
    const project = await aProject(api);
    expect((await send({ fields: { projectId: project.id } })).body.id).not.toBe(sent[0]!.body.id);
    expect(await count()).toBe(2);
  });

  it('has one answer for one key, and another file with the key is refused', async () => {
    const { send } = await open();
    const idempotencyKey = newId();
    const [first, again] = [await send({ idempotencyKey }), await send({ idempotencyKey })];
    expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([first.body, 'true']);
    expect((await send({ idempotencyKey, file: `${JANUARY}\n` })).body.code).toBe('idempotency_conflict');
    expect((await send({ idempotencyKey, fields: { currency: 'EUR' } })).body.code).toBe('idempotency_conflict');
  });

  it('leaves nothing where its sender hangs up', async () => {
    const { key, count } = await open();
    const half = request(app.url + STATEMENTS, {
      method: 'POST',
      headers: {
        'X-API-Key': key,
        'Idempotency-Key': newId(),
        'Content-Type': 'multipart/form-data; boundary=x',
        'Content-Length': '9000',
      },
    });
    half.on('error', () => undefined);
    half.write('--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nDate,Description');
    await delay(200);
    half.destroy();
    await eventually(async () => expect(await count()).toBe(0));
  });

  it('is taken from nobody who may not', async () => {
    const { organization, key } = await aTenant(app);
    const { key: reader } = await aKey(app, organization.id, { scopes: ['bank_statements:read'] });
    expect((await sendStatement(app, reader)).body.code).toBe('scope_missing');
    const { body } = await sendStatement(app, key);
    expect((await new Client(app.url, (await aTenant(app)).key).get(`${STATEMENTS}/${body.id}`)).status).toBe(404);
  });
});

describe('a file that is the body', () => {
  async function openRaw() {
    const opened = await open();
    const raw = async (path: string, file: string | Buffer, headers: Record<string, string> = {}) => {
      const usual = { 'X-API-Key': opened.key, 'Idempotency-Key': newId(), 'Content-Type': 'application/octet-stream' };
      const answer = await fetch(app.url + path, {
        method: 'POST',
        headers: { ...usual, ...headers },
        body: Uint8Array.from(Buffer.from(file)),
      });
      return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Record<string, unknown> & { id: string } };
    };
    return { ...opened, raw };
  }

  it('is imported as in a form, with the fields of the form in the query, and its name in a header', async () => {
    const { api, raw, settled } = await openRaw();
    const project = await aProject(api);
    const named = { 'Content-Type': 'text/csv', 'Content-Disposition': 'attachment; filename="january.csv"' };
    const sent = await raw(`${STATEMENTS}?projectId=${project.id}&periodStart=2026-01-01&periodEnd=2026-01-31`, JANUARY, named);
    expect([sent.status, sent.headers.get('location')]).toEqual([201, expect.stringContaining(`${STATEMENTS}/${sent.body.id}`)]);
    expect(sent.body).toMatchObject({ fileName: 'january.csv', projectId: project.id });
    expect(await settled(sent.body.id)).toMatchObject({
      ...{ redactionStatus: 'succeeded', format: 'csv', lineCount: 5, periodStart: '2026-01-01', periodEnd: '2026-01-31' },
    });
  });

  it('is called as its header or its query says, in whatever characters', async () => {
    const { raw } = await openRaw();
    const nameOf = async (query: string, headers: Record<string, string>, file: string) =>
      (await raw(STATEMENTS + query, file, headers)).body.fileName;
    const disposed = (value: string) => ({ 'Content-Disposition': value });
    expect(await nameOf('', {}, `${JANUARY}\n`)).toBe('statement');
    expect(await nameOf('', disposed('attachment; filename=plain.csv'), `\n${JANUARY}`)).toBe('plain.csv');
    expect(await nameOf('?fileName=K%C3%BCche', disposed('attachment; filename=plain.csv'), `\n\n${JANUARY}`)).toBe('Küche');
  });

  it('is one statement with the same file in a form, and has one answer for one key', async () => {
    const { send, raw, count } = await openRaw();
    const [form, first] = [await send(), await raw(STATEMENTS, JANUARY)];
    expect(first.body.id).toBe(form.body.id);
    const once = { 'Idempotency-Key': newId() };
    expect((await raw(`${STATEMENTS}?currency=EUR`, JANUARY, once)).status).toBe(201);
    expect((await raw(`${STATEMENTS}?currency=EUR`, JANUARY, once)).headers.get('idempotent-replayed')).toBe('true');
    for (const other of ['?currency=CHF', ''])
      expect((await raw(STATEMENTS + other, JANUARY, once)).body.code).toBe('idempotency_conflict');
    expect(await count()).toBe(1);
  });

  it('is checked as well', async () => {
    const { raw, count } = await openRaw();
    expect((await raw('/v1/bank-statement-checks?currency=EUR', JANUARY)).body).toMatchObject({
      format: 'csv',
      lineCount: 5,
      failure: null,
    });
    expect(await count()).toBe(0);
  });

  it('is refused with the place that is wrong, and nothing is kept', async () => {
    const { raw, count } = await openRaw();
    const refused = await raw(`${STATEMENTS}?projectId=x&nothing=1&currency=EUR&currency=EUR`, JANUARY);
    expect((refused.body.errors as object[]).map((error) => Object.values(error).slice(0, 3))).toEqual([
      ['query', 'currency', 'repeated'],
      ['query', 'nothing', 'unknown_property'],
      ['query', 'projectId', 'invalid_uuid'],
    ]);
    expect(placesOf(await raw(STATEMENTS, ''))).toEqual([['file', 'required']]);
    expect(placesOf(await raw(STATEMENTS, zipped({ 'a.csv': JANUARY })))).toEqual([['file', 'not_allowed']]);
    expect((await raw(STATEMENTS, Buffer.alloc(MAX_FILE_BYTES + 1, 'x'))).body.code).toBe('body_too_large');
    expect((await raw(STATEMENTS, JANUARY, { 'Content-Encoding': 'gzip' })).status).toBe(415);
    expect((await raw(STATEMENTS, JANUARY, { 'Content-Type': 'application/x-www-form-urlencoded' })).status).toBe(415);
    const announced = { 'X-API-Key': (await aTenant(app)).key, 'Idempotency-Key': newId(), 'Content-Type': 'application/pdf' };
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1 << 20)) });
    const answer = await fetch(app.url + STATEMENTS, { method: 'POST', headers: announced, body: endless, duplex: 'half' } as RequestInit);
    expect(answer.status).toBe(413);
    expect(await count()).toBe(0);
  });
});

describe('a feed', () => {
  it('is read as a statement whose balances prove its bookings, and is redacted', async () => {
    const { feed, settled } = await open();
    const { status, body } = await feed();
    expect(status).toBe(201);
    expect(await settled((body as { id: string }).id)).toMatchObject({
      ...{ redactionStatus: 'succeeded', format: 'feed', lineCount: 2, certainty: 'proven', currency: 'EUR', fileName: 'bank_feed' },
      ...{ periodStart: '2026-01-12', periodEnd: '2026-01-31', warnings: [] },
    });
    const stored = await rowsOf(app.databaseUrl, 'SELECT * FROM statement_lines WHERE statement_id = $1', [(body as { id: string }).id]);
    expect(stored).toHaveLength(2);
    expect(CANARIES.filter((canary) => JSON.stringify(stored).includes(canary) && canary !== 'Coffee for the meeting')).toEqual([]);
  });

  it('that does not add up is doubtful, and says so', async () => {
    const { feed, settled } = await open();
    const { body } = await feed({ ...FEED, closingBalance: '37.61' });
    expect(await settled((body as { id: string }).id)).toMatchObject({ certainty: 'doubtful', redactionStatus: 'succeeded' });
  });

  it('is one statement, however it is written and with whatever key it is sent', async () => {
    const { feed, count } = await open();
    const backwards = Object.fromEntries(Object.entries(FEED).reverse());
    const [first, again] = [await feed(), await feed(backwards)];
    expect((again.body as { id: string }).id).toBe((first.body as { id: string }).id);
    expect(await count()).toBe(1);
  });

  it('is refused with the place in it', async () => {
    const { feed, count } = await open();
    const [line] = FEED.lines;
    expect(placesOf(await feed({ ...FEED, lines: [line, { ...line, amount: -12.4 }, { ...line, bookedOn: '2026-02-30' }] }))).toEqual([
      ['lines[1].amount', 'wrong_type'],
      ['lines[2].bookedOn', 'invalid_date'],
    ]);
    expect(placesOf(await feed({ ...FEED, lines: [] }))).toEqual([['lines', 'too_short']]);
    expect(placesOf(await feed({ ...FEED, periodStart: '2026-02-01', periodEnd: '2026-01-01' }))).toEqual([['periodEnd', 'before_start']]);
    expect(await count()).toBe(0);
  });
});

describe('a check', () => {
  const check = async (key: string, file: string | Buffer, fields: Record<string, string> = {}) => {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    body.append('file', new Blob([Uint8Array.from(Buffer.from(file))]), 'january.csv');
    const headers = { 'X-API-Key': key, 'Idempotency-Key': newId() };
    const answer = await fetch(`${app.url}/v1/bank-statement-checks`, { method: 'POST', headers, body });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };

  it('says of a file what its import would say, and keeps nothing of it but that it was checked', async () => {
    const { key, api, send, settled, count, organizationId } = await open();
    const checked = await check(key, JANUARY);
    expect(checked).toMatchObject({ status: 200, body: { lineCount: 5, failure: null, maskedCounts: { iban: 1 } } });
    expect(CANARIES.filter((canary) => JSON.stringify(checked.body).includes(canary))).toEqual([]);
    expect(await count()).toBe(0);
    const stored = await rowsOf(app.databaseUrl, 'SELECT 1 FROM statement_originals WHERE organization_id = $1', [organizationId]);
    expect(stored).toEqual([]);
    const { data } = (await api.get('/v1/audit/events?action_prefix=bank_statement')).body as { data: { action: string }[] };
    expect(data.map(({ action }) => action)).toEqual(['bank_statement.checked']);
    const imported = await settled((await send()).body.id);
    for (const field of [
      'fileName',
      'sha256',
      'format',
      'lineCount',
      'periodStart',
      'periodEnd',
      'currency',
      'certainty',
      'warnings',
    ] as const)
      expect(checked.body[field], field).toEqual(imported[field]);
    expect(checked.body.maskedCounts).toEqual(imported.redaction!.counts);
  });

  it('says why a file would fail, and where', async () => {
    const { key } = await open();
    expect((await check(key, JANUARY.replace('-12.40', 'twelve'))).body).toMatchObject({
      failure: { code: 'invalid_amount' },
      lineCount: null,
    });
    expect((await check(key, JANUARY, { projectId: newId() })).body).toMatchObject({ code: 'related_record_missing' });
  });
});
