import type { Schema, Tool } from './tool.js';

type Members = Readonly<Record<string, unknown>>;

/** The input that asks for what a lean list leaves out. It is for the tool: the API always answers with every field. */
export const DETAIL = 'detail';

export function detailInput(leftOut: readonly string[]): Schema {
  return { type: 'string', enum: ['lean', 'full'], default: 'lean', description: `full: also ${leftOut.join(', ')}.` };
}

/** A record, the objects in it, and the objects in these: `changes.name.from`. Below are values of users, which stay as they are. */
const LEVELS = 3;

/** A list as its tool answers: without the fields that cost a model much and tell it little, and without members that are null. */
export function leanList({ leftOut }: Tool, inputs: Members, content: Members): Members {
  if (leftOut.length === 0 || inputs[DETAIL] === 'full') return content;
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
