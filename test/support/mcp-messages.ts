export interface Said {
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

interface Wanted {
  readonly capabilities?: object;
  /** Of the address. */
  readonly query?: string;
}

/** A client of the newest revision, as it writes its messages. */
export function sendNewest({ url }: { readonly url: string }, key: string, { capabilities = {}, query = '' }: Wanted = {}) {
  return async (method: string, params: Readonly<Record<string, unknown>> = {}): Promise<Said> => {
    const named = (params.name ?? params.uri ?? params.taskId) as string | undefined;
    const headers = {
      'X-API-Key': key,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': method,
      ...(named !== undefined && { 'Mcp-Name': named }),
    };
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': capabilities,
      'io.modelcontextprotocol/clientInfo': { name: 'A client', version: '1.0.0' },
      ...(params._meta as object | undefined),
    };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } });
    const answer = await fetch(`${url}/mcp${query}`, { method: 'POST', headers, body });
    const text = await answer.text();
    const [data = text] = /(?<=^data: ).*"id":1.*$/m.exec(text) ?? [];
    return JSON.parse(data) as Said;
  };
}
