import { lackOf, type Caller } from '../../../kernel/permissions.js';
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
}

const ALL: ToolFilter = { isReadOnly: false, toolsets: undefined };

/** A filter with an unknown name or value is refused: a guess could give a model more tools than intended. */
export class UnknownToolFilter {
  constructor(readonly message: string) {}
}

export type Filtered = Pick<Tool, 'risk' | 'capability'>;

export function filterTools<T extends Filtered>(tools: readonly T[], { isReadOnly, toolsets }: ToolFilter): T[] {
  return tools.filter(
    ({ risk, capability }) => (!isReadOnly || risk === 'read_only') && (toolsets === undefined || toolsets.includes(capability)),
  );
}

/** `/mcp?readonly`, `/mcp?toolsets=claim_projects,usage` */
export function filterOfUrl(url: string, tools: readonly Filtered[]): ToolFilter | UnknownToolFilter {
  const start = url.indexOf('?');
  if (start < 0) return ALL;
  const query = new URLSearchParams(url.slice(start));
  const unknown = [...query.keys()].find((name, index, names) => !['readonly', 'toolsets'].includes(name) || names.indexOf(name) !== index);
  if (unknown !== undefined)
    return new UnknownToolFilter(
      `The parameter ${JSON.stringify(unknown.slice(0, 100))} is unknown or repeated. Use readonly and toolsets, each at most once.`,
    );
  const readonly = query.get('readonly') ?? 'false';
  if (!['', 'true', 'false'].includes(readonly)) return new UnknownToolFilter('readonly must be true or false.');
  return filterOfOptions(readonly !== 'false', query.get('toolsets') ?? undefined, tools);
}

export function filterOfOptions(isReadOnly: boolean, list: string | undefined, tools: readonly Filtered[]): ToolFilter | UnknownToolFilter {
  const toolsets = list?.split(',').map((name) => name.trim());
  const known = [...new Set(tools.map(({ capability }) => capability))];
  const unknown = toolsets?.find((name) => !known.includes(name));
  if (unknown !== undefined)
    return new UnknownToolFilter(`There is no toolset ${JSON.stringify(unknown.slice(0, 100))}. Toolsets: ${known.join(', ')}.`);
  return { isReadOnly, toolsets };
}
