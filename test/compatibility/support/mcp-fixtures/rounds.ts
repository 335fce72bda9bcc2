import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  type InputRequests,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { text } from './content.js';
import type { FixtureResult, FixtureTool } from './fixture-tool.js';

interface State {
  readonly round: number;
  readonly name?: string;
}

const codec = createRequestStateCodec<State>({ key: crypto.getRandomValues(new Uint8Array(32)) });

/** The state that the client sends back. State from anyone else is refused. */
async function stateOf(context: ServerContext): Promise<State | undefined> {
  const given = context.mcpReq.requestState<string>();
  if (given === undefined) return undefined;
  try {
    return await codec.verify(given, context);
  } catch {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The request state was not issued by this server.');
  }
}

const askFor = (message: string, field: string) =>
  inputRequired.elicit({ message, requestedSchema: { type: 'object', properties: { [field]: { type: 'string' } }, required: [field] } });
const CONFIRM = inputRequired.elicit({
  message: 'Please confirm',
  requestedSchema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
});
const askModel = (words: string) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text: words } }], maxTokens: 50 });

const answered = (context: ServerContext, key: string, field: string): unknown =>
  acceptedContent<Record<string, unknown>>(context.mcpReq.inputResponses, key)?.[field];
const responseOf = (context: ServerContext, key: string) =>
  context.mcpReq.inputResponses?.[key] as { content?: { text?: string }; roots?: { uri: string }[] } | undefined;

/** Asks the client for a text, then continues with it. */
export function askingOnce(key: string, field: string, then: (value: string) => FixtureResult): FixtureTool {
  return (context) => {
    const value = answered(context, key, field);
    return typeof value === 'string' ? then(value) : inputRequired({ inputRequests: { [key]: askFor(`What is the ${field}?`, field) } });
  };
}

function asksModel(key: string, words: string): FixtureTool {
  return (context) => {
    const answer = responseOf(context, key)?.content?.text;
    return answer === undefined ? inputRequired({ inputRequests: { [key]: askModel(words) } }) : text(`The model says: ${answer}`);
  };
}

function roots(context: ServerContext): FixtureResult {
  const found = responseOf(context, 'client_roots')?.roots;
  return found
    ? text(`Roots: ${found.map(({ uri }) => uri).join(', ')}`)
    : inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
}

async function confirmed(context: ServerContext): Promise<FixtureResult> {
  const state = await stateOf(context);
  if (state && answered(context, 'confirm', 'ok') !== undefined) return text('state-ok integrity-ok');
  return inputRequired({ inputRequests: { confirm: CONFIRM }, requestState: await codec.mint({ round: 1 }) });
}

async function severalAtOnce(context: ServerContext): Promise<FixtureResult> {
  const [name, greeting, found] = [
    answered(context, 'user_name', 'name'),
    responseOf(context, 'greeting')?.content?.text,
    responseOf(context, 'client_roots')?.roots,
  ];
  if (typeof name === 'string' && greeting !== undefined && found) return text(`${greeting}, ${name}: ${found.length} roots`);
  const inputRequests = {
    user_name: askFor('What is your name?', 'name'),
    greeting: askModel('Generate a greeting'),
    client_roots: inputRequired.listRoots(),
  };
  return inputRequired({ inputRequests, requestState: await codec.mint({ round: 1 }) });
}

async function twoRounds(context: ServerContext): Promise<FixtureResult> {
  const state = await stateOf(context);
  if (!state)
    return inputRequired({
      inputRequests: { step1: askFor('Step 1: what is your name?', 'name') },
      requestState: await codec.mint({ round: 1 }),
    });
  if (state.round === 2) return text(`${state.name ?? 'nobody'} likes ${String(answered(context, 'step2', 'color'))}`);
  const name = String(answered(context, 'step1', 'name'));
  return inputRequired({
    inputRequests: { step2: askFor('Step 2: what is your favorite color?', 'color') },
    requestState: await codec.mint({ round: 2, name }),
  });
}

/** Asks only for what the client declared as its capabilities. */
function requestsByCapability({ mcpReq }: ServerContext): FixtureResult {
  if (mcpReq.inputResponses !== undefined) return text('Got all answers.');
  const able = ((mcpReq.envelope ?? {}) as Readonly<Record<string, object | undefined>>)[CLIENT_CAPABILITIES_META_KEY] ?? {};
  const inputRequests: InputRequests = {
    ...('elicitation' in able && { user_name: askFor('What is your name?', 'name') }),
    ...('sampling' in able && { greeting: askModel('Generate a greeting') }),
  };
  return Object.keys(inputRequests).length === 0 ? text('The client has no capabilities.') : inputRequired({ inputRequests });
}

/** Tools that ask the client for something before they answer. */
export const ROUND_TOOLS: Readonly<Record<string, FixtureTool>> = {
  test_missing_capability: asksModel('llm_answer', 'Reply with one word'),
  test_input_required_result_elicitation: askingOnce('user_name', 'name', (name) => text(`Hello, ${name}!`)),
  test_input_required_result_sampling: asksModel('capital_question', 'What is the capital of France?'),
  test_input_required_result_list_roots: roots,
  test_input_required_result_request_state: confirmed,
  test_input_required_result_tampered_state: confirmed,
  test_input_required_result_multiple_inputs: severalAtOnce,
  test_input_required_result_multi_round: twoRounds,
  test_input_required_result_capabilities: requestsByCapability,
};
