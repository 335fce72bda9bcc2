import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Settings } from '../../../kernel/settings/settings.js';
import { Problem } from '../../../kernel/problems.js';
import { Tracing } from '../../../store/tracing/tracing.js';
import { Sender } from '../sending/sender.js';
import { LookUps } from '../../../api/outbound/look-ups.js';
import { requireAllowedTarget } from '../endpoints/endpoint-rules.js';

export interface TargetFinding {
  readonly target: string;
  readonly what: string;
  readonly refused: boolean;
  readonly detail: string;
}

/** Targets that must be refused, in the spellings that an attacker would try. */
const FORBIDDEN: readonly (readonly [what: string, hosts: string])[] = [
  ['this machine', '127.0.0.1 127.255.255.254 0.0.0.0 [::1] [::]'],
  ['a name of this machine', 'localhost LOCALHOST localhost.'],
  [
    'this machine, in an unusual spelling',
    '127.1 2130706433 0x7f000001 0x7f.0.0.1 0177.0.0.1 127.0.0.1. 127。0。0。1 ①②⑦.0.0.1 %31%32%37.0.0.1',
  ],
  [
    'this machine, within an IPv6 address',
    '[::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b:1::7f00:1] [2002:7f00:1::1]',
  ],
  ['a private network', '10.0.0.1 172.16.0.1 192.168.0.1 [fd00::1] [::ffff:10.0.0.1]'],
  ['link-local addresses and cloud metadata', '169.254.169.254 169.254.0.1 [fe80::1] [fd00:ec2::254] [::ffff:a9fe:a9fe]'],
  ["a provider's network (CGNAT)", '100.64.0.1 100.100.100.200'],
  ['multicast and reserved addresses', '224.0.0.1 255.255.255.255 [ff02::1] 192.0.2.1 240.0.0.1 [2001:db8::1]'],
];

/** The requests belong to no organization. */
const NOBODY = '';
/** Timeout of a request that was not refused. Its response does not matter. */
const TIMEOUT_MS = 1000;

/** Sends requests to forbidden targets in the same way as deliveries, and listens on this machine for those that get through. */
export async function examineTargets(settings: Settings): Promise<TargetFinding[]> {
  const listener = await Listener.start();
  const sender = new Sender(settings.with({ webhookTimeoutMs: TIMEOUT_MS }), new LookUps(), Tracing.OFF);
  try {
    const targets = FORBIDDEN.flatMap(([what, hosts]) =>
      hosts.split(' ').map((host) => ({ what, target: `http://${host}:${listener.port}/` })),
    );
    // One at a time, so that a connection can be attributed to its target.
    const findings: TargetFinding[] = [];
    for (const { what, target } of targets) findings.push(await tryTarget(sender, listener, settings, what, target));
    return [...findings, await tryRedirect(listener, settings)];
  } finally {
    await sender.onApplicationShutdown();
    await listener.stop();
  }
}

async function tryTarget(sender: Sender, listener: Listener, settings: Settings, what: string, target: string): Promise<TargetFinding> {
  const before = listener.connections;
  const accepted = await accepts(target, settings);
  const { errorCode, status } = await sender.send({ organizationId: NOBODY, url: target, headers: {}, body: '{}' });
  if (listener.connections > before) return { target, what, refused: false, detail: 'REACHED: a request arrived' };
  if (errorCode === 'name_not_resolved') return { target, what, refused: true, detail: 'the name does not resolve here' };
  if (errorCode !== 'target_not_allowed') return { target, what, refused: false, detail: `NOT REFUSED: ${status ?? errorCode}` };
  return accepted
    ? { target, what, refused: false, detail: 'ACCEPTED as the target of an endpoint, although deliveries to it are refused' }
    : { target, what, refused: true, detail: 'refused' };
}

async function accepts(target: string, settings: Settings): Promise<boolean> {
  const resolved = await new LookUps().resolve(target, NOBODY);
  try {
    requireAllowedTarget(resolved, 'test', settings);
    return true;
  } catch (error) {
    if (error instanceof Problem && error.code === 'target_not_allowed') return false;
    throw error;
  }
}

/** An allowed receiver redirects to this machine. The redirect must not be followed, not even when its target is allowed. */
async function tryRedirect(listener: Listener, settings: Settings): Promise<TargetFinding> {
  const receiver = await Listener.start(listener.url);
  const sender = new Sender(
    settings.with({ webhookTimeoutMs: TIMEOUT_MS, webhookAllowedNetworks: ['127.0.0.1'] }),
    new LookUps(),
    Tracing.OFF,
  );
  const before = listener.connections;
  const { status } = await sender.send({ organizationId: NOBODY, url: receiver.url, headers: {}, body: '{}' });
  await sender.onApplicationShutdown();
  await receiver.stop();
  const about = { target: listener.url, what: 'this machine, by a redirect' };
  if (listener.connections > before) return { ...about, refused: false, detail: 'REACHED: the redirect was followed' };
  if (status !== REDIRECT) return { ...about, refused: false, detail: `NOT TESTED: no redirect was received (${status})` };
  return { ...about, refused: true, detail: 'not followed' };
}

const REDIRECT = 307;

class Listener {
  connections = 0;

  private constructor(private readonly server: ReturnType<typeof createServer>) {
    server.on('connection', () => (this.connections += 1));
  }

  /** With a location it answers with a redirect to it. */
  static async start(location?: string): Promise<Listener> {
    // Connections are not reused, so every request is counted.
    const headers = { connection: 'close', ...(location !== undefined && { location }) };
    const server = createServer((_request, response) => void response.writeHead(location === undefined ? 200 : REDIRECT, headers).end());
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
    return new Listener(server);
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
