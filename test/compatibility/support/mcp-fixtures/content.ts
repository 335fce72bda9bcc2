import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import type { FixtureTool } from './fixture-tool.js';

/** One red pixel. */
export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
/** A WAV file without samples. */
const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';

export const text = (words: string): CallToolResult => ({ content: [{ type: 'text', text: words }] });

const IMAGE = { type: 'image', data: PNG, mimeType: 'image/png' } as const;

async function withLogging({ mcpReq }: ServerContext): Promise<CallToolResult> {
  for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed'])
    await mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data } });
  return text('Logged three times.');
}

async function withProgress({ mcpReq }: ServerContext): Promise<CallToolResult> {
  const progressToken = mcpReq._meta?.progressToken;
  // Without a token, the client wants no progress.
  if (progressToken === undefined) return text('No progress was requested.');
  for (const progress of [0, 50, 100])
    await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
  return text(String(progressToken));
}

async function loggingIfRequested({ mcpReq }: ServerContext): Promise<CallToolResult> {
  await mcpReq.log('info', 'Sent only to clients that set a level.');
  return text('Logged.');
}

/** Tools that answer at once, with every kind of content. */
export const CONTENT_TOOLS: Readonly<Record<string, FixtureTool>> = {
  test_simple_text: () => text('This is a simple text response for testing.'),
  test_image_content: () => ({ content: [IMAGE] }),
  test_audio_content: () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] }),
  test_embedded_resource: () => ({
    content: [
      {
        type: 'resource',
        resource: { uri: 'test://embedded-resource', mimeType: 'text/plain', text: 'This is an embedded resource content.' },
      },
    ],
  }),
  test_multiple_content_types: () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      IMAGE,
      {
        type: 'resource',
        resource: { uri: 'test://mixed-content-resource', mimeType: 'application/json', text: '{"test":"data","value":123}' },
      },
    ],
  }),
  test_error_handling: () => ({ isError: true, content: [{ type: 'text', text: 'This tool intentionally returns an error for testing' }] }),
  test_tool_with_logging: withLogging,
  test_tool_with_progress: withProgress,
  test_logging_tool: loggingIfRequested,
  test_streaming_elicitation: () => text('The client was asked nothing.'),
};
