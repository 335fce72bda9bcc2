import type { ResourceLink } from '@modelcontextprotocol/server';
import { leadingOf } from '../../../kernel/empty-claim.js';
import { fitted } from './fitting.js';
import type { RestAnswer, Tool } from './tool.js';
import { DETAIL, FIELDS, ROWS } from './tools-of-contract.js';
import { ToolAnswer } from './visible-text.js';

type Members = Readonly<Record<string, unknown>>;

/** What a tool answers when the API did what it was asked. */
export function answerOf(tool: Tool, inputs: Members, answer: RestAnswer): ToolAnswer {
  const whole = (answer.record ?? answer.body ?? { deleted: true }) as Members;
  const fields = inputs[FIELDS] as readonly string[] | undefined;
  const isWhole = tool.leftOut.length === 0 || inputs[DETAIL] === 'full';
  const asked = fields ? picked(whole, fields) : isWhole ? whole : leanAnswer(tool, answer.body as Members);
  const { properties } = tool.inputSchema;
  const [isSized, isPaged] = [inputs, properties].map((given) => Object.keys(ROWS).some((name) => given[name] !== undefined));
  const isAsked = fields !== undefined || inputs[DETAIL] === 'full';
  const { content, advice } = isAsked ? { content: asked } : fitted(asked, whole, { isSized, isPaged, picks: FIELDS in properties });
  const json = (content === whole ? answer.text : undefined) ?? JSON.stringify(content);
  const first = [headline(tool, content), advice].filter(Boolean).join(' ');
  return new ToolAnswer([...emptyClaimsIn(whole), first, json].join('\n'), json, false, linksTo(tool, whole));
}

/** These fields alone, and the id. A name that the record does not have is said. */
function picked(whole: Members, fields: readonly string[]): Members {
  const kept: Record<string, unknown> = 'id' in whole ? { id: whole.id } : {};
  const notThere = fields.filter((field) => {
    const path = field.split('.');
    const value = path.reduce<unknown>(
      (inner, name) => (Object.hasOwn(Object(inner) as object, name) ? (inner as Members)[name] : undefined),
      whole,
    );
    if (value !== undefined) kept[field] = value;
    return value === undefined;
  });
  return { ...kept, ...(notThere.length > 0 && { notThere }) };
}

/** The files of a run. What reads one must have the credential: the address alone opens nothing. */
function linksTo({ capability, mediaTypes }: Tool, { id, result }: Members): ResourceLink[] {
  const { outputs } = (result ?? {}) as { outputs?: readonly { readonly format: string; readonly bytes: number }[] };
  if (capability !== 'claim_reports' || !outputs) return [];
  return outputs.map(({ format, bytes }) => ({
    type: 'resource_link',
    uri: `claims://reports/${id as string}/${format}`,
    name: `report.${format}`,
    mimeType: mediaTypes[format],
    size: bytes,
  }));
}

/** What a model must know before it reads the figures of runs that read no statement: else it reports zero as the claim. */
function emptyClaimsIn({ result, data }: { result?: unknown; data?: unknown }): string[] {
  if (!Array.isArray(data)) {
    // The messages name projects, which people may call what they like: they stand in the data.
    return leadingWarnings(result).length === 0 ? [] : [`WARNING: This run read ${NOTHING_READ} Its \`warnings\` say what to do.`];
  }
  const empty = data.filter((record) => leadingWarnings((record as { result?: unknown } | null)?.result).length > 0).length;
  return empty === 0 ? [] : [`WARNING: ${empty} of these runs read ${NOTHING_READ}`];
}

const NOTHING_READ = 'no line of a bank statement: a claim of zero is no result.';

function leadingWarnings(result: unknown): Warning[] {
  const { warnings } = (result ?? {}) as { warnings?: readonly Warning[] };
  return warnings ? leadingOf(warnings, ({ code }) => code) : [];
}

type Warning = Readonly<Record<'code' | 'message', string>>;

/** The first line of the text, after such a warning: a summary of the structured content. */
function headline({ summary }: Tool, content: Members): string {
  const { data, pagination, id, status } = content as {
    data?: unknown[];
    pagination?: { total: number; hasMore: boolean };
  } & Record<string, unknown>;
  if (Array.isArray(data)) {
    const ofTotal = pagination ? ` of ${pagination.total}` : '';
    return `${summary}: ${data.length}${ofTotal}${pagination?.hasMore ? '; more pages follow' : ''}.`;
  }
  // No text that people write, such as a name: in a sentence of ours, a model would take it for ours.
  return `${summary}: ${[status, id].filter((part) => typeof part === 'string').join(', ') || 'done'}.`;
}

/** A record, the objects in it, and the objects in these: `changes.name.from`. Below are values of users, which stay as they are. */
const LEVELS = 3;

/** Records as their tool answers: without the fields that cost a model much and tell it little, and without members that are null. */
function leanAnswer({ leftOut }: Tool, content: Members): Members {
  if (!Array.isArray(content.data)) return lean(content, leftOut);
  return { ...content, data: (content.data as Members[]).map((record) => lean(record, leftOut)) };
}

function lean(members: Members, leftOut: readonly string[], path: readonly string[] = []): Members {
  const kept = Object.entries(members).flatMap(([name, value]): [string, unknown][] => {
    const place = [...path, name];
    if (value === null || leftOut.includes(place.join('.'))) return [];
    const isObject = typeof value === 'object' && !Array.isArray(value);
    return [[name, isObject && place.length < LEVELS ? lean(value as Members, leftOut, place) : value]];
  });
  return Object.fromEntries(kept);
}
