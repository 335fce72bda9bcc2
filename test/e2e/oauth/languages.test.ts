import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scopeGroups } from '../../../src/api/access/scopes.js';
import { Registry } from '../../../src/api/operation/registry.js';
import { wordingFor } from '../../../src/api/wording/page-wording.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aPartner, authorizeUrl, Browser, PASSWORD } from '../../support/oauth.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const SCOPE = 'claim_projects:read claim_projects:write usage:read';
const languageOf = ({ text }: { text: string }): string | undefined => /<html lang="([^"]+)"/.exec(text)?.[1];
const titleOf = ({ text }: { text: string }): string | undefined => /<h1>([^<]+)<\/h1>/.exec(text)?.[1];

const CONSENTS = [
  ['de', 'Month-end sync zulassen?', 'Projekte anlegen und ändern', 'Ablehnen'],
  ['fr', 'Autoriser Month-end sync ?', 'Créer et modifier des projets', 'Refuser'],
  ['es', '¿Permitir Month-end sync?', 'Crear y cambiar proyectos', 'Rechazar'],
  ['nl', 'Month-end sync toestaan?', 'Projecten maken en wijzigen', 'Weigeren'],
  ['en-US', 'Allow Month-end sync?', 'Create and update a claim project', 'Refuse'],
] as const;

describe('who is sent here by an application', () => {
  it.each(CONSENTS)('signs in and decides in the language of their browser: %s', async (language, title, scope, refuse) => {
    const partner = await aPartner(app);
    const browser = new Browser(app.url, `${language},it;q=0.5`);
    const shown = await browser.visit(authorizeUrl(app.url, partner, { scope: SCOPE }));
    expect(languageOf(shown)).toBe(language);
    expect(shown.text).toContain('<strong>Month-end sync</strong>');
    const { email } = partner.user;
    const again = await browser.submit(shown, { do: 'sign-in', email, password: 'not the password' });
    expect([again.status, languageOf(again), titleOf(again)]).toEqual([400, language, titleOf(shown)]);
    const consent = await browser.submit(again, { do: 'sign-in', email, password: PASSWORD });
    expect([languageOf(consent), titleOf(consent)]).toEqual([language, title]);
    for (const said of [scope, `>${refuse}</button>`]) expect(consent.text).toContain(said);
    const none = await browser.submit(consent, { do: 'allow', scope: [] });
    expect([none.status, languageOf(none)]).toEqual([400, language]);
    expect((await browser.submit(none, { do: 'refuse' })).url.searchParams.get('error')).toBe('access_denied');
  });

  it('is asked in a language that the application knows them to read (ui_locales), before that of the browser', async () => {
    const partner = await aPartner(app);
    const shown = await new Browser(app.url, 'de').visit(authorizeUrl(app.url, partner, { ui_locales: 'tlh fr-CA nl' }));
    expect(languageOf(shown)).toBe('fr');
  });

  it('keeps the language that they choose with a link for the pages that follow, and it goes before all others', async () => {
    const partner = await aPartner(app);
    const browser = new Browser(app.url, 'de');
    const shown = await browser.visit(authorizeUrl(app.url, partner, { ui_locales: 'fr' }));
    expect(shown.text).toContain('href="?lang=nl"');
    const dutch = await browser.visit(`${shown.url.pathname}?lang=nl`);
    expect(languageOf(dutch)).toBe('nl');
    const consent = await browser.submit(dutch, { do: 'sign-in', email: partner.user.email, password: PASSWORD });
    expect([languageOf(consent), titleOf(consent)]).toEqual(['nl', 'Month-end sync toestaan?']);
    expect(titleOf(await browser.visit('/console/new-password'))).toBe('Een nieuw wachtwoord kiezen');
    expect(titleOf(await browser.visit('/oauth/connections'))).toBe('Verbonden toepassingen');
  });

  it.each(['xx', '', 'de;Path=/', '%0d%0aSet-Cookie:%20a=b', '../../etc', 'd'.repeat(5000)])(
    'keeps nothing of a language that is none of ours: %#',
    async (lang) => {
      const answer = await fetch(`${app.url}/console/sign-in?lang=${lang}`, { headers: { 'accept-language': 'es' } });
      expect(answer.headers.getSetCookie()).toEqual([]);
      expect(languageOf({ text: await answer.text() })).toBe('es');
    },
  );

  it('is given no cookie by the API', async () => {
    const answer = await fetch(`${app.url}/v1?lang=de`);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  it('reads in their language what the console says at its entrance, wherever they are sent on to', async () => {
    const browser = new Browser(app.url, 'fr');
    const shown = await browser.visit('/console/sign-in?next=%2Fconsole%2Flive%2Freports&organization=acme');
    expect(titleOf(shown)).toBe('Se connecter');
    expect(shown.text).toContain('href="?organization=acme&amp;next=%2Fconsole%2Flive%2Freports&amp;lang=de"');
    const again = await browser.visit('/console/sign-in', { email: 'nobody@example.com', password: 'not the password', next: '' });
    expect(again.text).toContain('L’adresse e-mail ou le mot de passe est incorrect. Si vous avez un compte dans plusieurs organisations');
    expect(titleOf(await browser.visit('/console/new-password'))).toBe('Choisir un nouveau mot de passe');
    expect(titleOf(await browser.visit('/console/links/none'))).toBe('Ce lien n’est plus valable');
    expect(titleOf(await browser.visit('/oauth/device'))).toBe('Connecter un appareil');
    expect(titleOf(await browser.visit('/oauth/interaction/none'))).toBe('Cette demande ne peut pas aboutir');
  });
});

it('what a scope allows is the same in English whether an operation or a catalogue says it, and is there in each language', () => {
  const registry = app.app.get(Registry);
  const ours = registry.scopes.filter((scope) => !scope.startsWith('openid'));
  const inLanguage = (lang: string) => scopeGroups(registry, ours, wordingFor({ query: { lang }, headers: {} }));
  expect(inLanguage('en')).toEqual(scopeGroups(registry, ours));
  for (const language of ['de', 'fr', 'es', 'nl'])
    inLanguage(language).forEach(({ scopes }, group) =>
      scopes.forEach(({ scope, sentence }, place) => {
        expect(sentence, `${scope} in ${language}`).not.toBe(inLanguage('en')[group]!.scopes[place]!.sentence);
      }),
    );
});
