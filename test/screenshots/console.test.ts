import { copyFile, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { OPERATOR } from '../../src/kernel/context.js';
import { OrganizationService } from '../../src/modules/organization/index.js';
import { openPage, startChromium } from '../support/chromium.js';
import { crawl, oneOfEach, pagesOf, VIEWS } from '../support/console-crawl.js';
import { MAX_PICTURES_BYTES, ON_FIRST_PAGE, PARTS_PAGE, pictureOf, PICTURES } from '../support/console-pictures.js';
import { eventually } from '../support/eventually.js';
import { freshInstall, type FreshInstall } from '../support/fresh-install.js';
import { importStatement } from '../support/statements.js';

// `npm run screenshots`: the pictures of docs/console.md, one of each page in each view.
const PATIENCE_MS = 60_000;
const QUALITY = 0.33;
/** Wider pictures are scaled down: a guide shows them smaller still. */
const MAX_WIDTH = 800;

let install: FreshInstall;
let browser: Browser;
beforeAll(async () => {
  [install, browser] = await Promise.all([freshInstall(), startChromium()]);
  await oneOfEach(install);
  await keepSomeNames();
  await rm(PICTURES, { recursive: true, force: true });
  await mkdir(PICTURES, { recursive: true });
});
afterAll(async () => {
  await browser?.close();
  await install?.close();
});

/** So that pages of names have some. */
async function keepSomeNames(): Promise<void> {
  const { app, api, made } = install;
  await app.app.get(OrganizationService).change(OPERATOR, made.organization.id, { keepNames: true });
  const names = ['Xanthippe Quorl', 'Xanthippe Quorl', 'Ditzo Vamblik', 'Noam Zaunbert'];
  const rows = names.map((name, index) => `2026-04-0${index + 1},Invoice ${index + 1},-12.50,EUR,${name}\n`);
  const file = `Date,Description,Amount,Currency,Counterparty\n${rows.join('')}`;
  const { id } = await importStatement(app, made.organization.id, { file, fileName: 'april.csv' });
  await eventually(async () => {
    expect((await api.get(`/v1/bank-statements/${id}`)).body).toMatchObject({ redactionStatus: 'succeeded' });
  }, PATIENCE_MS);
}

it('there is a picture of every page in every view, and they are small', { timeout: 600_000 }, async () => {
  // Encodes pictures, so that no library has to.
  const { page: encoder } = await openPage(browser);
  let bytes = 0;
  for (const { file: view, options } of VIEWS) {
    const { page } = await openPage(browser, options);
    page.setDefaultTimeout(PATIENCE_MS);
    const photograph = async (route: string): Promise<void> => {
      const path = join(PICTURES, pictureOf(route, view));
      await writeFile(path, await webp(encoder, await page.screenshot()));
      bytes += (await stat(path)).size;
    };
    await crawl(page, install, photograph);
    await page.goto(install.app.url + PARTS_PAGE);
    const height = await page.evaluate<number>('document.documentElement.scrollHeight');
    await page.setViewportSize({ ...page.viewportSize()!, height });
    await photograph(PARTS_PAGE);
  }
  for (const [name, picture] of Object.entries(ON_FIRST_PAGE)) await copyFile(join(PICTURES, picture), join('public', name));
  console.log(`${(pagesOf(install).length + 1) * VIEWS.length} pictures, ${Math.round(bytes / 1024)} KiB`);
  expect(bytes).toBeLessThan(MAX_PICTURES_BYTES);
});

async function webp(encoder: Page, png: Buffer): Promise<Buffer> {
  const url = await encoder.evaluate<string>(`(async () => {
    const bytes = Uint8Array.from(atob('${png.toString('base64')}'), (character) => character.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const canvas = document.createElement('canvas');
    const scale = Math.min(1, ${MAX_WIDTH} / image.width);
    [canvas.width, canvas.height] = [Math.round(image.width * scale), Math.round(image.height * scale)];
    const drawing = canvas.getContext('2d');
    drawing.imageSmoothingQuality = 'high';
    drawing.drawImage(image, 0, 0, canvas.width, canvas.height);
    return canvas.toDataURL('image/webp', ${QUALITY});
  })()`);
  expect(url).toMatch(/^data:image\/webp;base64,/);
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
}
