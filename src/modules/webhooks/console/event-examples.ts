import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFolder } from '../../../api/http/package-folder.js';

/** The body of an event, as the AsyncAPI document shows it. */
export type ExampleBody = Readonly<Record<string, unknown>> & { readonly type: string };

interface Document {
  readonly components: {
    readonly messages: Readonly<Record<string, { readonly examples?: readonly { readonly payload: ExampleBody }[] }>>;
  };
}

let kept: Promise<Document> | undefined;

/** The example of a kind; undefined for one whose data is not settled. The document is read once. */
export async function exampleOf(kind: string): Promise<ExampleBody | undefined> {
  kept ??= readFile(join(packageFolder(), 'docs', 'asyncapi.json'), 'utf8').then((text) => JSON.parse(text) as Document);
  const { messages } = (await kept).components;
  return Object.hasOwn(messages, kind) ? messages[kind]!.examples?.[0]?.payload : undefined;
}
