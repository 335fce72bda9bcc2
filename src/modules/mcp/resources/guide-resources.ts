import type { ReadResourceResult, Resource } from '@modelcontextprotocol/server';
import type { CallRest } from '../tools/rest-call.js';
import { contentsOf, read, refused } from './rest-reading.js';

/** Where the API answers with its guides. */
const GUIDES = '/guides';
const SCHEME = 'claims://guides/';

interface Guide {
  readonly name: string;
  readonly title: string;
  readonly about: string;
}

export const isGuide = (uri: string): boolean => uri.startsWith(SCHEME);

export async function listGuides(callRest: CallRest): Promise<Resource[]> {
  const answer = await callRest(read(GUIDES));
  if (answer.status !== 200) throw refused(answer);
  return (answer.body as { data: readonly Guide[] }).data.map(({ name, title, about }) => ({
    uri: SCHEME + name,
    name: `guide_${name}`,
    title,
    description: about,
    mimeType: 'text/markdown',
  }));
}

export async function readGuide(uri: string, callRest: CallRest): Promise<ReadResourceResult> {
  const name = uri.slice(SCHEME.length);
  return { contents: [await contentsOf(uri, `${GUIDES}/${encodeURIComponent(name)}.md`, callRest)] };
}
