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

  render(ctx: PageContext, { title, body }: ShownPage): string {
    const content = (
      <html lang="en" class={ctx.environment}>
        <Head assets={this.assets} title={title} />
        <body>
          <a class="skip" href="#content">
            Skip to the content
          </a>
          <TopBar ctx={ctx} section={this.sectionAt(ctx)} />
          <Navigation ctx={ctx} sections={this.all()} current={this.sectionAt(ctx)} />
          <main id={CONTENT_ID}>
            <h1>{title}</h1>
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

function TopBar({ ctx, section }: { ctx: PageContext; section: SectionDeclaration | undefined }) {
  return (
    <header class="top">
      <a class="brand" href={pathOf(ctx)}>
        {API_NAME}
      </a>
      <span class="organization">{ctx.organization.name}</span>
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

function Navigation(props: { ctx: PageContext; sections: readonly SectionDeclaration[]; current: SectionDeclaration | undefined }) {
  const { ctx, sections, current } = props;
  const isSeen = ({ operation, role = 'member' }: SectionDeclaration): boolean =>
    (operation === undefined || ctx.can(operation)) && isAtLeast(ctx.user.role, role);
  return (
    <nav id="navigation" class="sections" aria-label="Sections">
      <a href={pathOf(ctx)} aria-current={current ? undefined : 'page'}>
        Overview
      </a>
      {NAVIGATION_GROUPS.map((group) => (
        <section>
          <h2>{group}</h2>
          <ul>
            {sections
              .filter((section) => section.group === group && isSeen(section))
              .map((section) => (
                <li>
                  <a href={pathOf(ctx, section.path)} aria-current={section === current ? 'page' : undefined}>
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
