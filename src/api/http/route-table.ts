import type { FastifyInstance } from 'fastify';

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

/** The order in which methods are listed; others follow. */
const ORDER = ['GET', 'POST', 'PATCH', 'DELETE', 'HEAD'];
const rank = (method: string): number => (ORDER.includes(method) ? ORDER.indexOf(method) : ORDER.length);

/** Every route of the server, for what the router does not tell: which methods a path has, and who may call it from a browser. */
export class RouteTable {
  private readonly routes = new Map<string, KnownRoute>();

  /** Notes the routes that are added from now on. */
  static of(fastify: FastifyInstance): RouteTable {
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

  /** The methods that the path of a URL has, for the `Allow` header. */
  methodsAt(url: string): string[] {
    const methods = new Set(this.at(url).flatMap((route) => [...route.methods]));
    return [...methods].sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));
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
