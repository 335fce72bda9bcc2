import { lackOf, type Caller } from '../../../kernel/permissions.js';
import { TOOL_SETS } from '../../../api/operation/operation.js';
import { PLANS, type StandardPlan } from '../../../kernel/plans.js';
import type { Tool } from './tool.js';

export interface ToolCaller extends Caller {
  readonly plan: StandardPlan;
}

/** The tools worth listing to a caller. The API would refuse the others. */
export function availableTo({ plan, ...caller }: ToolCaller, tools: readonly Tool[]): Tool[] {
  return tools.filter(
    (tool) => !lackOf(caller, tool) && (tool.plan === undefined || PLANS.indexOf(plan) >= PLANS.indexOf(tool.plan as StandardPlan)),
  );
}

/** Which tools the client asked for. To this client, the others do not exist. */
export interface ToolFilter {
  readonly isReadOnly: boolean;
  /** Capabilities; undefined means all. */
  readonly toolsets: readonly string[] | undefined;
  /** Sets of tools beyond the usual ones. */
  readonly sets: readonly string[];
}

/** Of a client that asks for nothing in particular. */
export const USUAL: ToolFilter = { isReadOnly: false, toolsets: undefined, sets: [] };

/** A filter with an unknown name or value is refused: a guess could give a model more tools than intended. */
export class UnknownToolFilter {
  constructor(readonly message: string) {}
}

export type Filtered = Pick<Tool, 'risk' | 'capability' | 'set'>;

export function filterTools<T extends Filtered>(tools: readonly T[], { isReadOnly, toolsets, sets }: ToolFilter): T[] {
  return tools
    .filter(({ set }) => set === undefined || sets.includes(set))
    .filter(({ risk, capability }) => (!isReadOnly || risk === 'read_only') && (toolsets?.includes(capability) ?? true));
}

/** `/mcp?readonly`, `/mcp?toolsets=claim_projects,usage`, `/mcp?tools=claims` */
export function filterOfUrl(url: string, tools: readonly Filtered[]): ToolFilter | UnknownToolFilter {
  const start = url.indexOf('?');
  if (start < 0) return USUAL;
  const query = new URLSearchParams(url.slice(start));
  const unknown = [...query.keys()].find(
    (name, index, names) => !['readonly', 'toolsets', 'tools'].includes(name) || names.indexOf(name) !== index,
  );
  if (unknown !== undefined)
    return new UnknownToolFilter(
      `The parameter ${JSON.stringify(unknown.slice(0, 100))} is unknown or repeated. Use readonly, toolsets and tools, each at most once.`,
    );
  const readonly = query.get('readonly') ?? 'false';
  if (!['', 'true', 'false'].includes(readonly)) return new UnknownToolFilter('readonly must be true or false.');
  const lists = { toolsets: query.get('toolsets') ?? undefined, tools: query.get('tools') ?? undefined };
  return filterOfOptions(readonly !== 'false', lists, tools);
}

/** Each list is of names with commas between them. */
export function filterOfOptions(
  isReadOnly: boolean,
  lists: { readonly toolsets?: string | undefined; readonly tools?: string | undefined },
  tools: readonly Filtered[],
): ToolFilter | UnknownToolFilter {
  const [toolsets, sets = []] = [lists.toolsets, lists.tools].map((list) => list?.split(',').map((name) => name.trim()));
  const capabilities = new Set(filterTools(tools, { ...USUAL, sets }).map(({ capability }) => capability));
  return (
    unknownIn('set of tools', sets, TOOL_SETS) ?? unknownIn('toolset', toolsets ?? [], [...capabilities]) ?? { isReadOnly, toolsets, sets }
  );
}

function unknownIn(kind: string, names: readonly string[], known: readonly string[]): UnknownToolFilter | undefined {
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return undefined;
  return new UnknownToolFilter(`There is no ${kind} ${JSON.stringify(unknown.slice(0, 100))}. There are: ${known.join(', ')}.`);
}
