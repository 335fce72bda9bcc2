import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFolder } from '../../api/http/package-folder.js';

/** Where the service answers with its guides. */
export const GUIDES_PATH = '/guides';

/** The files of `docs/` that are for users of the API, with what each is about. The others are for operators and for our own work. */
const ABOUT = {
  'claim-reports': 'What a run computes: rules, options, the result and its files.',
  'bank-statements': 'Which files are read, how they are redacted, and what every warning and refusal means.',
  'statement-layouts': 'The layouts of banks that the service knows.',
  webhooks: 'Receiving events: signatures, retries, limits.',
  events: 'Every kind of event.',
  clients: 'Generating a client from the OpenAPI document.',
  oauth: 'Acting for the users of an organization.',
  mcp: 'The tool server for language models.',
  'audit-log': 'What the audit log contains, and how to verify it.',
  'audit-actions': 'Every action of the audit log.',
  operations: 'Every operation, with its scope, plan, tool and events.',
  glossary: 'The nouns of the API.',
} as const;

export interface Guide {
  readonly name: string;
  /** `name.md`: links between guides work for readers of the repository and of the service alike. */
  readonly path: string;
  readonly title: string;
  readonly about: string;
}

interface KeptGuide extends Guide {
  readonly text: string;
}

let kept: Promise<readonly KeptGuide[]> | undefined;

/** All guides. They are read once. */
export const guides = (): Promise<readonly KeptGuide[]> => (kept ??= Promise.all(Object.entries(ABOUT).map(read)));

async function read([name, about]: [string, string]): Promise<KeptGuide> {
  const text = withoutDeadLinks(await readFile(join(packageFolder(), 'docs', `${name}.md`), 'utf8'));
  const title = /^# (.+)$/m.exec(text)![1]!;
  return { name, path: `${GUIDES_PATH}/${name}.md`, title, about, text };
}

/** A link to a file that the service does not answer with becomes the words that it stands under. */
const withoutDeadLinks = (text: string): string =>
  text.replace(/\[([^\]]+)\]\(([\w./-]+\.\w+)(?:#[\w-]+)?\)/g, (link, words: string, file: string) =>
    Object.hasOwn(ABOUT, file.replace(/\.md$/, '')) ? link : words,
  );
