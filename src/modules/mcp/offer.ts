import { PLANS, type Plan } from '../../kernel/plans.js';
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
  return tools.filter(
    (tool) =>
      (tool.scope === undefined || scopes.includes(tool.scope)) &&
      (tool.plan === undefined || PLANS.indexOf(plan) >= PLANS.indexOf(tool.plan as Plan)),
  );
}

const ALL: Wish = { isReadOnly: false, toolsets: undefined };

/** A wish that names what there is not: to guess at it might give a model more than somebody wanted it to have. */
export class UnknownWish {
  constructor(readonly message: string) {}
}

/** `/mcp?readonly`, `/mcp?toolsets=claim_projects,usage` */
export function wishOf(url: string, tools: readonly Tool[]): Wish | UnknownWish {
  const start = url.indexOf('?');
  if (start < 0) return ALL;
  const query = new URLSearchParams(url.slice(start));
  const unknown = [...query.keys()].find((name, index, names) => !['readonly', 'toolsets'].includes(name) || names.indexOf(name) !== index);
  if (unknown !== undefined)
    return new UnknownWish(`${JSON.stringify(unknown.slice(0, 100))} is not known here, or given twice: there are readonly and toolsets.`);
  const readonly = query.get('readonly') ?? 'false';
  if (!['', 'true', 'false'].includes(readonly)) return new UnknownWish('readonly is true or false.');
  return wishFor(readonly !== 'false', query.get('toolsets') ?? undefined, tools);
}

export function wishFor(isReadOnly: boolean, list: string | undefined, tools: readonly Tool[]): Wish | UnknownWish {
  const toolsets = list?.split(',').map((name) => name.trim());
  const known = [...new Set(tools.map(({ capability }) => capability))];
  const unknown = toolsets?.find((name) => !known.includes(name));
  if (unknown !== undefined)
    return new UnknownWish(`There is no toolset ${JSON.stringify(unknown.slice(0, 100))}: there are ${known.join(', ')}.`);
  return { isReadOnly, toolsets };
}
