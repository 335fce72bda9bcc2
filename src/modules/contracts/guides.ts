import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFolder } from '../../api/http/package-folder.js';

/** Where the service answers with its guides. */
export const GUIDES_PATH = '/guides';

/**
 * The files of `docs/` that are for users of the API, with what each is about, in the groups and the order in which people read them.
 * The others are for operators and for our own work.
 */
const GROUPS = {
  Start: {
    quickstart: 'Five minutes to the first report: curl, TypeScript, Python.',
    authentication: 'Keys, environments, and OAuth in one page.',
    environments: 'Test data and live data, and records to try things with.',
    clients: 'Generating a client from the OpenAPI document.',
  },
  Concepts: {
    idempotency: 'Repeating a request without doing it twice.',
    errors: 'Every error code, with its cause and what to do.',
    pagination: 'Reading lists to their end.',
    limits: 'How much, how often and how large.',
    versioning: 'What may change, and how you learn of it.',
    glossary: 'The nouns of the API.',
  },
  Guides: {
    'bank-statements': 'Which files are read, how they are redacted, and what every warning and refusal means.',
    'claim-reports': 'What a run computes: rules, options, the result and its files.',
    webhooks: 'Receiving events: signatures, retries, limits.',
    oauth: 'Acting for the users of an organization.',
    mcp: 'The tool server for language models.',
    'audit-log': 'What the audit log contains, and how to verify it.',
  },
  Operations: {
    'going-live': 'What to check before the first live request.',
    operations: 'Every operation, with its scope, plan, tool and events.',
    events: 'Every kind of event.',
    'audit-actions': 'Every action of the audit log.',
    'statement-layouts': 'The layouts of banks that the service knows.',
  },
} as const satisfies Record<string, Record<string, string>>;

export interface Guide {
  readonly name: string;
  /** `name.md`: links between guides work for readers of the repository and of the service alike. */
  readonly path: string;
  /** The same as a page for people. */
  readonly page: string;
  readonly group: string;
  readonly title: string;
  readonly about: string;
}

export interface GuideText extends Guide {
  readonly text: string;
}

const LISTED = Object.entries(GROUPS).flatMap(([group, named]) => Object.entries(named).map(([name, about]) => ({ name, group, about })));

let kept: Promise<readonly GuideText[]> | undefined;

/** All guides, in their order. They are read once. */
export const guides = (): Promise<readonly GuideText[]> => (kept ??= Promise.all(LISTED.map(read)));

async function read({ name, group, about }: (typeof LISTED)[number]): Promise<GuideText> {
  const text = withoutDeadLinks(await readFile(join(packageFolder(), 'docs', `${name}.md`), 'utf8'));
  const title = /^# (.+)$/m.exec(text)![1]!;
  const page = `${GUIDES_PATH}/${name}`;
  return { name, path: `${page}.md`, page, group, title, about, text };
}

/** A link to a file that the service does not answer with becomes the words that it stands under. */
const withoutDeadLinks = (text: string): string =>
  text.replace(/\[([^\]]+)\]\(([\w./-]+\.\w+)(?:#[\w-]+)?\)/g, (link, words: string, file: string) =>
    LISTED.some(({ name }) => `${name}.md` === file) ? link : words,
  );
