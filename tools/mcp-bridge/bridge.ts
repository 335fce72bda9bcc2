/** Messages that a program writes as lines, passed on to a tool server over HTTP, and what it answers. It knows no tool. */

export interface BridgeOptions {
  /** Of the tool server, such as `https://api.example.com/mcp?readonly`. */
  readonly address: string;
  /** The credential and what else each request has. Asked for each time, as a token may have to be renewed. */
  readonly headers: () => Promise<Readonly<Record<string, string>>>;
  /** Gets one message, without the end of its line. */
  readonly write: (line: string) => void;
  /** For people. It is given no message of either side. */
  readonly log: (text: string) => void;
}

/** What cannot be sent, in words that repeat no credential. */
export class BridgeError extends Error {}

const LINE_MAX_BYTES = 4 * 1024 * 1024;
const AT_ONCE_MAX = 32;
/** A server that waits for something answers sooner. Only what listens waits for longer. */
const ANSWER_WITHIN_MS = 60_000;

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
/** From the range that JSON-RPC leaves to servers: for what was not answered by the server. */
const REFUSED = -32001;

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
/** The member of `params` that the header Mcp-Name repeats. */
const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

/** Which tools the client asks for. The server refuses names that it does not know. */
export interface ToolOptions {
  readonly readonly?: boolean | undefined;
  readonly toolsets?: string | undefined;
  readonly tools?: string | undefined;
}

/** The address of the tools of a service. */
export function addressOf(service: string, { readonly = false, toolsets, tools }: ToolOptions): string {
  const wishes = {
    ...(readonly && { readonly: 'true' }),
    ...(toolsets !== undefined && { toolsets }),
    ...(tools !== undefined && { tools }),
  };
  const query = new URLSearchParams(wishes).toString();
  return `${service}/mcp${query && '?'}${query}`;
}

type Members = Readonly<Record<string, unknown>>;
type Id = string | number;

interface Message {
  readonly id: Id | undefined;
  readonly method: unknown;
  readonly params: Members;
}

/** Passes on each line as a request of its own. Resolves at the end of the input, when what was still running is cancelled. */
export async function bridge(input: AsyncIterable<Uint8Array>, options: BridgeOptions): Promise<void> {
  await checkHeaders(options);
  const open = new Bridge(options);
  for await (const line of linesOf(input, LINE_MAX_BYTES)) open.take(line);
  open.end();
}

/** A credential that cannot be sent is reported now, and not by the first request. */
async function checkHeaders({ headers }: BridgeOptions): Promise<void> {
  const given = await headers();
  try {
    new Headers(given);
  } catch {
    throw new BridgeError('The credential holds characters that no credential has.');
  }
}

class Bridge {
  private readonly running = new Map<unknown, AbortController>();
  /** What `initialize` has agreed on. From revision 2026-07-28 on, each message says its own. */
  private version: string | undefined;

  constructor(private readonly options: BridgeOptions) {}

  take(line: string | undefined): void {
    if (line?.trim() === '') return;
    if (line === undefined) return this.refuse(null, INVALID_REQUEST, `A line may have at most ${LINE_MAX_BYTES} bytes.`);
    const message = messageIn(line);
    if (typeof message === 'string') return this.refuse(null, message === NO_JSON ? PARSE_ERROR : INVALID_REQUEST, message);
    const { id, method, params } = message;
    // Over HTTP, a request is cancelled by closing it.
    if (method === 'notifications/cancelled') return this.running.get(params.requestId)?.abort();
    if (id !== undefined && this.running.has(id)) return this.refuse(id, INVALID_REQUEST, 'A request with this id is not answered yet.');
    if (this.running.size >= AT_ONCE_MAX) return this.refuseBusy(id);
    void this.pass(line, message);
  }

  end(): void {
    for (const request of this.running.values()) request.abort();
  }

  private async pass(line: string, message: Message): Promise<void> {
    const { id, method } = message;
    const stop = new AbortController();
    const key = id ?? stop;
    this.running.set(key, stop);
    const listens = method === 'subscriptions/listen';
    const signal = listens ? stop.signal : AbortSignal.any([stop.signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]);
    try {
      const headers = { ...(await this.options.headers()), ...headersFor(message, this.version) };
      const status = await this.exchange({ method: 'POST', headers, body: line, redirect: 'error', signal }, message);
      if (status !== undefined && id !== undefined) throw new BridgeError(`The service answered with ${status}, but not to the request.`);
    } catch (error) {
      // A client that has cancelled a request waits for nothing.
      if (!stop.signal.aborted) this.fail(id, error as Error);
    } finally {
      this.running.delete(key);
    }
  }

  /** Returns the status if there was no answer to the message among what the server said. */
  private async exchange(request: RequestInit, message: Message): Promise<number | undefined> {
    try {
      const answer = await fetch(this.options.address, request);
      return (await this.tellAll(answer, message)) ? undefined : answer.status;
    } catch {
      // The reason may name a header.
      const isLate = request.signal!.aborted;
      throw new BridgeError(isLate ? `No answer within ${ANSWER_WITHIN_MS / 1000} seconds.` : `${this.options.address} does not answer.`);
    }
  }

  /** Writes what the server says to a request, and returns whether its answer was among it. */
  private async tellAll(answer: Response, message: Message): Promise<boolean> {
    const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
    if (!isStream) return this.tell(await answer.text(), message);
    let isAnswered = false;
    for await (const text of eventsOf(answer.body!)) isAnswered = this.tell(text, message) || isAnswered;
    return isAnswered;
  }

  private tell(text: string, { id, method }: Message): boolean {
    const said = objectIn(text);
    if (said?.jsonrpc !== '2.0') return false;
    // What is refused before it was read belongs to no message.
    const isRefusal = (said.id ?? null) === null && said.error !== undefined;
    if (isRefusal && id === undefined) this.options.log(String((said.error as Members).message));
    else this.options.write(isRefusal ? JSON.stringify({ ...said, id }) : text.replace(/[\r\n]+/g, ' '));
    if (isRefusal || said.id !== id) return isRefusal;
    const { protocolVersion: version } = (said.result ?? {}) as Members;
    if (method === 'initialize' && typeof version === 'string') this.version = version;
    return id !== undefined;
  }

  private refuseBusy(id: Id | undefined): void {
    if (id !== undefined) this.refuse(id, REFUSED, `At most ${AT_ONCE_MAX} requests are passed on at once.`, 'too_many_requests');
  }

  private fail(id: Id | undefined, { message }: Error): void {
    this.options.log(message);
    if (id !== undefined) this.refuse(id, REFUSED, message, 'unavailable');
  }

  private refuse(id: Id | null, code: number, message: string, error?: string): void {
    const data = error === undefined ? {} : { data: { error, retry: 'same_key' } };
    this.options.write(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, ...data } }));
  }
}

const NO_JSON = 'A line must be a message in JSON.';
const NO_MESSAGE = 'A line must be one message of JSON-RPC.';

/** What is wrong with a line, as text. */
function messageIn(line: string): Message | string {
  const value = objectIn(line);
  if (!value) return line.trimStart().startsWith('[') ? NO_MESSAGE : NO_JSON;
  const { id, method, params } = value;
  if (id !== undefined && typeof id !== 'string' && typeof id !== 'number') return NO_MESSAGE;
  return { id: method === undefined ? undefined : id, method, params: isObject(params) ? params : {} };
}

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value);

function objectIn(text: string): Members | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** What the newest revision wants as headers, too, so that those in between need not read bodies. */
function headersFor({ method, params }: Message, agreed: string | undefined): Record<string, string> {
  const own = isObject(params._meta) ? params._meta[VERSION_KEY] : undefined;
  const version = typeof own === 'string' ? own : agreed;
  const name = typeof method === 'string' && Object.hasOwn(NAMED_BY, method) ? params[NAMED_BY[method]!] : undefined;
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(version !== undefined && { 'mcp-protocol-version': inHeader(version) }),
    ...(typeof own === 'string' && typeof method === 'string' && { 'mcp-method': inHeader(method) }),
    ...(typeof own === 'string' && typeof name === 'string' && { 'mcp-name': inHeader(name) }),
  };
}

/** As the protocol writes what does not fit into a header. */
const inHeader = (value: string): string =>
  /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !value.startsWith('=?base64?')
    ? value
    : `=?base64?${Buffer.from(value).toString('base64')}?=`;

/** The texts of an event stream. Comments keep it open, and events without text tell only where it stands. */
async function* eventsOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let text: string[] = [];
  for await (const line of linesOf(body, Infinity)) {
    if (line!.startsWith('data:')) text.push(line!.slice('data:'.length));
    if (line !== '' || text.length === 0) continue;
    const said = text.join('\n').trim();
    text = [];
    if (said !== '') yield said;
  }
}

/** Lines without their ends; undefined for each that is too long, which is not kept. */
async function* linesOf(input: AsyncIterable<Uint8Array>, max: number): AsyncGenerator<string | undefined> {
  let parts: Uint8Array[] = [];
  let length = 0;
  const keep = (part: Uint8Array): void => {
    length += part.length;
    if (length > max) parts = [];
    else parts.push(part);
  };
  const line = (): string | undefined => {
    const whole = length > max ? undefined : Buffer.concat(parts).toString().replace(/\r$/, '');
    parts = [];
    length = 0;
    return whole;
  };
  for await (const chunk of input) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      keep(chunk.subarray(from, end));
      from = end + 1;
      yield line();
    }
    keep(chunk.subarray(from));
  }
  if (length > 0) yield line();
}
