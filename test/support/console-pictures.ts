/** Where the pictures of the console's pages are. */
export const PICTURES = 'docs/console';
export const MAX_PICTURES_BYTES = 2.125 * 1024 * 1024;

/** Those that the first page of the service shows, by their names in `public/`. */
export const ON_FIRST_PAGE: Readonly<Record<string, string>> = {
  'report.webp': 'reports-one.desktop.webp',
  'statement.webp': 'statements-one.desktop.webp',
  'endpoint.webp': 'webhooks-one.desktop.webp',
};

/** A page for developers, that no link of the console leads to. */
export const PARTS_PAGE = '/console/parts';

/** As the guide shows them. */
const WIDTHS: Readonly<Record<string, number>> = { desktop: 480, phone: 180 };

/** The name of a picture: `projects-one-edit.desktop.webp` shows `/console/:environment/projects/:project_id/edit`. */
export function pictureOf(route: string, view: string): string {
  return `${partsOf(route).join('-') || 'overview'}.${view}.webp`;
}

/** `webhooks, one, edit` for the page that edits an endpoint. */
const wordsOf = (route: string): string => partsOf(route).join(', ') || 'overview';

function partsOf(route: string): string[] {
  const parts = belowConsole(route).filter(Boolean);
  return parts.map((part) => (part.startsWith(':') ? 'one' : part));
}

const belowConsole = (route: string): string[] => route.replace(/^\/console\/(:environment\/?)?/, '').split('/');

const [BEGIN, END] = ['<!-- pictures of the pages -->', '<!-- end of the pictures -->'];

/** The guide with a picture of each page in each view, by the first part of their addresses. */
export function withPictures(guide: string, routes: readonly string[], views: readonly string[]): string {
  const sections = sectionsOf(routes);
  const shown = [...sections].map(([section, pages]) => {
    const name = section === '' ? 'overview' : section;
    const pictures = pages.flatMap((route) =>
      views.map((view) => `<img src="console/${pictureOf(route, view)}" alt="${wordsOf(route)}, on a ${view}" width="${WIDTHS[view]}">`),
    );
    return `### ${name[0]!.toUpperCase()}${name.slice(1)}\n\n${pictures.join('\n')}\n`;
  });
  const [before, after] = guide.includes(BEGIN) ? [guide.split(BEGIN)[0]!, guide.split(END)[1]!] : [`${guide}\n## Pictures\n\n`, '\n'];
  return `${before}${BEGIN}\n\n${shown.join('\n')}\n${END}${after}`;
}

function sectionsOf(routes: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const sections = new Map<string, string[]>();
  for (const route of [...routes].sort()) {
    const name = belowConsole(route)[0]!;
    sections.set(name, [...(sections.get(name) ?? []), route]);
  }
  return sections;
}
