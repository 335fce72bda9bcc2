import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { packageFolder } from '../../kernel/package-folder.js';

export const GUIDES_PATH = '/guides';

/** In the groups and the order in which people read them. The other files of `docs/` are for operators and for our own work. */
const GROUPS = {
  Start: {
    quickstart: 'Five minutes to the first report: curl, JavaScript, Python.',
    authentication: 'Keys, environments, and OAuth in one page.',
    environments: 'Test data and live data, and records to try things with.',
    'client-library': 'The library for TypeScript and JavaScript.',
    clients: 'The library, generated clients for other languages, Postman and Bruno.',
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
    'bank-statements': 'Which files are read, and what every warning and refusal means.',
    redaction: 'What is masked in statements, by which rules, and what is not found.',
    'redaction-measured': 'How many names, addresses and numbers are found, by language.',
    'claim-reports': 'What a run computes: rules, rates and the result.',
    'claim-lines': 'Deciding about lines that rules do not claim, or claim otherwise.',
    'claim-items': 'Costs that no bank statement has: mileage, day rates, hours of staff.',
    'claim-forms': 'Claims on the forms of tax offices and funders: flat rates, caps, rounding.',
    receipts: 'Files at lines, items and projects: in reports and packs, with the tax that they state.',
    'report-files': 'What a run makes: PDF, workbook, evidence pack, bookings.',
    'claim-closing': 'Review, approval, final claims, corrections, and packs that can be verified in ten years.',
    webhooks: 'Receiving events: signatures, retries, limits.',
    oauth: 'Acting for the users of an organization: step by step, errors, security.',
    'oauth-in-detail': 'Registration, scopes, lifetimes, keys, and applications that serve every organization.',
    mcp: 'The tool server for language models.',
    'mcp-in-detail': 'Hosts of your own, credentials, limits and revisions of the protocol.',
    'audit-log': 'What the audit log contains, and how to verify it.',
    console: 'What people set up and look up in their browser.',
  },
  Operations: {
    'going-live': 'What to check before the first live request.',
    changelog: 'What has changed.',
    operations: 'Every operation, with its scope, plan, tool and events.',
    events: 'Every kind of event.',
    'audit-actions': 'Every action of the audit log.',
    'statement-layouts': 'The layouts of banks that the service knows.',
  },
  Extending: {
    extending: 'Resources and pages of your own, without a fork.',
    'extending-ports': 'Policies, readers, files of reports, languages, credentials and sign-in of your own.',
    'extending-services': 'Brokers, mail, a KMS and a store of files of your own.',
    'extending-hooks': 'Taking part in changes of our records, and fields of your own on them.',
  },
} as const satisfies Record<string, Record<string, string>>;

/** Pages whose file is not `docs/NAME.md`. */
const ELSEWHERE: Readonly<Record<string, string>> = { changelog: 'CHANGELOG.md', 'client-library': 'client/README.md' };

export interface Guide {
  readonly name: string;
  readonly file: string;
  /** `name.md`: links between guides work for readers of the repository and of the service alike. */
  readonly path: string;
  readonly page: string;
  readonly group: string;
  readonly title: string;
  readonly about: string;
}

export interface GuideText extends Guide {
  readonly text: string;
}

export const LISTED = Object.entries(GROUPS).flatMap(([group, named]) =>
  Object.entries(named).map(([name, about]) => ({ name, file: ELSEWHERE[name] ?? `docs/${name}.md`, group, about })),
);

export const groupsOf = (all: readonly Guide[]): (readonly [group: string, members: readonly Guide[]])[] =>
  [...new Set(all.map(({ group }) => group))].map((group) => [group, all.filter((guide) => guide.group === group)]);

/** So much of the changelog, which grows with each change, is on its page. */
const CHANGES_SHOWN = 24 * 1024;

/** What a page shows of its guide: of the changelog the newest changes. As Markdown, it is whole. */
export function shownOf({ name, path, text }: GuideText): string {
  if (name !== 'changelog' || text.length <= CHANGES_SHOWN) return text;
  const newest = text.slice(0, text.lastIndexOf('\n- ', CHANGES_SHOWN));
  return `${newest}\n\nThese are the newest changes. The [changelog as Markdown](${path}) has all.\n`;
}

let kept: Promise<readonly GuideText[]> | undefined;

export const guides = (): Promise<readonly GuideText[]> => (kept ??= Promise.all(LISTED.map(read)));

async function read({ name, file, group, about }: (typeof LISTED)[number]): Promise<GuideText> {
  const text = forSite(await readFile(join(packageFolder(), file), 'utf8'), file);
  const title = /^# (.+)$/m.exec(text)![1]!;
  const page = `${GUIDES_PATH}/${name}`;
  return { name, file, path: `${page}.md`, page, group, title, about, text };
}

const forSite = (text: string, file: string): string => withoutTests(withoutPictures(withLinksOfSite(text, posix.dirname(file))));

/** A link to a file leads to its page. One to a file that is no page becomes the words that it stands under. */
const withLinksOfSite = (text: string, folder: string): string =>
  text.replace(/\[([^\]]+)\]\((?![a-z]+:|[/#])([^)#\s]+)(#[\w-]+)?\)/g, (_link, words: string, path: string, anchor = '') => {
    const target = LISTED.find(({ file }) => file === posix.join(folder, path));
    return target ? `[${words}](${target.name}.md${anchor})` : words;
  });

/** The service has no images: people see the pages themselves. */
const withoutPictures = (text: string): string => text.replace(/\n## Pictures\n[^]*<!-- end of the pictures -->\n/, '');

/** Which tests show what a guide promises is for those who change it. */
const withoutTests = (text: string): string => text.replace(/(\n<!-- shown by [^\n]+ -->)+\n/g, '');
