import type { Confirmation } from '../../../api/call/agreements.js';
import { type RestAnswer, type RestCall, type Tool, urlOf } from './tool.js';
import { ToolAnswer } from './visible-text.js';

/** Whether a client can show its person a form. */
export function canBeAsked(capabilities: unknown): boolean {
  const { elicitation } = (capabilities ?? {}) as { elicitation?: object };
  return elicitation !== undefined && ('form' in elicitation || Object.keys(elicitation).length === 0);
}

/** null: people cannot agree to it. */
export type Needed = Confirmation | null;

/** undefined unless the organization wants people to agree to the call, and they have not. */
export function neededIn({ status, body }: RestAnswer): Needed | undefined {
  return status === 428 ? (body as { confirmation?: Needed } | undefined)?.confirmation : undefined;
}

/** What a call would send, for the model to show. */
export function sentBy({ method, body, ...call }: RestCall) {
  return { method, url: urlOf(call), ...(body && { body }) };
}

/** `confirm: true` alone never helps here: the text says what does. */
export function refusalNeeded({ confirmedBy }: Tool, needed: Needed, call: RestCall, { body: problem }: RestAnswer): ToolAnswer {
  const wouldSend = sentBy(call);
  const { detail, ...others } = problem as { detail: string };
  const again = `repeat the same call, unchanged, with ${confirmedBy}: true`;
  const next = needed ? NEXT[needed.state](needed, again) : '';
  const answer = { ...others, detail, ...(needed && { confirmWith: confirmedBy, confirmationUrl: needed.url }), wouldSend };
  return new ToolAnswer([detail, next, `This would be sent: ${JSON.stringify(wouldSend)}`].join(' '), JSON.stringify(answer), true);
}

const NEXT: Readonly<Record<Confirmation['state'], (needed: Confirmation, again: string) => string>> = {
  open: ({ url, rule }, again) =>
    `Give ${rule === 'person' ? 'the person' : 'two people'} this link, and wait for them to agree there: ${url} Then ${again}.`,
  agreed: (_needed, again) => `To carry it out, ${again}.`,
  refused: () => 'Repeat the call only if a person asks for it.',
};
