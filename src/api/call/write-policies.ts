import { Problem } from '../../kernel/problems.js';
import type { Expectation } from '../../store/database/unit-of-work.js';
import { ask, type Policy, type PolicyRecord, type PolicyWrite, seesWrites } from '../access/policy.js';
import type { PolicyWriteContext } from '../access/principal.js';
import type { AskedWrite, Change, RegisteredOperation, RequestContext } from '../operation/operation.js';
import { loadValidation } from '../validation/read-request.js';
import { frozen } from './change-hooks.js';

/** The GET of the record that a path names last, such as that of the project for `/v1/claim-projects/{project_id}/links`. */
export type FindRead = () => RegisteredOperation | undefined;

export function writePoliciesOf(
  all: readonly Policy[],
  operation: RegisteredOperation,
  findRead: FindRead,
): RegisteredOperation['writePolicies'] {
  const policies = all.filter((policy) => seesWrites(operation, policy));
  return policies.length > 0 ? (change) => new OneWrite(policies, operation, findRead, change) : undefined;
}

/** Another call has changed the record since the policies saw it. The write is begun anew, and they are asked anew. */
export class RecordChanged extends Problem {
  constructor() {
    super('unavailable', { detail: 'Other calls change the record again and again.', headers: { 'Retry-After': '1' } });
  }
}

class OneWrite implements AskedWrite {
  private readonly write: PolicyWrite;
  private before: Promise<PolicyRecord | undefined> | undefined;
  /** What the read of the record was refused with. */
  private refusal: unknown;
  private isAllowed = false;

  constructor(
    private readonly policies: readonly Policy[],
    private readonly operation: RegisteredOperation,
    private readonly findRead: FindRead,
    { input, params }: Change,
  ) {
    // Each question has a context of its own, in which the record is read.
    this.write = { operation, params, input, before: () => Promise.reject(new Error('Nothing is asked.')) };
  }

  async requireAllowed(ctx: PolicyWriteContext): Promise<void> {
    if (this.isAllowed) return;
    const write = { ...this.write, before: () => (this.before ??= this.read(ctx)) };
    for (const policy of this.policies) await this.ask(policy, () => policy.checkWrite?.(ctx, write));
    this.isAllowed = true;
  }

  async around<Context extends PolicyWriteContext, Result>(ctx: Context, work: (ctx: Context) => Promise<Result>): Promise<Result> {
    await this.requireAllowed(ctx);
    const seen = this.operation.takesIfMatch ? await this.before : undefined;
    const record = await work(seen ? { ...ctx, expectation: this.asSeen(ctx, seen) } : ctx);
    const write = { ...this.write, before: () => this.before ?? tooLate() };
    const written = record === undefined ? undefined : (frozen(record) as PolicyRecord);
    for (const policy of this.policies) await this.ask(policy, () => policy.checkWritten?.(ctx, write, written));
    return record;
  }

  private ask(policy: Policy, question: () => void | Promise<void>): Promise<void> {
    return ask(policy, this.operation, question, (error) => error === this.refusal);
  }

  private async read(ctx: PolicyWriteContext): Promise<PolicyRecord | undefined> {
    const get = this.findRead();
    if (!get) return undefined;
    const params = Object.fromEntries(get.pathIds.map((name) => [name, this.write.params[name]!]));
    const valid = (await loadValidation())(get, { params, query: {}, body: undefined, url: '' });
    try {
      return frozen(await get.handle({ ctx: ctx as unknown as RequestContext, ...valid, ahead: undefined })) as PolicyRecord;
    } catch (error) {
      this.refusal = error;
      throw error;
    }
  }

  /** The lock of the write comes after what the policies have seen: it must find the same version. */
  private asSeen({ expectation }: PolicyWriteContext, { updatedAt }: PolicyRecord): Expectation {
    const check: Expectation['check'] = (row) => {
      expectation?.check(row);
      if (typeof updatedAt === 'string' && Date.parse(updatedAt) !== Date.parse(row.updatedAt)) throw new RecordChanged();
    };
    return { recordId: Object.values(this.write.params).at(-1)!, check };
  }
}

const tooLate = (): never => {
  throw new Error('What was there before the write is asked for in checkWrite: by now it is written.');
};
