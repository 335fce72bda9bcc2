import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { renderToString } from 'preact-render-to-string';
import { ENVIRONMENTS, type Environment } from '../../kernel/context.js';
import { isAtLeast } from '../../kernel/roles.js';
import { API_NAME } from '../../kernel/product.js';
import { Assets } from './assets.js';
import { FormFields } from './parts/fields.js';
import { Head } from './parts/head.js';
import { CONTENT_ID, NAVIGATION_GROUPS, sectionOf, type SectionDeclaration, type ShownPage } from './page.js';
import { pathOf, type PageContext } from './page-context.js';

const ENVIRONMENT_NAMES: Record<Environment, string> = { test: 'Test data', live: 'Live data' };

/** What every page has around it: navigation, environment, the person who is signed in. */
@Injectable()
export class Frame {
  private sections: readonly SectionDeclaration[] | undefined;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly assets: Assets,
  ) {}

  render(ctx: PageContext, { title, body, beside }: ShownPage): string {
    const [sections, section] = [this.all(), this.sectionAt(ctx)];
    const content = (
      <html lang="en" class={ctx.environment}>
        <Head assets={this.assets} title={title} />
        <body>
          <a class="skip" href="#content">
            Skip to the content
          </a>
          <TopBar ctx={ctx} section={section} />
          {ctx.environment === 'test' ? (
            <aside class="of-test" aria-label="Environment">
              <strong>Test data.</strong> Nothing here is real.{' '}
              <a href={pathOf({ environment: 'live' }, ...(section ? [section.path] : []))}>Use live data</a>
            </aside>
          ) : null}
          <Navigation ctx={ctx} sections={sections} current={section} />
          <main id={CONTENT_ID}>
            <Tabs ctx={ctx} sections={sections} current={section} />
            <Title title={title} beside={beside} />
            {ctx.notice === undefined ? null : (
              <p class="notice" role="status">
                {ctx.notice}
              </p>
            )}
            {body}
          </main>
        </body>
      </html>
    );
    return `<!doctype html>${renderToString(content)}`;
  }

  /** What somebody sees in the navigation, and its tabs. */
  sectionsFor(ctx: PageContext): readonly SectionDeclaration[] {
    return this.all().filter((section) => section.group && isSeen(ctx, section));
  }

  private all(): readonly SectionDeclaration[] {
    return (this.sections ??= this.discovery
      .getControllers()
      .flatMap(({ metatype }) => (metatype && sectionOf(metatype)) ?? [])
      .sort(({ order: a = 0 }, { order: b = 0 }) => a - b));
  }

  private sectionAt({ path, environment }: PageContext): SectionDeclaration | undefined {
    const below = path.slice(`/console/${environment}/`.length);
    return this.all().find(({ path: own }) => own !== '' && !own.includes(':') && (below === own || below.startsWith(`${own}/`)));
  }
}

function Title({ title, beside }: Pick<ShownPage, 'title' | 'beside'>) {
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

function TopBar({ ctx, section }: { ctx: PageContext; section: SectionDeclaration | undefined }) {
  return (
    <header class="top">
      <a class="brand" href={pathOf(ctx)}>
        {API_NAME}
      </a>
      <span class="organization">{ctx.organization.name}</span>
      <form class="find" role="search" aria-label="The console" action={pathOf(ctx, 'search')}>
        <input type="search" name="q" aria-label="Search" placeholder="Search" maxLength={200} />
      </form>
      <nav class="environments" aria-label="Environment">
        {ENVIRONMENTS.map((environment) => (
          <a
            href={pathOf({ environment }, ...(section ? [section.path] : []))}
            class={environment}
            aria-current={environment === ctx.environment ? 'true' : undefined}
          >
            {ENVIRONMENT_NAMES[environment]}
          </a>
        ))}
      </nav>
      <a class="to-navigation" href="#navigation">
        Menu
      </a>
      <details class="account">
        <summary>{ctx.user.name}</summary>
        <div>
          <p>{ctx.organization.name}</p>
          <p class="hint">{ctx.user.email}</p>
          <Others ctx={ctx} />
          <a href={pathOf(ctx, 'account')}>Your account</a>
          <form method="post" action="/console/sign-out">
            <FormFields ctx={ctx} />
            <button class="plain">Sign out</button>
          </form>
        </div>
      </details>
    </header>
  );
}

/** The same person in other organizations: one click away. */
const Others = ({ ctx }: { ctx: PageContext }) =>
  ctx.others.map(({ userId, name }) => (
    <form method="post" action="/console/switch">
      <FormFields ctx={ctx} />
      <input type="hidden" name="user" value={userId} />
      <button class="plain">Switch to {name}</button>
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
  const tabs = sections.filter((section) => section.group && (section.path === first || section.tabOf === first) && isSeen(ctx, section));
  if (tabs.length < 2) return null;
  return (
    <nav class="tabs" aria-label="Tabs">
      {tabs.map((tab) => (
        <a href={pathOf(ctx, tab.path)} aria-current={tab === current ? 'page' : undefined}>
          {tab.label}
        </a>
      ))}
    </nav>
  );
}

function Navigation({ ctx, sections, current }: SectionsProps) {
  // A tab of a section that somebody does not see stands by itself.
  const isTab = ({ tabOf }: SectionDeclaration): boolean => sections.some((section) => section.path === tabOf && isSeen(ctx, section));
  return (
    <nav id="navigation" class="sections" aria-label="Sections">
      <a class="to-content" href={`#${CONTENT_ID}`}>
        Close
      </a>
      <a class="to-search" href={pathOf(ctx, 'search')}>
        Search
      </a>
      <a href={pathOf(ctx)} aria-current={current ? undefined : 'page'}>
        Overview
      </a>
      {NAVIGATION_GROUPS.map((group) => (
        <section>
          <h2>{group}</h2>
          <ul>
            {sections
              .filter((section) => section.group === group && isSeen(ctx, section) && !isTab(section))
              .map((section) => (
                <li>
                  <a
                    href={pathOf(ctx, section.path)}
                    aria-current={section === current || section.path === current?.tabOf ? 'page' : undefined}
                  >
                    {section.label}
                  </a>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}
