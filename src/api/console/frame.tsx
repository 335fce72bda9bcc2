import { Injectable, type Type } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { renderToString } from 'preact-render-to-string';
import { ENVIRONMENTS } from '../../kernel/context.js';
import { isAtLeast } from '../../kernel/roles.js';
import { API_NAME } from '../../kernel/product.js';
import { Assets } from './assets.js';
import { FormFields } from './parts/fields.js';
import { Head } from './parts/head.js';
import { CONTENT_ID, NAVIGATION_GROUPS, sectionOf, type SectionDeclaration, type ShownPage, pathOf, type PageContext } from './page.js';
import { Note, TabLinks } from './parts/facts.js';
import { say, told, wordingNow } from './say.js';
import { Shown } from './shown.js';

@Injectable()
export class Frame {
  private sections: readonly SectionDeclaration[] | undefined;
  private shown: Shown | undefined;
  /** The navigation is the same for all people of a role. */
  private readonly navigations = new Map<string, string>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly assets: Assets,
  ) {}

  render(ctx: PageContext, { title, body, beside }: ShownPage): string {
    const section = this.sectionAt(ctx);
    const content = (
      <html lang={wordingNow().language} class={ctx.environment}>
        <Head assets={this.assets} title={title} />
        <body>
          <a class="skip" href="#content">
            {say('console.frame.skip')}
          </a>
          <TopBar ctx={ctx} section={section} />
          {ctx.environment === 'test' ? (
            <aside class="of-test" aria-label={say('console.frame.environment')}>
              <strong>{say('console.frame.test')}.</strong> {say('console.frame.notReal')}{' '}
              <a href={pathOf({ environment: 'live' }, ...(section ? [section.path] : []))}>{say('console.frame.useLive')}</a>
            </aside>
          ) : null}
          <nav
            id="navigation"
            class="sections"
            aria-label={say('console.frame.sections')}
            dangerouslySetInnerHTML={{ __html: this.navigation(ctx, section) }}
          />
          <main id={CONTENT_ID}>
            <Tabs ctx={ctx} sections={this.sectionsFor(ctx)} current={section} />
            <Title title={title} beside={beside} />
            {ctx.notice === undefined ? null : <Note tone="notice">{ctx.notice}</Note>}
            {body}
          </main>
        </body>
      </html>
    );
    return `<!doctype html>${renderToString(content)}`;
  }

  sectionsFor(ctx: PageContext): readonly SectionDeclaration[] {
    return this.all().filter((section) => section.group && isSeen(ctx, section) && this.isOpen(ctx, pathOf(ctx, section.path)) !== false);
  }

  /** Whether an address leads to a page that is not refused for what it shows; undefined: to no page of the console. */
  isOpen(ctx: PageContext, href: string): boolean | undefined {
    this.shown ??= new Shown(this.controllers());
    return this.shown.isOpen(ctx, href);
  }

  private navigation(ctx: PageContext, current: SectionDeclaration | undefined): string {
    const name = [ctx.environment, ctx.user.role, wordingNow().language].join(' ');
    const made =
      (ctx.hidden ? undefined : this.navigations.get(name)) ??
      renderToString(<Navigation ctx={ctx} sections={this.sectionsFor(ctx)} icons={this.assets.pathOf('icons.svg')} />);
    if (!ctx.hidden) this.navigations.set(name, made);
    const here = current ? [current.path, current.tabOf ?? []].flat().map((path) => pathOf(ctx, path)) : [pathOf(ctx)];
    return here.reduce((html, path) => html.replace(`href="${path}"`, '$& aria-current="page"'), made);
  }

  private all(): readonly SectionDeclaration[] {
    return (this.sections ??= this.controllers()
      .flatMap((controller) => sectionOf(controller) ?? [])
      .sort(({ order: a = 0 }, { order: b = 0 }) => a - b));
  }

  private controllers(): Type<unknown>[] {
    return this.discovery.getControllers().flatMap(({ metatype }) => (metatype as Type<unknown> | null) ?? []);
  }

  private sectionAt({ path, environment }: PageContext): SectionDeclaration | undefined {
    const below = path.slice(`/console/${environment}/`.length);
    return this.all().find(({ path: own }) => own !== '' && !own.includes(':') && (below === own || below.startsWith(`${own}/`)));
  }
}

export function Title({ title, beside }: Pick<ShownPage, 'title' | 'beside'>) {
  if (!beside) return <h1>{title}</h1>;
  const { up, badge, actions } = beside;
  return (
    <>
      {up ? (
        <p class="crumbs">
          <a href={up[0]}>{up[1]}</a>
        </p>
      ) : null}
      <div class="title">
        <h1>{title}</h1>
        {badge}
        {actions ? <p class="buttons">{actions}</p> : null}
      </div>
    </>
  );
}

/** The script opens it over the page as well. */
export const Search = ({ ctx }: { ctx: Pick<PageContext, 'environment'> }) => (
  <form class="find" role="search" aria-label={say('console.frame.theConsole')} action={pathOf(ctx, 'search')}>
    <input type="search" name="q" aria-label={say('console.frame.search')} placeholder={say('console.frame.search')} maxLength={200} />
  </form>
);

function TopBar({ ctx, section }: { ctx: PageContext; section: SectionDeclaration | undefined }) {
  return (
    <header class="top">
      <a class="brand" href={pathOf(ctx)}>
        {API_NAME}
      </a>
      <span class="organization">{ctx.organization.name}</span>
      <Search ctx={ctx} />
      <nav class="environments" aria-label={say('console.frame.environment')}>
        {ENVIRONMENTS.map((environment) => (
          <a
            href={pathOf({ environment }, ...(section ? [section.path] : []))}
            class={environment}
            aria-current={environment === ctx.environment ? 'true' : undefined}
          >
            {say(`console.frame.${environment}`)}
          </a>
        ))}
      </nav>
      <a class="to-navigation" href="#navigation">
        {say('console.frame.menu')}
      </a>
      <details class="account">
        <summary>{ctx.user.name}</summary>
        <div>
          <p>{ctx.organization.name}</p>
          <p class="hint">{ctx.user.email}</p>
          <Others ctx={ctx} />
          <a href={pathOf(ctx, 'account')}>{say('console.frame.account')}</a>
          <form method="post" action="/console/sign-out">
            <FormFields ctx={ctx} />
            <button class="plain">{say('console.frame.signOut')}</button>
          </form>
        </div>
      </details>
    </header>
  );
}

const Others = ({ ctx }: { ctx: PageContext }) =>
  ctx.others.map(({ userId, name }) => (
    <form method="post" action="/console/switch">
      <FormFields ctx={ctx} />
      <input type="hidden" name="user" value={userId} />
      <button class="plain">{say('console.frame.switchTo', { name })}</button>
    </form>
  ));

interface SectionsProps {
  readonly ctx: PageContext;
  readonly sections: readonly SectionDeclaration[];
  readonly current: SectionDeclaration | undefined;
}

const isSeen = (ctx: PageContext, { operation, role = 'member' }: SectionDeclaration): boolean =>
  (operation === undefined || ctx.can(operation)) && isAtLeast(ctx.user.role, role);

/** On the first page of a section with tabs, and of each of them. */
function Tabs({ ctx, sections, current }: SectionsProps) {
  if (!current || ctx.path.split('?')[0] !== pathOf(ctx, current.path)) return null;
  const first = current.tabOf ?? current.path;
  const tabs = sections.filter(({ path, tabOf }) => path === first || tabOf === first);
  if (tabs.length < 2) return null;
  const links = tabs.map((tab) => [pathOf(ctx, tab.path), told(tab.label), tab === current] as const);
  return <TabLinks label={say('console.frame.tabs')} links={links} />;
}

/** The names in icons.svg. */
export const WITH_ICON: ReadonlySet<string> = new Set([
  ...['overview', 'search', 'other'],
  ...['projects', 'statements', 'categories', 'configurations', 'items', 'reports', 'requests', 'keys', 'webhooks', 'applications'],
  ...['organization', 'members', 'audit'],
]);

export const Icon = ({ icons, name }: { icons: string; name: string }) => (
  <svg class="icon" aria-hidden="true">
    <use href={`${icons}#${name}`} />
  </svg>
);

function Navigation({ ctx, sections, icons }: Omit<SectionsProps, 'current'> & { readonly icons: string }) {
  const iconOf = (name: string) => <Icon icons={icons} name={name} />;
  // A tab of a section that somebody does not see stands by itself.
  const isTab = ({ tabOf }: SectionDeclaration): boolean => sections.some(({ path }) => path === tabOf);
  return (
    <>
      <a class="to-content" href={`#${CONTENT_ID}`}>
        {say('console.frame.close')}
      </a>
      <a class="to-search" href={pathOf(ctx, 'search')}>
        {iconOf('search')}
        {say('console.frame.search')}
      </a>
      <a href={pathOf(ctx)}>
        {iconOf('overview')}
        {say('console.frame.overview')}
      </a>
      {NAVIGATION_GROUPS.map((group) => (
        <section>
          <h2>{told(group)}</h2>
          <ul>
            {sections
              .filter((section) => section.group === group && !isTab(section))
              .map((section) => (
                <li>
                  <a href={pathOf(ctx, section.path)}>
                    {iconOf(WITH_ICON.has(section.path) ? section.path : 'other')}
                    {told(section.label)}
                  </a>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </>
  );
}
