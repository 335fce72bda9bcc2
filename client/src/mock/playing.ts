import type { MockCall } from './reading.js';
import { EMPTY_RESULT } from './document.js';
import type { CreateTestEvent, CreateTestOutcome } from '../generated-types.js';
import { Provoking } from './provoking.js';
import { emptyRecords, type MockRecord, type Records } from './records.js';
import { Refusal } from './refusal.js';

/** What an operation returns. */
export type Played = { readonly [name: string]: unknown } | undefined;

const REPORTS = '/v1/claim-reports';
const WEBHOOKS = '/v1/webhooks';
const LINKS = '/v1/upload-links';
/** Its steps depend on who takes them, and on the pack of a run. */
const CLOSINGS = '/v1/claim-closings';
/** How long the secret before the last one is still used. */
const SECRET_OVERLAP_MS = 24 * 3600 * 1000;

export const etagOf = ({ updatedAt }: Pick<MockRecord, 'updatedAt'>): string => `"${Date.parse(updatedAt).toString(36)}"`;

/** The records of the mock, and what the operations do with them. */
export class Playing {
  readonly records = emptyRecords();
  readonly provoking = new Provoking();
  /** How often each run was asked for. */
  private readonly asked = new Map<string, number>();

  constructor(private readonly asksPerReport: number) {}

  /** Carries out a call on records; throws a `Refusal` with status 501 for any other. */
  play({ operation, params, query, body, isMerge }: MockCall, ifMatch: string | null): Played {
    const { method, path } = operation;
    const provoked = this.provoked(operation.id, query, body);
    if (provoked) return provoked;
    if (operation.id === 'claim_reports.cancel') return cancelled(this.records.get(REPORTS)!, params[0]!, ifMatch);
    const records = this.records.get(path.replace(/\/\{\w+\}$/, ''));
    const [id] = params;
    const isOfOne = path.endsWith('}');
    if (!records || records.path === CLOSINGS || path.split('{').length > 2) throw notPlayed(operation.id);
    if (ifMatch !== null && id !== undefined) requireVersion(records.get(id), ifMatch);
    if (method === 'POST' && !isOfOne) return this.created(records, body);
    if (method === 'GET') return isOfOne ? this.read(records, id!) : records.page(query);
    if (method === 'PATCH') return updated(records, id!, isMerge ? merged(records.get(id!), body) : body);
    if (method === 'DELETE') return void records.delete(id!);
    throw notPlayed(operation.id);
  }

  /** Ends all runs that have not ended. */
  finishReports(outcome: object): void {
    const reports = this.records.get(REPORTS)!;
    for (const report of reports.rows) finish(reports, report, outcome);
  }

  /** What programs ask of the test environment. */
  private provoked(id: string, query: MockCall['query'], body: object): Played {
    switch (id) {
      case 'webhooks.list_events':
        return this.provoking.listEvents(query);
      case 'test.send_event':
        return this.provoking.sendEvent(body as CreateTestEvent);
      case 'test.set_outcome':
        return this.provoking.setOutcome(this.records.get(REPORTS)!, body as CreateTestOutcome);
      case 'test.set_answers':
        return this.provoking.setAnswers(body);
      case 'test.reset':
        return { deleted: this.empty() };
      default:
        return undefined;
    }
  }

  /** Endpoints stay, as in the service. */
  private empty(): number {
    this.provoking.clear();
    this.asked.clear();
    const emptied = [...this.records.values()].filter(({ path }) => path !== WEBHOOKS);
    return emptied.reduce((sum, { rows }) => sum + rows.splice(0).length, 0);
  }

  private created(records: Records, body: MockCall['body']): Played {
    const record = created(records, body);
    if (record && records.path === REPORTS) this.provoking.queued(record);
    return record;
  }

  private read(records: Records, id: string): MockRecord {
    const row = records.get(id);
    if (records.path !== REPORTS) return row;
    const times = (this.asked.get(row.id) ?? 0) + 1;
    this.asked.set(row.id, times);
    if (times >= this.asksPerReport) finish(records, row, this.provoking.endOf(row.id));
    else if (row.status === 'queued') records.update(row.id, { status: 'running', startedAt: new Date().toISOString() });
    return records.get(id);
  }
}

function finish(reports: Records, { id, status, startedAt }: MockRecord, outcome: object): void {
  if (status !== 'queued' && status !== 'running') return;
  const now = new Date().toISOString();
  const ended = { status: 'succeeded', startedAt: startedAt ?? now, finishedAt: now, ...outcome };
  const result = ended.status === 'succeeded' ? EMPTY_RESULT : null;
  reports.update(id, { result, ...ended });
}

function cancelled(reports: Records, id: string, ifMatch: string | null): MockRecord {
  const { status, ...report } = reports.get(id);
  if (ifMatch !== null) requireVersion(report, ifMatch);
  if (status === 'succeeded' || status === 'failed')
    throw new Refusal('wrong_state', { detail: `Only a queued or running run can be cancelled; this one is ${status}.` });
  finish(reports, reports.get(id), { status: 'cancelled' });
  return reports.get(id);
}

function created(records: Records, body: MockCall['body']): Played {
  if (records.path === WEBHOOKS) return withSecret(records, records.create(endpointOf(body)), null);
  const record = records.create(body);
  return records.path === LINKS ? { ...record, address: `https://api.claims.example/uploads/upload_test_${record.id}` } : record;
}

/** Free-form objects are changed key by key. */
function merged(record: MockRecord, body: MockCall['body']): MockCall['body'] {
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, isObject(value) ? patched(record[name], value) : value]));
}

const isObject = (value: unknown): value is MockCall['body'] => typeof value === 'object' && value !== null && !Array.isArray(value);

function patched(target: unknown, patch: MockCall['body']): MockCall['body'] {
  const before = isObject(target) ? target : {};
  const changes = Object.entries(patch).map(([key, value]): [string, unknown] => [
    key,
    isObject(value) ? patched(before[key], value) : value,
  ]);
  const all = [...Object.entries(before).filter(([key]) => !Object.hasOwn(patch, key)), ...changes];
  return Object.fromEntries(all.filter(([, value]) => value !== null));
}

function updated(records: Records, id: string, body: MockCall['body']): Played {
  if (records.path !== WEBHOOKS) return records.update(id, body);
  const endpoint = records.update(id, endpointOf(body));
  return body.rotateSecret ? withSecret(records, endpoint, new Date(Date.now() + SECRET_OVERLAP_MS).toISOString()) : endpoint;
}

/** The fields of an endpoint that follow from what a request says. */
function endpointOf(body: MockCall['body']): MockCall['body'] {
  const { headers, status, environment, signature } = body;
  if (environment === 'live') {
    const message = 'must be test, as the key is';
    throw new Refusal('environment_mismatch', {
      errors: [{ location: 'body', field: 'environment', code: 'environment_mismatch', message }],
    });
  }
  if (signature === 'ed25519') throw new Refusal('not_in_mock', { detail: 'The mock has no endpoints with the signature ed25519.' });
  return {
    ...body,
    ...(headers !== undefined && { headerNames: Object.keys(headers ?? {}) }),
    ...(status !== undefined && { disabledReason: status === 'disabled' ? 'manual' : null }),
  };
}

/** An endpoint with a new secret, which only this answer shows. */
function withSecret(records: Records, { id }: MockRecord, previousSecretExpiresAt: string | null): Played {
  const secret = `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))}`;
  return { ...records.update(id, { secretHint: secret.slice(-4), previousSecretExpiresAt }), secret };
}

function requireVersion({ updatedAt }: MockRecord, ifMatch: string): void {
  const version = etagOf({ updatedAt });
  if (ifMatch.trim() === '*' || ifMatch.split(',').some((tag) => tag.trim() === version)) return;
  throw new Refusal('changed_meanwhile', { detail: `The record was last changed at ${updatedAt}, after you had read it.` });
}

function notPlayed(id: string): Refusal {
  return new Refusal('not_in_mock', { detail: `The mock does not play ${id}. State what it shall answer with mock.answer('${id}', …).` });
}
