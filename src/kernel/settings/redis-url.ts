import { readFileSync } from 'node:fs';

export interface RedisNode {
  readonly host: string;
  readonly port: number;
}

interface Access {
  readonly username?: string;
  readonly password?: string;
  readonly isEncrypted: boolean;
  /** The certificates (PEM) that the servers' own must be signed by. Without them, those of well-known authorities. */
  readonly ca?: string;
}

export type RedisAddress =
  | (Access & { readonly kind: 'server'; readonly nodes: readonly [RedisNode]; readonly db: number })
  | (Access & {
      readonly kind: 'sentinel';
      readonly nodes: readonly RedisNode[];
      /** Of the group of servers, as the Sentinels call it. */
      readonly group: string;
      readonly db: number;
      readonly sentinelPassword?: string;
    })
  | (Access & { readonly kind: 'cluster'; readonly nodes: readonly RedisNode[] });

const FORMS = [
  'redis://HOST:PORT',
  'rediss://HOST:PORT (TLS)',
  'redis+sentinel://HOST:PORT,HOST:PORT/NAME',
  'redis+cluster://HOST:PORT,HOST:PORT',
];
const INVALID = `must have one of the forms ${FORMS.join(', ')}`;
const PARTS = /^(redis|rediss)(?:\+(sentinel|cluster))?:\/\/(?:([^@/]*)@)?([^/?]+)(?:\/([^?]*))?(?:\?(.*))?$/;
const NODE = /^(\[[\da-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?$/i;
const DEFAULT_PORTS = { server: 6379, sentinel: 26379, cluster: 6379 };

/** Throws an Error whose message completes “REDIS_URL …”, without what the address contains: it may be a password. */
export function parseRedisUrl(text: string): RedisAddress {
  const [, scheme, engine, credentials, hosts = '', path = '', query = ''] = PARTS.exec(text) ?? [];
  if (scheme === undefined) throw new Error(INVALID);
  const kind = (engine ?? 'server') as RedisAddress['kind'];
  const nodes = hosts.split(',').map((host) => nodeOf(host, DEFAULT_PORTS[kind]));
  const isEncrypted = scheme === 'rediss';
  const parameters = new URLSearchParams(query);
  const access = { ...credentialsOf(credentials), isEncrypted, ...authorityOf(parameters.get('ca'), isEncrypted) };
  const segments = path.split('/').filter(Boolean);
  const [first, second, ...more] = segments;
  if (more.length > 0) throw new Error(INVALID);
  if (kind === 'cluster') {
    if (first !== undefined) throw new Error('must not name a database: a cluster has one');
    return { kind, nodes, ...access };
  }
  if (kind === 'server') {
    if (nodes.length > 1) throw new Error('names several servers: use redis+sentinel:// or redis+cluster://');
    if (second !== undefined) throw new Error(INVALID);
    return { kind, nodes: [nodes[0]!], db: databaseOf(first), ...access };
  }
  if (first === undefined)
    throw new Error('must end with the name that the Sentinels know the servers by: redis+sentinel://HOST:PORT/NAME');
  const sentinelPassword = parameters.get('sentinelPassword');
  const group = decodeURIComponent(first);
  return { kind, nodes, group, db: databaseOf(second), ...access, ...(sentinelPassword !== null && { sentinelPassword }) };
}

function nodeOf(text: string, defaultPort: number): RedisNode {
  const [, host, port = String(defaultPort)] = NODE.exec(text) ?? [];
  if (host === undefined || Number(port) > 65_535) throw new Error(INVALID);
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}

function credentialsOf(text = ''): Pick<Access, 'username' | 'password'> {
  const [username = '', ...rest] = text.split(':');
  const password = rest.join(':');
  return { ...(username && { username: decoded(username) }), ...(password && { password: decoded(password) }) };
}

function authorityOf(file: string | null, isEncrypted: boolean): Pick<Access, 'ca'> {
  if (file === null) return {};
  if (!isEncrypted) throw new Error('has a file of certificates (ca), but no TLS: use rediss://');
  try {
    return { ca: readFileSync(file, 'utf8') };
  } catch (error) {
    throw new Error(`has a file of certificates (ca) that cannot be read (${(error as NodeJS.ErrnoException).code})`, { cause: error });
  }
}

function databaseOf(text = '0'): number {
  if (!/^\d{1,5}$/.test(text)) throw new Error('must end with the number of a database, or with none');
  return Number(text);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('has credentials that are not percent-encoded');
  }
}

/** The servers of an address, to be shown: without credentials. */
export const shownNodes = ({ nodes }: RedisAddress): string => nodes.map(({ host, port }) => `${host}:${port}`).join(', ');
