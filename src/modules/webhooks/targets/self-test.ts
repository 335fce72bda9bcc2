import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Settings } from '../../../kernel/settings/settings.js';
import { Problem } from '../../../kernel/problems.js';
import { Sender } from '../sending/sender.js';
import { requireAllowedTarget } from './target-url.js';

export interface TargetFinding {
  readonly target: string;
  /** What it stands for. */
  readonly what: string;
  readonly refused: boolean;
  readonly detail: string;
}

/** Where no delivery may ever go, by the ways in which somebody would try. */
const FORBIDDEN: readonly (readonly [what: string, ...hosts: string[]])[] = [
  ['this machine', '127.0.0.1', '127.255.255.254', '0.0.0.0', '[::1]', '[::]'],
  ['a name of this machine', 'localhost', 'LOCALHOST', 'localhost.'],
  [
    'this machine, oddly spelt',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '127.0.0.1.',
    '127。0。0。1',
    '①②⑦.0.0.1',
    '%31%32%37.0.0.1',
  ],
  [
    'this machine, within an IPv6 address',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::7f00:1]',
    '[2002:7f00:1::1]',
  ],
  ['a private network', '10.0.0.1', '172.16.0.1', '192.168.0.1', '[fd00::1]', '[::ffff:10.0.0.1]'],
  ["the link, and the cloud's metadata", '169.254.169.254', '169.254.0.1', '[fe80::1]', '[fd00:ec2::254]', '[::ffff:a9fe:a9fe]'],
  ["a provider's network (CGNAT)", '100.64.0.1', '100.100.100.200'],
  ['many at once, or nobody', '224.0.0.1', '255.255.255.255', '[ff02::1]', '192.0.2.1', '240.0.0.1', '[2001:db8::1]'],
];

/** So long an address that was let through is given to answer: that it was let through is known already. */
const PATIENCE_MS = 1000;

/** Tries, as deliveries are made, what must not be reached, and listens on this machine for whether something gets through all the same. */
export async function examineTargets(settings: Settings): Promise<TargetFinding[]> {
  const here = await Witness.start();
  const sender = new Sender(settings.with({ webhookTimeoutMs: PATIENCE_MS }));
  try {
    const targets = FORBIDDEN.flatMap(([what, ...hosts]) => hosts.map((host) => ({ what, target: `http://${host}:${here.port}/` })));
    // One after the other: only so is it known for which of them somebody came.
    const findings: TargetFinding[] = [];
    for (const { what, target } of targets) findings.push(await tried(sender, here, settings, what, target));
    return [...findings, await redirected(here, settings)];
  } finally {
    await sender.onApplicationShutdown();
    await here.stop();
  }
}

async function tried(sender: Sender, here: Witness, settings: Settings, what: string, target: string): Promise<TargetFinding> {
  const before = here.connections;
  const accepted = await requireAllowedTarget(target, 'test', settings.webhookAllowedNetworks).then(() => true, isNotRefused);
  const { errorCode, status } = await sender.send({ url: target, headers: {}, body: '{}' });
  if (here.connections > before) return { target, what, refused: false, detail: 'REACHED: a request arrived' };
  if (errorCode === 'name_not_resolved') return { target, what, refused: true, detail: 'the name does not resolve here' };
  if (errorCode !== 'target_not_allowed') return { target, what, refused: false, detail: `LET THROUGH: ${status ?? errorCode}` };
  return accepted
    ? { target, what, refused: false, detail: 'ACCEPTED for an endpoint, though deliveries to it are refused' }
    : { target, what, refused: true, detail: 'refused' };
}

function isNotRefused(error: unknown): boolean {
  if (error instanceof Problem && error.code === 'target_not_allowed') return false;
  throw error;
}

/** A receiver that may be reached answers with a redirect to this machine; even where that is open, nobody must follow. */
async function redirected(here: Witness, settings: Settings): Promise<TargetFinding> {
  const receiver = await Witness.start(here.url);
  const sender = new Sender(settings.with({ webhookTimeoutMs: PATIENCE_MS, webhookAllowedNetworks: ['127.0.0.1'] }));
  const before = here.connections;
  const { status } = await sender.send({ url: receiver.url, headers: {}, body: '{}' });
  await sender.onApplicationShutdown();
  await receiver.stop();
  const about = { target: here.url, what: 'this machine, by a redirect' };
  if (here.connections > before) return { ...about, refused: false, detail: 'REACHED: the redirect was followed' };
  if (status !== REDIRECT) return { ...about, refused: false, detail: `NOT TRIED: the redirect was not received (${status})` };
  return { ...about, refused: true, detail: 'not followed' };
}

const REDIRECT = 307;

/** Listens on this machine, and counts who comes. */
class Witness {
  connections = 0;

  private constructor(private readonly server: ReturnType<typeof createServer>) {
    server.on('connection', () => (this.connections += 1));
  }

  /** On the address at which a forbidden delivery would come in; with an address, whoever asks is sent there. */
  static async start(location?: string): Promise<Witness> {
    // Closed each time, so that the next to come is counted, too.
    const headers = { connection: 'close', ...(location !== undefined && { location }) };
    const server = createServer((_request, response) => void response.writeHead(location === undefined ? 200 : REDIRECT, headers).end());
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
    return new Witness(server);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
