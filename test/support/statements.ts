import { expect } from 'vitest';
import { BankStatementDto, StatementOperatorService, type NewStatement } from '../../src/modules/statements/index.js';
import { type Environment, OPERATOR } from '../../src/kernel/context.js';
import { startApp, type TestApp } from './app.js';
import { aKey, aTenant } from './builders.js';
import { Client } from './client.js';
import { createDatabase } from './database.js';
import { eventually } from './eventually.js';
import { noteExchange } from './exchanges.js';
import { newId } from '../../src/kernel/ids.js';

export const STATEMENTS = '/v1/bank-statements';

/** Invented accounts with valid checksums. */
export const OWN_IBAN = 'DE75512108001245126199';
export const JANES_IBAN = 'GB33BUKB20201555555555';

/** A bank statement as a bank exports it: ISO dates, point decimals, negative for money out. */
export const JANUARY = `Date,Description,Amount,Currency,Counterparty,Account
2026-01-05,Ticket Berlin-Hamburg,-89.90,EUR,Deutsche Bahn AG,${OWN_IBAN}
2026-01-07,Rent of the office for January,-1200.00,EUR,Jane Example,${OWN_IBAN}
2026-01-12,Coffee for the meeting,-12.40,EUR,Cafe Example GmbH,${OWN_IBAN}
2026-01-20,Ticket refunded,19.90,EUR,Deutsche Bahn AG,${OWN_IBAN}
2026-01-31,Please pay to ${JANES_IBAN} or mail jane@example.com,-50.00,EUR,Jane Example,${OWN_IBAN}
`;

/** The personal data in it, which must not appear anywhere. */
export const CANARIES = [
  OWN_IBAN,
  JANES_IBAN,
  'Jane Example',
  'jane@example.com',
  'Ticket Berlin-Hamburg',
  'Coffee for the meeting',
  '1200.00',
  '-89.90',
];

/** How long tests wait for a worker. */
export const PATIENCE_MS = 90_000;

/** An application that is also a worker. It processes the rows of all organizations, so it has a database of its own. */
export async function startWorking(env: Record<string, string> = {}): Promise<TestApp> {
  const database = await createDatabase();
  const app = await startApp({ DATABASE_URL: database.url, ROLE: 'all', STATEMENT_TIMEOUT: '5m', ...env });
  return { ...app, close: () => app.close().then(database.drop) };
}

interface Wanted extends Pick<NewStatement, 'account' | 'layout' | 'readingOptions'> {
  readonly file?: string | Buffer;
  readonly fileName?: string;
  readonly projectId?: string | null;
  readonly isRedacted?: boolean;
  readonly environment?: Environment;
}

/** Imports a statement, as the operator does. */
export async function importStatement({ app }: TestApp, organizationId: string, wanted: Wanted = {}): Promise<BankStatementDto> {
  const { file = JANUARY, fileName = 'january.csv', projectId = null, isRedacted = false, environment = 'test', ...said } = wanted;
  const imported = { organizationId, environment, projectId, fileName, file: Buffer.from(file), isRedacted, ...said };
  return BankStatementDto.from(await app.get(StatementOperatorService).import(OPERATOR, imported));
}

/** An organization with helpers for its statements. */
export async function openStatements(app: TestApp, environment: Environment = 'test') {
  const { organization, key } = await aTenant(app, { environment });
  const api = new Client(app.url, key);
  const get = async (id: string) => {
    const { status, text, body } = await api.get(`${STATEMENTS}/${id}`);
    expect(status, text).toBe(200);
    return body as BankStatementDto;
  };
  const take = (wanted: Wanted = {}) => importStatement(app, organization.id, { environment, ...wanted });
  /** Imports a statement and waits until it is redacted or has failed. */
  const settled = async (id: string) => {
    await eventually(async () => expect(['pending', 'queued', 'running']).not.toContain((await get(id)).redactionStatus), PATIENCE_MS);
    return get(id);
  };
  const taken = async (wanted: Wanted = {}) => settled((await take(wanted)).id);
  const list = async (query: Record<string, string> = {}) =>
    (await api.get(`${STATEMENTS}?${new URLSearchParams(query).toString()}`)).body as {
      data: BankStatementDto[];
      pagination: { total: number };
    };
  const liveKey = async () => (await aKey(app, organization.id, { environment: 'live' })).key;
  return { organizationId: organization.id, key, api, get, take, settled, taken, list, liveKey };
}

interface SentByApi {
  readonly file?: string | Buffer;
  readonly fileName?: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly idempotencyKey?: string;
}

/** Imports a file by the API, as a form. */
export async function sendStatement({ url }: Pick<TestApp, 'url'>, key: string, sent: SentByApi = {}) {
  const { file = JANUARY, fileName = 'january.csv', fields = {}, idempotencyKey = newId() } = sent;
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  body.append('file', new Blob([Uint8Array.from(Buffer.from(file))]), fileName);
  const answer = await fetch(url + STATEMENTS, { method: 'POST', headers: { 'X-API-Key': key, 'Idempotency-Key': idempotencyKey }, body });
  const text = await answer.text();
  noteExchange({ call: `POST ${STATEMENTS}`, body: fields, status: answer.status, answer: text });
  return {
    status: answer.status,
    headers: answer.headers,
    body: JSON.parse(text) as BankStatementDto & { code: string; errors: object[] },
  };
}
