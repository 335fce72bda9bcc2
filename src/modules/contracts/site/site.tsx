import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { CONSOLE_HEADERS } from '../../../api/console/open-pages.js';
import { Assets } from '../../../api/console/assets.js';
import { Head } from '../../../api/console/parts/head.js';
import { Implements } from '../../../store/discovery/ports.js';
import { Lost, LostPage, lostTitle, type SentPage } from '../../../api/http/pages/lost-page.js';
import { API_NAME } from '../../../kernel/product.js';
import { groupsOf, GUIDES_PATH, guides, shownOf, type Guide, type GuideText } from '../guides.js';
import { markdown, sectionsIn } from '../../../../tools/markdown-pages/index.js';
import { INDEX_PATH, QUERY_MAX_LENGTH, SEARCH_PATH, search, readSections, type IndexEntry, type Section } from './search.js';

interface Shown {
  readonly title: string;
  readonly all: readonly Guide[];
  readonly current?: Guide;
  readonly query?: string;
  readonly body: ComponentChildren;
}

@Implements(LostPage)
export class Site implements LostPage {
  readonly path = GUIDES_PATH;
  private sections: Promise<readonly Section[]> | undefined;
  private lost: Promise<SentPage> | undefined;

  constructor(private readonly assets: Assets) {}

  async index(): Promise<string> {
    const all = await guides();
    const body = (
      <>
        <h1>Guides</h1>
        <p>
          New here? Start with the <a href={all[0]!.page}>{all[0]!.title.toLowerCase()}</a>. <a href="/docs">Try the API</a> sends every
          operation from your browser.
        </p>
        {groupsOf(all).map(([group, members]) => (
          <section>
            <h2>{group}</h2>
            <dl>
              {members.map(({ page, title, about }) => (
                <>
                  <dt>
                    <a href={page}>{title}</a>
                  </dt>
                  <dd>{about}</dd>
                </>
              ))}
            </dl>
          </section>
        ))}
      </>
    );
    return this.render({ title: 'Guides', all, body });
  }

  async guide(current: GuideText): Promise<string> {
    const all = await guides();
    const at = all.findIndex(({ name }) => name === current.name);
    const shown = shownOf(current);
    const body = (
      <>
        <Contents sections={await sectionsIn(shown)} />
        {await markdown(shown)}
        <p class="hint">
          <a href={current.path}>This page as Markdown</a>
        </p>
        <nav class="neighbours" aria-label="Previous and next guide">
          <Neighbour guide={all[at - 1]} words="Previous" rel="prev" />
          <Neighbour guide={all[at + 1]} words="Next" rel="next" />
        </nav>
      </>
    );
    return this.render({ title: current.title, all, current, body });
  }

  async page(title: string, body: ComponentChildren, kind: 'first' | 'other' = 'other'): Promise<string> {
    return this.render({ title, all: kind === 'first' ? [] : await guides(), body });
  }

  async results(query: string): Promise<string> {
    const found = search(await this.allSections(), query);
    const shown = query.slice(0, QUERY_MAX_LENGTH);
    const body = (
      <>
        <h1>Search the guides</h1>
        <p role="status">
          {shown === '' ? 'Enter a word to look for.' : `${found.length === 0 ? 'Nothing' : found.length} found for “${shown}”.`}
        </p>
        <ol class="results">
          {found.map(({ href, title, heading, excerpt }) => (
            <li>
              <a href={href}>{heading === title ? title : `${title}: ${heading}`}</a>
              <p>{excerpt}</p>
            </li>
          ))}
        </ol>
      </>
    );
    return this.render({ title: 'Search', all: await guides(), query: shown, body });
  }

  show(): Promise<SentPage> {
    return (this.lost ??= this.lostPage());
  }

  private async lostPage(): Promise<SentPage> {
    const body = (
      <>
        <h1>{lostTitle()}</h1>
        <Lost back={<a href={GUIDES_PATH}>See all guides</a>} />
      </>
    );
    return { html: this.render({ title: lostTitle(), all: await guides(), body }), headers: CONSOLE_HEADERS };
  }

  async entries(): Promise<IndexEntry[]> {
    return (await this.allSections()).map(({ href, title, heading, words }) => ({ href, title, heading, words }));
  }

  private allSections(): Promise<readonly Section[]> {
    return (this.sections ??= guides().then(readSections));
  }

  private render({ title, all, current, query, body }: Shown): string {
    const content = (
      <html lang="en">
        <Head assets={this.assets} title={title}>
          <link rel="stylesheet" href={this.assets.pathOf('guides.css')} />
          <script src={this.assets.pathOf('guides.js')} type="module" />
        </Head>
        <body class={all.length === 0 ? 'site first' : 'site'}>
          <a class="skip" href="#content">
            Skip to the content
          </a>
          <TopBar query={query} />
          {all.length === 0 ? null : <Navigation all={all} current={current} />}
          <main id="content">{body}</main>
        </body>
      </html>
    );
    return `<!doctype html>${renderToString(content)}`;
  }
}

const TopBar = ({ query }: { query: string | undefined }) => (
  <header class="top">
    <a class="brand" href="/">
      {API_NAME}
    </a>
    <nav class="places" aria-label="Places">
      <a href={GUIDES_PATH}>Guides</a>
      <a href="/docs">Try the API</a>
      <a href="/problems">Problems</a>
      <a href="/console">Console</a>
    </nav>
    <a class="to-navigation" href="#navigation">
      Menu
    </a>
    <form class="search" role="search" aria-label="Guides" action={SEARCH_PATH} data-index={INDEX_PATH}>
      <input type="search" name="q" aria-label="Search the guides" placeholder="Search" maxLength={QUERY_MAX_LENGTH} value={query} />
      <button class="plain">Search</button>
    </form>
  </header>
);

const Navigation = ({ all, current }: { all: readonly Guide[]; current: Guide | undefined }) => (
  <nav id="navigation" class="sections" aria-label="Guides">
    <GroupedGuides all={all} Heading="h2" current={current} />
  </nav>
);

/** Links to all guides, under the names of their groups. */
export const GroupedGuides = ({ all, Heading, current }: { all: readonly Guide[]; Heading: 'h2' | 'h3'; current?: Guide | undefined }) =>
  groupsOf(all).map(([group, members]) => (
    <section>
      <Heading>{group}</Heading>
      <ul>
        {members.map(({ name, page, title }) => (
          <li>
            <a href={page} aria-current={name === current?.name ? 'page' : undefined}>
              {title}
            </a>
          </li>
        ))}
      </ul>
    </section>
  ));

const Contents = ({ sections }: { sections: Awaited<ReturnType<typeof sectionsIn>> }) =>
  sections.length < 3 ? null : (
    <nav class="contents" aria-label="On this page">
      <strong>On this page</strong>
      <ul>
        {sections.map(({ id, title }) => (
          <li>
            <a href={`#${id}`}>{title}</a>
          </li>
        ))}
      </ul>
    </nav>
  );

const Neighbour = ({ guide, words, rel }: { guide: Guide | undefined; words: string; rel: string }) =>
  guide ? (
    <a href={guide.page} rel={rel}>
      <span class="hint">{words}</span> {guide.title}
    </a>
  ) : null;
