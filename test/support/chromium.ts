import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

const PATH = process.env.TEST_CHROMIUM_PATH ?? '/usr/bin/chromium';
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Whether a browser is installed. */
export const hasChromium = (): boolean => existsSync(PATH);

export const startChromium = (): Promise<Browser> => chromium.launch({ executablePath: PATH, args: FLAGS });

/** A page with a fresh browser context, and the browser's console messages and page errors. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<{ page: Page; complaints: string[] }> {
  const page = await (await browser.newContext(options)).newPage();
  page.setDefaultTimeout(30_000);
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  return { page, complaints };
}

/** The contrast ratio of every text and input field on a page to its background (WCAG 1.4.3 and 1.4.11). */
export async function contrasts(page: Page): Promise<{ what: string; ratio: number }[]> {
  const shown = await page.evaluate<
    { what: string; ink: string; papers: string[] }[]
  >(`[...document.querySelectorAll('body *')].flatMap((element) => {
    const papers = [];
    for (let at = element; at; at = at.parentElement) papers.push(getComputedStyle(at).backgroundColor);
    const { color, borderTopColor } = getComputedStyle(element);
    const hasText = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== '');
    if (hasText) return [{ what: element.textContent.trim(), ink: color, papers }];
    return element.matches('input:not([type=hidden])') ? [{ what: 'field ' + element.id, ink: borderTopColor, papers }] : [];
  })`);
  return shown.map(({ what, ink, papers }) => {
    const paper = papers.map(rgba).find(([, , , alpha]) => alpha > 0) ?? WHITE;
    const [light = 0, dark = 0] = [luminance(rgba(ink)), luminance(paper)].sort((a, b) => b - a);
    return { what, ratio: (light + 0.05) / (dark + 0.05) };
  });
}

type Colour = readonly [red: number, green: number, blue: number, alpha: number];
const WHITE: Colour = [255, 255, 255, 1];

function rgba(text: string): Colour {
  const [red = 0, green = 0, blue = 0, alpha = 1] = [...text.matchAll(/[\d.]+/g)].map(([number]) => Number(number));
  return [red, green, blue, alpha];
}

function luminance([red, green, blue]: Colour): number {
  const [r = 0, g = 0, b = 0] = [red, green, blue].map((part) =>
    part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
