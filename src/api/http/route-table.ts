import type { FastifyInstance } from 'fastify';
import { meantBy } from '../../kernel/spelling.js';

declare module 'fastify' {
  interface FastifyInstance {
    routeTable: RouteTable;
  }
  interface FastifyContextConfig {
    /** Browsers may call the route from pages of any origin. */
    anyOrigin?: boolean;
    /** People open the route in a browser. */
    isPage?: boolean;
  }
}

interface KnownRoute {
  readonly parts: readonly string[];
  readonly methods: Set<string>;
  anyOrigin: boolean;
}

const ORDER = ['GET', 'POST', 'PATCH', 'DELETE', 'HEAD'];
const rank = (method: string): number => (ORDER.includes(method) ? ORDER.indexOf(method) : ORDER.length);

/** Every route of the server, for what the router does not tell: which methods a path has, and who may call it from a browser. */
export class RouteTable {
  private readonly routes = new Map<string, KnownRoute>();

  static read(fastify: FastifyInstance): RouteTable {
    const table = new RouteTable();
    fastify.addHook('onRoute', ({ url, method, config }) => table.add(url, [method].flat(), config?.anyOrigin === true));
    return table;
  }

  add(url: string, methods: readonly string[], anyOrigin = false): void {
    const route = this.routes.get(url) ?? { parts: url.split('/'), methods: new Set(), anyOrigin };
    for (const method of methods) route.methods.add(method);
    route.anyOrigin ||= anyOrigin;
    this.routes.set(url, route);
  }

  methodsAt(url: string): string[] {
    const methods = new Set(this.at(url).flatMap((route) => [...route.methods]));
    return [...methods].sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));
  }

  nearestTo(url: string): string | undefined {
    return nearestPath(url, this.routes.keys());
  }

  /** Whether the path of a URL has a route that pages of any origin may call. */
  isOpenAt(url: string): boolean {
    return this.at(url).some(({ anyOrigin }) => anyOrigin);
  }

  private at(url: string): KnownRoute[] {
    const parts = url.split('?')[0]!.split('/');
    return [...this.routes.values()].filter((route) => isAt(parts, route.parts));
  }
}

function isAt(parts: readonly string[], expected: readonly string[]): boolean {
  const rest = expected.at(-1) === '*' ? expected.length - 1 : undefined;
  if (rest === undefined ? expected.length !== parts.length : parts.length <= rest) return false;
  return expected.slice(0, rest).every((part, index) => (part.startsWith(':') ? parts[index] !== '' : parts[index] === part));
}

const VERSION = 'v1';
/** Longer paths are no slips of a developer, and must cost nothing. */
const [MAX_LENGTH, MAX_PARTS] = [200, 8];

const partsOf = (path: string): string[] => path.split('/').filter((part) => part !== '');

const singular = (word: string): string => word.toLowerCase().replaceAll('_', '-').replace(/ies$/, 'y').replace(/s$/, '');

/** How far a part of a path is from the one that a route has; undefined if it is something else. */
function distance(part: string, expected: string): number | undefined {
  if (part === expected || expected.startsWith(':')) return 0;
  if (meantBy(part, [expected]) !== undefined || singular(part) === singular(expected)) return 1;
  // The last word of a name of two.
  return singular(expected).endsWith(`-${singular(part)}`) ? 2 : undefined;
}

/** The path of the API that a URL without a route was probably meant to be: other spelling, singular, prefix or version. */
function nearestPath(url: string, routes: Iterable<string>): string | undefined {
  const path = url.split('?')[0]!;
  const sent = partsOf(path);
  if (path.length > MAX_LENGTH || sent.length > MAX_PARTS) return undefined;
  if (sent[0]?.toLowerCase() === 'api') sent.shift();
  if (/^v\d+$/i.test(sent[0] ?? '')) sent.shift();
  let nearest: { route: string; away: number } | undefined;
  for (const route of routes) {
    const [version, ...expected] = partsOf(route);
    if (version !== VERSION || expected.length === 0 || expected.length !== sent.length) continue;
    const distances = expected.map((part, index) => distance(sent[index]!, part));
    if (distances.includes(undefined)) continue;
    const away = distances.reduce<number>((sum, one) => sum + one!, 0);
    if (!nearest || away < nearest.away) nearest = { route, away };
  }
  return nearest?.route.replace(/:(\w+)/g, '{$1}');
}
