import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { RestCall } from './rest-call.js';
import type { Tool } from './tool.js';

/** The person at the client, whom it may ask about a call. */
export interface Person {
  readonly canBeAsked: boolean;
  /** Undefined before the person was asked. */
  readonly agrees: boolean | undefined;
}

const QUESTION = 'confirmation';
/** More of a body would not fit into a dialogue. */
const SHOWN_MAX = 2_000;

/** Only clients of revision 2026-07-28 can be asked: the answer comes with a second request, and the server keeps no state. */
export function personOf({ mcpReq: { envelope, inputResponses } }: Pick<ServerContext, 'mcpReq'>): Person {
  const capabilities = (envelope as Readonly<Record<string, unknown>> | undefined)?.[CLIENT_CAPABILITIES_META_KEY];
  const { elicitation } = (capabilities ?? {}) as { elicitation?: object };
  const hasForms = elicitation !== undefined && ('form' in elicitation || Object.keys(elicitation).length === 0);
  const wasAsked = inputResponses?.[QUESTION] !== undefined;
  return { canBeAsked: hasForms, agrees: wasAsked ? acceptedContent(inputResponses, QUESTION)?.confirm === true : undefined };
}

/** Asks the person whether a call that was checked may be made. */
export function askPerson({ summary }: Tool, { method, url, body }: RestCall): InputRequiredResult {
  const json = body ? ` ${JSON.stringify(body)}` : '';
  const shown = json.length > SHOWN_MAX ? `${json.slice(0, SHOWN_MAX)}… (${json.length - SHOWN_MAX} more characters)` : json;
  const question = inputRequired.elicit({
    message: `${summary}? This will be sent: ${method} ${url}${shown}`,
    requestedSchema: { type: 'object', properties: { confirm: { type: 'boolean', title: summary } }, required: ['confirm'] },
  });
  return inputRequired({ inputRequests: { [QUESTION]: question } });
}
