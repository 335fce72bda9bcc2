import {
  acceptedContent,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  type GetPromptResult,
  type InputRequiredResult,
  type Prompt,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { PNG } from './content.js';

const PROMPTS: readonly Prompt[] = [
  { name: 'test_simple_prompt', description: 'A simple prompt without arguments' },
  {
    name: 'test_prompt_with_arguments',
    description: 'A prompt with arguments',
    arguments: [
      { name: 'arg1', required: true },
      { name: 'arg2', required: true },
    ],
  },
  {
    name: 'test_prompt_with_embedded_resource',
    description: 'A prompt with a resource',
    arguments: [{ name: 'resourceUri', required: true }],
  },
  { name: 'test_prompt_with_image', description: 'A prompt with an image' },
  { name: 'test_input_required_result_prompt', description: 'A prompt that asks the client first' },
];

const messageOf = (content: GetPromptResult['messages'][number]['content']): GetPromptResult => ({ messages: [{ role: 'user', content }] });

type Arguments = Readonly<Record<string, string>>;

function promptOf(name: string, given: Arguments, { mcpReq }: ServerContext): GetPromptResult | InputRequiredResult {
  if (name === 'test_simple_prompt') return messageOf({ type: 'text', text: 'This is a simple prompt for testing.' });
  if (name === 'test_prompt_with_arguments')
    return messageOf({ type: 'text', text: `Prompt with arguments: arg1='${given.arg1}', arg2='${given.arg2}'` });
  if (name === 'test_prompt_with_embedded_resource')
    return messageOf({
      type: 'resource',
      resource: { uri: given.resourceUri!, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
    });
  if (name === 'test_prompt_with_image') return messageOf({ type: 'image', data: PNG, mimeType: 'image/png' });
  if (name !== 'test_input_required_result_prompt') throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt ${name}.`);
  const context = acceptedContent<{ context?: unknown }>(mcpReq.inputResponses, 'user_context')?.context;
  if (typeof context === 'string') return messageOf({ type: 'text', text: `Use the following context: ${context}` });
  const requestedSchema = { type: 'object' as const, properties: { context: { type: 'string' as const } }, required: ['context'] };
  return inputRequired({
    inputRequests: { user_context: inputRequired.elicit({ message: 'What context should the prompt use?', requestedSchema }) },
  });
}

/** Prompts that the conformance suite needs, and completions of their arguments. */
export function addPrompts(server: Server): void {
  server.registerCapabilities({ prompts: {}, completions: {} });
  server.setRequestHandler('prompts/list', () => ({ prompts: [...PROMPTS] }));
  server.setRequestHandler('prompts/get', ({ params }, context) => promptOf(params.name, params.arguments ?? {}, context));
  server.setRequestHandler('completion/complete', () => ({ completion: { values: [], total: 0, hasMore: false } }));
}
