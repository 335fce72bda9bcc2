import { createHash } from 'node:crypto';
import { type ConfirmationRule, ruleOf } from '../../kernel/confirmation-rules.js';
import { canonicalJson } from '../../kernel/json.js';
import { Problem } from '../../kernel/problems.js';
import type { WriteContext } from '../../store/database/unit-of-work.js';
import type { Asked, Call, CallOfTool } from './call.js';

/** A change that a model wants to make by a tool, which people have to agree to first. */
export interface Asking {
  readonly call: Call;
  readonly tool: CallOfTool;
  readonly rule: Exclude<ConfirmationRule, 'model'>;
  /** Exactly what would be sent. */
  readonly sent: Asked;
  /** Of all that would be sent: an agreement is for nothing else. */
  readonly digest: Buffer;
}

/** What people can agree to, or why they cannot. */
export interface Confirmation {
  readonly id: string;
  readonly state: 'open' | 'agreed' | 'refused';
  readonly rule: Asking['rule'];
  /** The page where they do. */
  readonly url: string;
}

/** Refuses a change that people have not agreed to; without a confirmation, people cannot. */
export class ConfirmationNeeded extends Problem {
  constructor(
    detail: string,
    readonly confirmation?: Confirmation,
  ) {
    super('confirmation_needed', { detail });
  }
}

/** A port: what people have agreed to. */
export abstract class Agreements {
  /** The confirmation by which people have agreed to this call, and which was not used yet. */
  abstract find(asking: Asking): Promise<string | undefined>;
  /** Takes it in the transaction of the change: it is used once, and never without the change. Throws if somebody else has taken it. */
  abstract use(ctx: WriteContext, asking: Asking, id: string): Promise<void>;
  /** Asks people, unless they were asked already. */
  abstract ask(asking: Asking): Promise<ConfirmationNeeded>;
}

/** undefined of programs, of people, of reads, and where the model decides itself. */
export function askingOf(call: Call, sent: Asked): Asking | undefined {
  const { operation, caller, door, isDryRun } = call;
  if (typeof door === 'string' || !operation.isWrite || (door.isPart && isDryRun)) return undefined;
  const rule = ruleOf(caller, operation.method === 'DELETE' ? 'destructive' : 'write');
  if (rule === 'model') return undefined;
  if (rule === 'never') throw new ConfirmationNeeded(NEVER);
  if (operation.needsKey && sent.key === undefined) throw new Problem('idempotency_key_missing', { detail: NO_KEY });
  const { params, query, body, key } = sent;
  const digest = createHash('sha256')
    .update(canonicalJson([operation.id, params, query, body ?? null, key ?? null]))
    .digest();
  return { call, tool: door, rule, sent, digest };
}

const NEVER = 'The organization lets no tool do this. Nothing was done. Tell the person to do it in the console, and do not call it again.';
const NO_KEY = 'People have to agree to this call, so it needs its idempotency_key: they agree to exactly what would be sent.';
