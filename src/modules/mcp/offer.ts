import { PLANS, type Plan } from '../../platform/limits/tiers.js';
import type { Tool } from './tool.js';

/** Who asks for tools: what it may do. */
export interface Caller {
  readonly scopes: readonly string[];
  readonly plan: Plan;
}

/** Which of the tools somebody wants to have. */
export interface Wish {
  readonly isReadOnly: boolean;
  /** Capabilities; undefined: all. */
  readonly toolsets: readonly string[] | undefined;
}

/** The tools that somebody asked for: what is not among them is not there for them. */
export const wished = (tools: readonly Tool[], wish: Wish): Tool[] => tools.filter((tool) => isWished(tool, wish));

export function isWished({ risk, capability }: Tool, { isReadOnly, toolsets }: Wish): boolean {
  return (!isReadOnly || risk === 'read_only') && (toolsets === undefined || toolsets.includes(capability));
}

/** The tools that are worth listing to a caller; the API refuses the others. */
export function allowed(tools: readonly Tool[], { scopes, plan }: Caller): Tool[] {
  return tools.filter((tool) => (tool.scope === undefined || scopes.includes(tool.scope)) && (tool.plan === undefined || PLANS.indexOf(plan) >= PLANS.indexOf(tool.plan as Plan)));
}

/** `/mcp?readonly`, `/mcp?toolsets=claim_projects,usage` */
export function wishOf(url: string): Wish {
  const start = url.indexOf('?');
  if (start < 0) return ALL;
  const query = new URLSearchParams(url.slice(start));
  const toolsets = query.get('toolsets')?.split(',').map((name) => name.trim()).filter(Boolean);
  return { isReadOnly: query.has('readonly') && query.get('readonly') !== 'false', toolsets };
}

const ALL: Wish = { isReadOnly: false, toolsets: undefined };
